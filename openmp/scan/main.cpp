// scan-openmp: prefix sums on the threads of one machine.
#include "common/scan/host_scanner.hpp"
#include "common/scan/vectors.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
namespace {

template <class T>
using ThreadedScanner = OnThreads<scan::HostScanner<T>>;

/// Textbook: the loop with OpenMP's scan directive.
template <class T>
class Textbook : public ThreadedScanner<T> {
 public:
  using ThreadedScanner<T>::OnThreads;
  void scan() override {
    const T* const values = this->values_.data();
    T* const sums = this->sums_.data();
    const std::int64_t elements = this->part();
    const int threads = this->threads_;
    T sum = 0;
#pragma omp parallel for num_threads(threads) reduction(inscan, + : sum)
    for (std::int64_t i = 0; i < elements; ++i) {
      sum += values[i];
#pragma omp scan inclusive(sum)
      sums[i] = sum;
    }
  }
  /// Of GCC and of clang: the first of two loops stores what the second adds to.
  scan::Passes passes() const override { return {.has_buffer = true}; }
};

/// Tiles: the threads go along the array together, tile by tile, of which each has a part that its second-level cache
/// holds. Values come from memory once.
///
///     my sum = sum of my part;   barrier;   scan my part, from the tiles before + sums of the threads before me
template <class T>
class Tiles : public ThreadedScanner<T> {
 public:
  using ThreadedScanner<T>::OnThreads;
  void scan() override {
    const std::int64_t elements = this->part(), of_thread = tile_bytes / sizeof(T);
    const int threads = this->threads_;
    std::vector<Line> sums(2 * static_cast<std::size_t>(threads));
#pragma omp parallel num_threads(threads)
    {
      const int me = number_in_team_of(threads);
      T before = 0;  // all tiles so far
      int turn = 0;
      for (std::int64_t tile = 0; tile < elements; tile += of_thread * threads, turn = 1 - turn) {
        const auto at = [&](int thread) { return std::min(elements, tile + of_thread * thread); };
        const Range mine = {at(me), at(me + 1)};
        Line* const of_threads = sums.data() + turn * threads;  // two in turn: one barrier a tile is enough
        of_threads[me].sum = sum_of(this->values_.data() + mine.begin, mine.size());
#pragma omp barrier
        T start = before;
        for (int thread = 0; thread < threads; ++thread) {
          if (thread == me) start = before;
          before += of_threads[thread].sum;
        }
        scan::scan_range(this->values_.data(), this->sums_.data(), mine, start);
      }
    }
  }

  scan::Passes passes() const override { return {.tile_bytes = double(tile_bytes) * this->threads_}; }

 private:
  static constexpr std::int64_t tile_bytes = 128 << 10;  ///< of a thread
  struct alignas(64) Line {
    T sum = 0;
  };
};

const scan::Variant textbook = textbook_of<scan::Scanner, Textbook>("a loop with OpenMP's scan directive");

const scan::Variant tiles = like_for_like_of<scan::Scanner, Tiles>(
    "tiles", "tile by tile, which the threads sum and then scan out of their caches");

}  // namespace
}  // namespace boltzmark::openmp

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp;
  return run_on_threads(argc, argv, scan::workload, {&textbook, &tiles}, "tiles");
}
