// scan-thrust: prefix sums in Thrust.
#include "thrust/on_system.hpp"

#include <thrust/scan.h>

#include "common/scan/array_scanner.hpp"
#include "common/scan/cpu/tiles.hpp"

namespace boltzmark::by_thrust {
namespace {
using namespace scan;

/// Textbook: thrust::inclusive_scan. With OpenMP it is one thread's.
struct Textbook {
  template <class Pointer>
  static void scan(Pointer values, Pointer sums, std::int64_t elements, const Workers&) {
    thrust::inclusive_scan(on_system(), values, values + elements, sums);
  }
};

#ifndef __CUDACC__
/// Tiles: a for_each over the threads for each tile, which their caches hold (common/scan/cpu/tiles.hpp).
struct Tiles {
  static constexpr Passes passes = {.tile_bytes = tile_bytes};
  template <class T>
  static void scan(const T* values, T* sums, std::int64_t elements, const Workers&) {
    TileByTile<T> tiles(values, sums, elements, threads());
    do for_each_number(threads(), [&](std::int64_t me) { tiles.work(me); });
    while (tiles.next());
  }
};
#endif

const Variant textbook = {.name = "textbook",
                          .summary = "thrust::inclusive_scan",
                          .role = Role::textbook,
                          .make = by<Textbook, InSystem>(start_workers)};
ON_PROCESSORS(const Variant tiles = {.name = "tiles",
                                     .summary = "tile by tile, which processors sum and then scan out of their caches",
                                     .role = Role::like_for_like,
                                     .make = by<Tiles>(start_workers)};)

}  // namespace
}  // namespace boltzmark::by_thrust

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace by_thrust;
  return run_on_system(argc, argv, scan::workload, {&textbook ON_PROCESSORS(, &tiles)});
}
