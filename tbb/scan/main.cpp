// scan-tbb: prefix sums in oneTBB.
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

/// Tiles: the slots go along the array together, tile by tile, of which each has a part that its second-level cache
/// holds. A call scans the parts of a tile and adds up those of the next one: values come from memory once.
///
///     parallel_for  slot   scan my part of this tile, from `starts`;   sums[me] = sum of my part of the next tile
///                          starts = sums before each slot's part
template <class T>
class Tiles : public TbbScanner<T> {
 public:
  using TbbScanner<T>::OnArena;
  scan::Passes passes() const override { return {.tile_bytes = double(tile_bytes) * this->workers()}; }
  void scan() override {
    const std::int64_t count = this->part(), slots = this->workers(), tile = of_slot * slots;
    const T* const values = this->values_.data();
    const auto part = [=](std::int64_t first, std::int64_t slot) {
      return Range{std::min(count, first + slot * of_slot), std::min(count, first + (slot + 1) * of_slot)};
    };
    std::vector<Line> lines(static_cast<std::size_t>(slots));
    T all = 0;
    this->arena_.execute([&] {
      for (std::int64_t first = -tile; first < count; first += tile) {
        const auto work = [&](std::int64_t me) {
          Line& line = lines[static_cast<std::size_t>(me)];
          if (first >= 0) scan::scan_range(values, this->sums_.data(), part(first, me), line.start);
          const Range next = part(first + tile, me);
          line.sum = sum_of(values + next.begin, next.size());
        };
        tbb::parallel_for(std::int64_t{0}, slots, work, tbb::static_partitioner());
        for (Line& line : lines) line.start = std::exchange(all, all + line.sum);
      }
    });
  }

 private:
  static constexpr std::int64_t tile_bytes = 256 << 10, of_slot = tile_bytes / sizeof(T);
  struct alignas(64) Line {
    T sum = 0, start = 0;  ///< of the next tile's part; of all before this one's
  };
};

const scan::Variant textbook = textbook_of<scan::Scanner, Textbook>("a loop with tbb::parallel_scan");

const scan::Variant tiles = like_for_like_of<scan::Scanner, Tiles>(
    "tiles", "tile by tile, which the slots scan out of their caches while they sum the next one's");

}  // namespace
}  // namespace boltzmark::onetbb

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace onetbb;
  return run_in_arena(argc, argv, scan::workload, {&textbook, &tiles}, "tiles");
}
