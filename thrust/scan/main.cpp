// scan-thrust: prefix sums in Thrust.
#include "thrust/on_system.hpp"

#include <thrust/scan.h>

#include "common/scan/array_scanner.hpp"
#include "common/scan/cpu/tiles.hpp"

namespace boltzmark::by_thrust {
namespace {
using namespace scan;

/// Textbook: thrust::inclusive_scan. With OpenMP it runs on one thread.
struct Textbook {
  template <class T>
  static void scan(const T* values, T* sums, std::int64_t elements, const Workers&) {
    const auto first = thrust::device_pointer_cast(values);
    thrust::inclusive_scan(on_system(), first, first + elements, thrust::device_pointer_cast(sums));
  }
};

#ifndef __CUDACC__
/// Tiles: a for_each over the threads for each tile, which fits in their caches (common/scan/cpu/tiles.hpp).
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

const Variant textbook = textbook_of("thrust::inclusive_scan", by<Textbook, InSystem>(start_workers));
ON_PROCESSORS(
    const Variant tiles = like_for_like_of("tiles", "for processors: each tile is summed, then scanned from the caches",
                                           by<Tiles>(start_workers));)

}  // namespace
}  // namespace boltzmark::by_thrust

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace by_thrust;
  return run_on_system(argc, argv, scan::workload, {&textbook ON_PROCESSORS(, &tiles)});
}
