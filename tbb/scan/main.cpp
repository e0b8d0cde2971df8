// scan-tbb: prefix sums in oneTBB.
#include <oneapi/tbb/parallel_scan.h>

#include "common/scan/array_scanner.hpp"
#include "common/scan/cpu/tiles.hpp"
#include "tbb/on_arena.hpp"

namespace boltzmark::onetbb {
namespace {

/// Textbook: parallel_scan, whose body sums a part, or writes its sums if the sum before it is known.
struct Textbook {
  template <class T>
  static void scan(const T* values, T* sums, std::int64_t elements, const Workers&) {
    using Part = tbb::blocked_range<std::int64_t>;
    arena().execute([=] {
      tbb::parallel_scan(
          Part(0, elements), T(0),
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

/// Tiles: a parallel_for over the slots for each tile, which fits in the slots' caches (common/scan/cpu/tiles.hpp).
struct Tiles {
  static constexpr scan::Passes passes = {.tile_bytes = scan::tile_bytes};
  template <class T>
  static void scan(const T* values, T* sums, std::int64_t elements, const Workers& workers) {
    scan::TileByTile<T> tiles(values, sums, elements, workers.count);
    arena().execute([&] {
      do
        tbb::parallel_for(
            0, workers.count, [&](int me) { tiles.work(me); }, tbb::static_partitioner());
      while (tiles.next());
    });
  }
};

const scan::Variant textbook = textbook_of("a loop with tbb::parallel_scan", scan::by<Textbook>(start_workers));
const scan::Variant tiles =
    like_for_like_of("tiles", "tile by tile: slots scan one tile from their caches while they sum the next",
                     scan::by<Tiles>(start_workers));

}  // namespace
}  // namespace boltzmark::onetbb

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace onetbb;
  return run_in_arena(argc, argv, scan::workload, {&textbook, &tiles}, "tiles");
}
