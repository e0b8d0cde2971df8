// scan-tbb: prefix sums in oneTBB.
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/parallel_scan.h>

#include "common/scan/host_scanner.hpp"
#include "common/scan/vectors.hpp"
#include "tbb/on_arena.hpp"

namespace boltzmark::onetbb {
namespace {

template <class T>
using TbbScanner = OnArena<scan::HostScanner<T>>;

/// Textbook: parallel_scan, whose body sums a part, or writes its sums where all that is before it is known.
template <class T>
class Textbook : public TbbScanner<T> {
 public:
  using TbbScanner<T>::OnArena;
  void scan() override {
    using Part = tbb::blocked_range<std::int64_t>;
    const T* const values = this->values_.data();
    T* const sums = this->sums_.data();
    this->arena_.execute([&] {
      tbb::parallel_scan(
          Part(0, this->part()), T(0),
          [values, sums](const Part& part, T sum, bool is_final) {
            for (std::int64_t i = part.begin(); i != part.end(); ++i) {
              sum += values[i];
              if (is_final) sums[i] = sum;
            }
            return sum;
          },
          std::plus<>());
    });
  }
};

/// Pipeline: blocks go through three filters. A thread takes a block through all of them, unless it has to wait in the
/// second, so that the third finds its values in the core's cache: they come from memory once.
///
///     parallel          sum of the block
///     serial_in_order   sums of all blocks before it
///     parallel          scan of the block from there
template <class T>
class Pipeline : public TbbScanner<T> {
 public:
  using TbbScanner<T>::OnArena;
  void scan() override {
    std::int64_t next = 0;
    T all = 0;
    const auto take = tbb::make_filter<void, Range>(tbb::filter_mode::serial_in_order, [&](tbb::flow_control& control) {
      if (next >= this->part()) control.stop();
      const std::int64_t first = next;
      next = std::min(this->part(), next + block);
      return Range{first, next};
    });
    const auto add_up = tbb::make_filter<Range, Block>(tbb::filter_mode::parallel, [this](Range on) {
      return Block{on, sum_of(this->values_.data() + on.begin, on.size())};
    });
    const auto order = tbb::make_filter<Block, Block>(tbb::filter_mode::serial_in_order, [&](Block one) {
      return Block{one.on, std::exchange(all, all + one.sum)};
    });
    const auto write = tbb::make_filter<Block, void>(tbb::filter_mode::parallel, [this](Block one) {
      scan::scan_range(this->values_.data(), this->sums_.data(), one.on, one.sum);
    });
    this->arena_.execute(
        [&] { tbb::parallel_pipeline(static_cast<std::size_t>(2 * this->workers()), take & add_up & order & write); });
  }

 private:
  static constexpr std::int64_t block = std::int64_t{128 << 10} / sizeof(T);
  struct Block {
    Range on;
    T sum;  ///< of its values; then of all before it
  };
};

const scan::Variant textbook = textbook_of<scan::Scanner, Textbook>("a loop with tbb::parallel_scan");

const scan::Variant pipeline = like_for_like_of<scan::Scanner, Pipeline>(
    "pipeline", "a parallel_pipeline: blocks are summed, put in order, and scanned out of the caches");

}  // namespace
}  // namespace boltzmark::onetbb

int main(int argc, char** argv) {
  using namespace boltzmark::onetbb;
  return run_in_arena(argc, argv, {textbook, pipeline}, "pipeline");
}
