// Split tiling: several steps in one sweep over tiles of rows. Within an algorithm's call no tile needs another, so two
// calls do all of a sweep's steps (common/heat/cpu/split_solver.hpp).
//
//     for_each  tile   the steps of its rows, of each step a row less at either end
//     for_each  gap    the steps of the rows that are left between two tiles
#include "common/heat/cpu/split_solver.hpp"

#include <algorithm>
#include <execution>

#include "common/run/vector_lengths.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {
using namespace heat;
namespace {

template <class T, int lanes>
class Tiles : public SplitSolver<T, lanes, OnCores<HostSolver<T>>> {
 public:
  explicit Tiles(const Options& asked) : Tiles::SplitSolver(asked.number("time-block"), usable_cores()) {}

  void advance(std::span<double> deltas) override {
    this->run_sweeps(deltas, [](int tiles, const auto& update_tile, int gaps, const auto& update_gap) {
      std::for_each(std::execution::par, counting(0), counting(tiles), update_tile);
      std::for_each(std::execution::par, counting(0), counting(gaps), update_gap);
    });
  }
};

}  // namespace

extern const heat::Variant split_tiling = {
    .name = "split-tiling",
    .summary = "several steps in one sweep over tiles of rows, an algorithm each for the tiles and the gaps in between",
    .options = {vector_length_option(), time_block_option({"4", "8", "12", "16", "24", "32"})},
    .make = made_of_vvl<Solver, Tiles>};

}  // namespace boltzmark::stdpar
