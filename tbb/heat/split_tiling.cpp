// Split tiling: several steps in one sweep over tiles of rows. Within an algorithm's call no tile needs another, so two
// calls do all of a sweep's steps (common/heat/cpu/split_solver.hpp), and the affinity_partitioners bring each tile and
// each gap back to the thread that did it in the sweep before.
//
//     parallel_for  tile   the steps of its rows, of each step a row less at either end
//     parallel_for  gap    the steps of the rows that are left between two tiles
#include "common/heat/cpu/split_solver.hpp"
#include "common/run/vector_lengths.hpp"
#include "tbb/on_arena.hpp"

namespace boltzmark::onetbb {
using namespace heat;
namespace {

template <class T, int lanes>
class Tiles : public SplitSolver<T, lanes, OnArena<HostSolver<T>>> {
 public:
  explicit Tiles(const Options& asked)
      : Tiles::SplitSolver(asked.number("time-block"), arena_of(asked).max_concurrency(), asked) {}

  void advance(std::span<double> deltas) override {
    this->arena_.execute([&] {
      this->run_sweeps(deltas, [this](int tiles, const auto& update_tile, int gaps, const auto& update_gap) {
        tbb::parallel_for(0, tiles, update_tile, of_tiles_);
        tbb::parallel_for(0, gaps, update_gap, of_gaps_);
      });
    });
  }

 private:
  tbb::affinity_partitioner of_tiles_, of_gaps_;
};

}  // namespace

extern const heat::Variant split_tiling = {
    .name = "split-tiling",
    .summary = "several steps in one sweep over tiles of rows, a parallel_for each for tiles and gaps, by affinity",
    .options = {vector_length_option(), time_block_option({"4", "8", "12", "16", "24", "32"})},
    .make = made_of_vvl<Solver, Tiles>};

}  // namespace boltzmark::onetbb
