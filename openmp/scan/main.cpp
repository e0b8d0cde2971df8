// scan-openmp: prefix sums on the threads of one machine.
#include "common/scan/array_scanner.hpp"
#include "common/scan/cpu/vectors.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
namespace {

/// Textbook: the loop with OpenMP's scan directive. GCC and clang make two loops of it; the first stores the values to
/// which the second adds.
struct Textbook {
  static constexpr scan::Passes passes = {.has_buffer = true};
  template <class T>
  static void scan(const T* values, T* sums, std::int64_t elements, const Workers& workers) {
    const int threads = workers.count;
    T sum = 0;
#pragma omp parallel for num_threads(threads) reduction(inscan, + : sum)
    for (std::int64_t i = 0; i < elements; ++i) {
      sum += values[i];
#pragma omp scan inclusive(sum)
      sums[i] = sum;
    }
  }
};

/// Tiles: the threads move along the array together, tile by tile. Each has a part of the tile that fits in its
/// second-level cache, so values are read from memory once.
///
///     my sum = sum of my part;   barrier;   scan my part, from the tiles before + sums of the threads before me
struct Tiles {
  static constexpr std::int64_t tile_bytes = 128 << 10;  ///< of a thread
  static constexpr scan::Passes passes = {.tile_bytes = tile_bytes};
  template <class T>
  static void scan(const T* values, T* sums, std::int64_t elements, const Workers& workers) {
    struct alignas(64) Line {
      T sum = 0;
    };
    constexpr std::int64_t of_thread = tile_bytes / sizeof(T);
    const int threads = workers.count;
    std::vector<Line> lines(2 * static_cast<std::size_t>(threads));
#pragma omp parallel num_threads(threads)
    {
      const int me = number_in_team_of(threads);
      T before = 0;  // all tiles so far
      int turn = 0;
      for (std::int64_t tile = 0; tile < elements; tile += of_thread * threads, turn = 1 - turn) {
        const auto at = [&](int thread) { return std::min(elements, tile + of_thread * thread); };
        const Range mine = {at(me), at(me + 1)};
        Line* const of_threads = lines.data() + turn * threads;  // two arrays in turn: one barrier per tile
        of_threads[me].sum = sum_of(values + mine.begin, mine.size());
#pragma omp barrier
        T start = before;
        for (int thread = 0; thread < threads; ++thread) {
          if (thread == me) start = before;
          before += of_threads[thread].sum;
        }
        scan::scan_range(values, sums, mine, start);
      }
    }
  }
};

const scan::Variant textbook = textbook_of("a loop with OpenMP's scan directive", scan::by<Textbook>(start_workers));
const scan::Variant tiles = like_for_like_of(
    "tiles", "tile by tile: threads sum a tile, then scan it from their caches", scan::by<Tiles>(start_workers));

}  // namespace
}  // namespace boltzmark::openmp

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp;
  return run_on_threads(argc, argv, scan::workload, {&textbook, &tiles}, "tiles");
}
