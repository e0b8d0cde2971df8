// Split tiling: several steps in one sweep over tiles of rows. Within an algorithm's call no tile needs another, so two
// calls do all of a sweep's steps (common/heat/cpu/split_tiles.hpp), and the affinity_partitioners bring each tile and
// each gap back to the thread that did it in the sweep before.
//
//     parallel_for  tile   the steps of its rows, of each step a row less at either end
//     parallel_for  gap    the steps of the rows that are left between two tiles
#include "common/heat/cpu/split_tiles.hpp"
#include "tbb/on_arena.hpp"

namespace boltzmark::onetbb {
using namespace heat;
namespace {

struct Sweeps {
  void operator()(int tiles, const auto& update_tile, int gaps, const auto& update_gap) const {
    arena().execute([&] {
      tbb::parallel_for(0, tiles, update_tile, of_tiles);
      tbb::parallel_for(0, gaps, update_gap, of_gaps);
    });
  }
  mutable tbb::affinity_partitioner of_tiles, of_gaps;
};

template <class T, int lanes>
using Tiles = SplitTiles<T, lanes, Sweeps>;

}  // namespace

extern const heat::Variant split_tiling = split_tiling_of<Tiles>(
    "several steps in one sweep over tiles of rows, a parallel_for each for tiles and gaps, by affinity",
    start_workers);

}  // namespace boltzmark::onetbb
