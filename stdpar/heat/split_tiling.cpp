// Split tiling: several steps in one sweep over tiles of rows. Within an algorithm's call no tile needs another, so two
// calls do all of a sweep's steps: common/cpu/split_tiling.hpp draws them, common/heat/cpu/skewed_sweep.hpp what is
// done to a tile.
//
//     for_each  tile   the steps of its rows, of each step a row less at either end
//     for_each  gap    the steps of the rows that are left between two tiles
#include <algorithm>
#include <execution>
#include <optional>

#include "common/cpu/split_tiling.hpp"
#include "common/cpu/worker_sums.hpp"
#include "common/heat/cpu/skewed_sweep.hpp"
#include "common/heat/host_solver.hpp"
#include "common/run/vector_lengths.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {
using namespace heat;
namespace {

template <class T, int lanes>
class Tiles : public OnCores<HostSolver<T>> {
 public:
  explicit Tiles(const Options& asked) : depth_(asked.number("time-block").value_or(usual_depth)) {}

  void init(const Plate& plate, int steps) override {
    HostSolver<T>::init(plate, steps);
    tiling_.emplace(static_cast<int>(plate.height), false, usable_cores(), depth_);
    sweep_.emplace(plate.width, tiling_->depth());
  }
  int steps_per_look() const override { return tiling_->depth(); }

  void advance(std::span<double> deltas) override {
    const int steps = static_cast<int>(deltas.size()), tiles = tiling_->tiles();
    WorkerSums sums(tiles);
    std::vector<double*> of_tile;
    for (int tile = 0; tile < tiles; ++tile) of_tile.push_back(sums.start(tile, steps));
    for (int first = 0; first < steps; first += tiling_->depth()) {
      const int levels = std::min(tiling_->depth(), steps - first);
      const auto update = [&](std::int64_t tile, TileRows rows) {
        sweep_->run(this->grids_, this->now_ + first, levels, rows, of_tile[static_cast<std::size_t>(tile)] + first);
      };
      std::for_each(std::execution::par, counting(0), counting(tiles),
                    [&](std::int64_t tile) { update(tile, tiling_->tile(static_cast<int>(tile))); });
      std::for_each(std::execution::par, counting(0), counting(tiling_->gaps()),
                    [&](std::int64_t tile) { update(tile, tiling_->gap(static_cast<int>(tile))); });
    }
    sums.add_up(1.0, deltas);
    this->now_ = (this->now_ + steps) % 2;
  }

  /// As if every step were a sweep of its own.
  RunFacts facts() const override {
    return this->on_machine({.bytes_per_update = 2.0 * sizeof(T),
                             .steps_per_launch = tiling_->depth(),
                             .settings = {{"vvl", lanes}, {"strip", sweep_->strip()}, {"tiles", tiling_->tiles()}}});
  }

 private:
  int depth_;
  std::optional<SplitTiling> tiling_;
  std::optional<SkewedSweep<T, lanes>> sweep_;
};

}  // namespace

extern const heat::Variant split_tiling = {
    .name = "split-tiling",
    .summary = "several steps in one sweep over tiles of rows, an algorithm each for the tiles and the gaps in between",
    .options = {vector_length_option(), time_block_option({"4", "8", "12", "16", "24", "32"})},
    .make = made_of_vvl<Solver, Tiles>};

}  // namespace boltzmark::stdpar
