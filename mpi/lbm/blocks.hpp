// Ranks that have blocks of a Cartesian communicator (--ranks-grid): what fused_blocks.cpp and in_place_blocks.cpp have
// in common, where not only layers (rows, in three dimensions planes) are divided.
//
//        frame row, from the block to the north          the layers' own halo is that of a strip; along the other
//      +---+-----------------------------+---+           axes that are divided the block has a frame of cells that
//      | f | own rows and columns        | f |           count as solid and hold copies
//      +---+-----------------------------+---+
//        frame row, from the block to the south
//
// The axes are exchanged one after the other, each with what the ones before have brought: so populations of
// diagonal directions come from the blocks at the corners without messages of their own. Only what crosses is sent:
// three directions a face in two dimensions, five in three. A step begins when all of that has come.
#pragma once

#include <algorithm>
#include <array>
#include <list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/cpu/progress.hpp"
#include "common/cpu/worker_sums.hpp"
#include "common/lbm/cpu/strip.hpp"
#include "common/lbm/solver.hpp"
#include "mpi/lbm/exchange.hpp"
#include "mpi/lbm/ranks_grid.hpp"
#include "mpi/lbm/types.hpp"
#include "mpi/library.hpp"
#include "mpi/workers.hpp"
#include "openmp/thread_team.hpp"

namespace boltzmark::mpi {

/// A face of a block: what is sent through it along an axis, and where the same comes in at the other end.
template <class T>
struct Face {
  T *send, *receive;
  OwnedType type;
};

/// The exchanges of a block before even and before odd steps, each list in its order.
class BlockExchanges {
 public:
  BlockExchanges(HaloMethod method, const RanksGrid& grid) : method_(method), grid_(grid) {}

  /// `up` is sent to the next rank along the axis, `down` to the one before.
  template <class T>
  void add(int parity, int axis, Face<T> up, Face<T> down) {
    before_[parity].emplace_back(method_, grid_.along(axis), 2 * axis + parity,
                                 HaloMessage{up.send, up.receive, 1, up.type.type()},
                                 HaloMessage{down.send, down.receive, 1, down.type.type()});
    types_.push_back(std::move(up.type));
    types_.push_back(std::move(down.type));
  }

  void exchange(int parity) {
    for (Exchange& one : before_[parity]) {
      one.start();
      one.finish();
    }
  }

  double seconds() const {
    double seconds = 0.0;
    for (const auto& list : before_)
      for (const Exchange& one : list) seconds += one.seconds();
    return seconds;
  }

 private:
  HaloMethod method_;
  const RanksGrid& grid_;
  std::list<OwnedType> types_;
  std::array<std::list<Exchange>, 2> before_;
};

/// Block: the cells of a rank, with the functions of common/lbm/cpu/strip.hpp, and add_exchanges(grid, exchanges).
/// More: what Block takes beyond the place in the grid.
template <class Block, class L, class More>
class BlockSolver : public lbm::Solver {
 public:
  BlockSolver(const RanksShape& shape, const std::string& halo, std::optional<int> threads, const More& more)
      : shape_(shape), halo_(halo), team_(threads_of_rank(threads)), more_(more) {}

  void init(const lbm::Problem& problem) override {
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    grid_.emplace(problem.parameters, shape_);
    lbm::LayerPart part = lbm::whole_layer(problem.parameters);
    part.x = grid_->begin(0);
    part.nx = grid_->count(0);
    part.frame_x = grid_->is_divided(0);
    if (L::dimension == 3) {
      part.y = grid_->begin(1);
      part.ny = grid_->count(1);
      part.frame_y = grid_->is_divided(1);
    }
    frame_ = {part.frame_x, part.frame_y, 0};
    block_.emplace(problem, grid_->begin(layer_axis), grid_->count(layer_axis), grid_->is_divided(layer_axis),
                   part, more_);
    workers_ = std::min(team_.size(), block_->layers());
    team_.run([this](int me) {
      if (me < workers_) block_->init_layers(begin(me), begin(me + 1));
    });
    exchanges_.emplace(halo_ == "sendrecv" ? HaloMethod::sendrecv : HaloMethod::persistent, *grid_);
    block_->add_exchanges(*grid_, *exchanges_);
  }

  void run(int steps, std::span<double> av_vels) override {
    WorkerSums sums(workers_);
    std::vector<Progress> done(static_cast<std::size_t>(workers_));
    Progress halo_there;
    team_.run([&](int me) {
      if (me >= workers_) return;
      double* const mine = sums.start(me, steps);
      for (int step = 0; step < steps; ++step) {
        if (me == 0) {
          for (const Progress& worker : done) worker.wait_for(step);
          exchanges_->exchange(step % 2);
          halo_there.reach(step + 1);
        }
        halo_there.wait_for(step + 1);
        mine[step] = block_->update_layers(begin(me), begin(me + 1), step, step == steps - 1);
        done[me].reach(step + 1);
      }
    });
    sums.add_up(1.0 / fluid_cells_, av_vels);
    grid_->add_up(av_vels);
    halo_seconds_ = seconds_of_all(exchanges_->seconds());
    steps_ = steps;
  }

  void collect(lbm::State& state) override {
    lbm::State block;
    block.resize(static_cast<std::int64_t>(block_->layers()) * block_->rows() * block_->columns(),
                 L::dimension);
    block_->collect(steps_, fields_of(block));
    grid_->gather_field(block.ux, frame_, state.ux);
    grid_->gather_field(block.uy, frame_, state.uy);
    grid_->gather_field(block.density, frame_, state.density);
    if (L::dimension == 3) grid_->gather_field(block.uz, frame_, state.uz);
  }

  RunFacts facts() const override {
    RunFacts facts = Block::facts(more_);
    facts.driver = library_version();
    facts.threads = team_.size();
    facts.ranks = grid_->size();
    facts.settings["local"] = "cpu";
    facts.settings["ranks_grid"] = to_string(shape_, L::dimension);
    facts.settings["halo"] = halo_;
    facts.settings["halo_seconds"] = halo_seconds_.mean;
    facts.settings["halo_seconds_most"] = halo_seconds_.most;
    return facts;
  }

 private:
  static constexpr int layer_axis = L::dimension - 1;

  /// First layer of a thread's part.
  int begin(int worker) const { return static_cast<int>(std::int64_t{block_->layers()} * worker / workers_); }

  RanksShape shape_;
  std::string halo_;
  openmp::ThreadTeam team_;
  More more_;
  int workers_ = 1, steps_ = 0;
  double fluid_cells_ = 0.0;
  std::optional<RanksGrid> grid_;
  std::array<int, 3> frame_ = {};  ///< cells of the frame on either side, along each axis
  std::optional<Block> block_;
  std::optional<BlockExchanges> exchanges_;
  HaloSeconds halo_seconds_;
};

}  // namespace boltzmark::mpi
