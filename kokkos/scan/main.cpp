// scan-kokkos: prefix sums in Kokkos. parallel_scan calls its body with the sum of everything before an index: once, or
// first to add up parts and then again (`is_final`) with the sum before each part.
#include "kokkos/on_space.hpp"

#include "common/scan/array_scanner.hpp"
#include "common/scan/cpu/vectors.hpp"

namespace boltzmark::kokkos {
namespace {
using namespace scan;

/// Textbook: an index is an element.
struct Textbook {
  template <class T>
  static void scan(const T* values, T* sums, std::int64_t elements, const Workers&) {
    const View<const T> from(values, elements);
    const View<T> to(sums, elements);
    Kokkos::parallel_scan(
        Numbers(0, elements), KOKKOS_LAMBDA(std::int64_t i, T & sum, bool is_final) {
          sum += from(i);
          if (is_final) to(i) = sum;
        });
    Kokkos::fence();
  }
};

#ifndef __CUDACC__
/// Tiles: the threads of a processor move along the array together, in vectors, tile by tile. Each has a part of the
/// tile that fits in its second-level cache, so values are read from memory once.
struct Tiles {
  static constexpr std::int64_t tile_bytes = 256 << 10;  ///< of a thread
  static constexpr Passes passes = {.tile_bytes = tile_bytes};
  template <class T>
  static void scan(const T* values, T* sums, std::int64_t elements, const Workers&) {
    const std::int64_t tile = threads() * tile_bytes / sizeof(T);
    T before = 0;
    for (std::int64_t first = 0; first < elements; first += tile) {
      const std::int64_t size = std::min(tile, elements - first);
      const T* const from = values + first;
      T *const to = sums + first, start = before;
      Kokkos::parallel_scan(
          Threads(0, threads()),
          [=](std::int64_t me, T& sum, bool is_final) {
            const Range mine = part_of(size, me, threads());
            if (me == 0) sum += start;
            sum = is_final ? scan_range(from, to, mine, sum) : sum + sum_of(from + mine.begin, mine.size());
          },
          before);
    }
  }
};
#endif

const Variant textbook = textbook_of("a loop with parallel_scan", by<Textbook, There>(start_workers));
ON_PROCESSORS(const Variant tiles =
                  like_for_like_of("tiles", "one parallel_scan per tile; each thread's part of a tile fits its caches",
                                   by<Tiles>(start_workers));)

}  // namespace
}  // namespace boltzmark::kokkos

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace kokkos;
  return run_on_space(argc, argv, scan::workload, {&textbook}, {ON_PROCESSORS(&tiles)});
}
