// Split tiling: several steps in one sweep over tiles of rows. Within an algorithm's call no tile needs another, so two
// calls do all of a sweep's steps (common/heat/cpu/split_tiles.hpp).
//
//     for_each  tile   the steps of its rows, of each step a row less at either end
//     for_each  gap    the steps of the rows that are left between two tiles
#include <algorithm>
#include <execution>

#include "common/heat/cpu/split_tiles.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {
using namespace heat;
namespace {

struct Sweeps {
  void operator()(int tiles, const auto& update_tile, int gaps, const auto& update_gap) const {
    std::for_each(std::execution::par, counting(0), counting(tiles), update_tile);
    std::for_each(std::execution::par, counting(0), counting(gaps), update_gap);
  }
};

template <class T, int lanes>
using Tiles = SplitTiles<T, lanes, Sweeps>;

}  // namespace

extern const heat::Variant split_tiling = split_tiling_of<Tiles>(
    "several steps in one sweep over tiles of rows, an algorithm each for the tiles and the gaps in between",
    start_workers);

}  // namespace boltzmark::stdpar
