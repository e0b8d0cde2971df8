// In place, one step or several in one sweep over tiles of rows. Within a call no tile needs another, so two calls do
// all of a sweep's steps (common/lbm/cpu/split_sweeps.hpp), and the affinity_partitioners bring each tile and each gap
// back to the thread that did it in the sweep before.
//
//     parallel_for  tile   the steps of its rows, of each step a row less at either end
//     parallel_for  gap    the steps of the rows that are left between two tiles
#include "common/lbm/cpu/split_sweeps.hpp"
#include "tbb/on_arena.hpp"

namespace boltzmark::onetbb {
using namespace lbm;
namespace {

template <class T, class L>
class Tiles : public SplitSolver<T, L, OnArena<OnHost<Solver>>> {
 public:
  explicit Tiles(const Options& asked) : Tiles(asked, asked.number("time-block")) {}

  void run(int steps, std::span<double> av_vels) override {
    this->arena_.execute([&] {
      this->run_sweeps(steps, av_vels, [this](int tiles, const auto& update_tile, int gaps, const auto& update_gap) {
        tbb::parallel_for(0, tiles, update_tile, of_tiles_);
        tbb::parallel_for(0, gaps, update_gap, of_gaps_);
      });
    });
  }

 private:
  tbb::affinity_partitioner of_tiles_, of_gaps_;

 protected:
  Tiles(const Options& asked, std::optional<int> depth)
      : Tiles::SplitSolver(asked, arena_of(asked).max_concurrency(), depth, asked) {}
};

template <class T, class L>
class InPlace : public Tiles<T, L> {
 public:
  explicit InPlace(const Options& asked) : Tiles<T, L>(asked, 1) {}
};

}  // namespace

extern const lbm::Variant in_place = {
    .name = "in-place",
    .summary = "one grid, updated in place, one parallel_for over tiles of rows per step",
    .kinds = {D3Q19::name},
    .options = {vector_length_option(), storage_option()},
    .make = stored_of<InPlace>};

extern const lbm::Variant split_tiling = {
    .name = "split-tiling",
    .summary = "in place, several steps in one sweep over tiles of rows, a parallel_for each for tiles and gaps",
    .kinds = {D3Q19::name},
    .options = {vector_length_option(), storage_option(), time_block_option({"1", "2", "4", "8", "16", "32"})},
    .make = stored_of<Tiles>};

}  // namespace boltzmark::onetbb
