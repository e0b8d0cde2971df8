// Split tiling in standard algorithms: in place, several steps in one sweep over tiles of rows. Within an algorithm's
// call no tile needs another, so two calls do all of a sweep's steps (common/cpu/split_tiling.hpp draws them,
// common/lbm/cpu/split_sweeps.hpp does what is done to a tile).
//
//     for_each  tile   the steps of its rows, of each step a row less at either end
//     for_each  gap    the steps of the rows that are left between two tiles
#include <algorithm>
#include <execution>
#include <optional>

#include "common/cpu/worker_sums.hpp"
#include "common/lbm/cpu/split_sweeps.hpp"
#include "common/lbm/cpu/sweeps.hpp"
#include "common/lbm/solver.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {
using namespace lbm;
namespace {

template <class T, class L>
class Tiles : public OnCores<OnHost<Solver>> {
 public:
  explicit Tiles(const Options& asked)
      : kernels_(row_kernels<T, L>(asked.number("vvl"))), time_block_(asked.number("time-block")) {}

  void init(const Problem& problem) override {
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    sweeps_.emplace(problem, kernels_, usable_cores(), time_block_);
    std::for_each(std::execution::par, counting(0), counting(sweeps_->tiling().tiles()),
                  [this](std::int64_t tile) { sweeps_->init(static_cast<int>(tile)); });
  }

  void run(int steps, std::span<double> av_vels) override {
    const SplitTiling& tiling = sweeps_->tiling();
    WorkerSums sums(tiling.tiles());
    std::vector<double*> of_tile;
    for (int tile = 0; tile < tiling.tiles(); ++tile) of_tile.push_back(sums.start(tile, steps));
    for (int first = 0; first < steps; first += tiling.depth()) {
      const int levels = std::min(tiling.depth(), steps - first);
      const auto update = [&](std::int64_t tile, TileRows rows) {
        sweeps_->run(rows, first, levels, steps, of_tile[static_cast<std::size_t>(tile)] + first);
      };
      std::for_each(std::execution::par, counting(0), counting(tiling.tiles()),
                    [&](std::int64_t tile) { update(tile, tiling.tile(static_cast<int>(tile))); });
      if (levels == 1) continue;  // no gaps
      std::for_each(std::execution::par, counting(0), counting(tiling.gaps()),
                    [&](std::int64_t tile) { update(tile, tiling.gap(static_cast<int>(tile))); });
    }
    sums.add_up(sweeps_->speed_unit() / fluid_cells_, av_vels);
    steps_ = steps;
  }

  void collect(State& state) override { sweeps_->collect(steps_, fields_of(state)); }

  RunFacts facts() const override { return this->on_machine(in_place_facts(kernels_, sweeps_->tiling().depth())); }

 private:
  const RowKernels<T, L>& kernels_;
  std::optional<int> time_block_;
  int steps_ = 0;
  double fluid_cells_ = 0.0;
  std::optional<SplitSweeps<T, L>> sweeps_;
};

}  // namespace

extern const lbm::Variant split_tiling = {
    .name = "split-tiling",
    .summary = "in place, several steps in one sweep over tiles of rows, an algorithm each for tiles and gaps",
    .kinds = {D3Q19::name},
    .options = {vector_length_option(), time_block_option({"1", "2", "4", "8", "16", "32"})},
    .make = made_of<Tiles>};

}  // namespace boltzmark::stdpar
