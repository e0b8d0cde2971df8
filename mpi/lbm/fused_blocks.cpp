// Fused over ranks that have blocks of a Cartesian communicator (--ranks-grid): fused.cpp where not only layers (rows,
// in three dimensions planes) are divided.
//
//        frame row, from the block to the north          the layers' own halo is that of a strip; along the other
//      +---+-----------------------------+---+           axes that are divided the block has a frame of cells that
//      | f | own rows and columns        | f |           count as solid and are filled before every step
//      +---+-----------------------------+---+
//        frame row, from the block to the south
//
// The axes are exchanged one after the other, x first, each with what the ones before have brought: so populations of
// diagonal directions come from the blocks at the corners without messages of their own. Only what crosses is sent:
// three directions a face in two dimensions, five in three. A step begins when all of that has come.
#include <algorithm>
#include <list>
#include <memory>
#include <vector>

#include "common/cpu/progress.hpp"
#include "common/cpu/worker_sums.hpp"
#include "common/lbm/cpu/cpu_facts.hpp"
#include "mpi/lbm/ranks_grid.hpp"
#include "mpi/lbm/strip_types.hpp"
#include "mpi/lbm/variants.hpp"
#include "mpi/library.hpp"
#include "mpi/workers.hpp"
#include "openmp/thread_team.hpp"

namespace boltzmark::mpi {
using namespace lbm;
namespace {

template <class T, class L>
class FusedBlocks : public Solver {
 public:
  FusedBlocks(const RanksShape& shape, const std::string& halo, std::optional<int> threads)
      : shape_(shape), halo_(halo), team_(threads_of_rank(threads)) {}

  void init(const Problem& problem) override {
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    grid_.emplace(problem.parameters, shape_);
    LayerPart part = whole_layer(problem.parameters);
    part.x = grid_->begin(0);
    part.nx = grid_->count(0);
    part.frame_x = grid_->is_divided(0);
    if (L::dimension == 3) {
      part.y = grid_->begin(1);
      part.ny = grid_->count(1);
      part.frame_y = grid_->is_divided(1);
    }
    frame_ = {part.frame_x, part.frame_y, 0};
    strip_.emplace(problem, grid_->begin(layer_axis), grid_->count(layer_axis), grid_->is_divided(layer_axis),
                   part);
    workers_ = std::min(team_.size(), strip_->layers());
    team_.run([this](int me) {
      if (me < workers_) strip_->init_layers(begin(me), begin(me + 1));
    });
    prepare_exchanges();
  }

  void run(int steps, std::span<double> av_vels) override {
    strip_->accelerate_start(0, strip_->layers());
    WorkerSums sums(workers_);
    std::vector<Progress> done(static_cast<std::size_t>(workers_));
    Progress halo_there;
    team_.run([&](int me) {
      if (me >= workers_) return;
      double* const mine = sums.start(me, steps);
      for (int step = 0; step < steps; ++step) {
        if (me == 0) {
          for (const Progress& worker : done) worker.wait_for(step);
          for (Exchange& exchange : before_[step % 2]) {
            exchange.start();
            exchange.finish();
          }
          halo_there.reach(step + 1);
        }
        halo_there.wait_for(step + 1);
        mine[step] = strip_->update_layers(begin(me), begin(me + 1), step, step == steps - 1);
        done[me].reach(step + 1);
      }
    });
    sums.add_up(1.0 / fluid_cells_, av_vels);
    grid_->add_up(av_vels);
    double seconds = 0.0;
    for (const auto& exchanges : before_)
      for (const Exchange& exchange : exchanges) seconds += exchange.seconds();
    halo_seconds_ = seconds_of_all(seconds);
    steps_ = steps;
  }

  void collect(State& state) override {
    State block;
    block.resize(static_cast<std::int64_t>(strip_->layers()) * strip_->rows() * strip_->columns(),
                 L::dimension);
    strip_->collect(steps_, fields_of(block));
    grid_->gather_field(block.ux, frame_, state.ux);
    grid_->gather_field(block.uy, frame_, state.uy);
    grid_->gather_field(block.density, frame_, state.density);
    if (L::dimension == 3) grid_->gather_field(block.uz, frame_, state.uz);
  }

  RunFacts facts() const override {
    RunFacts facts = cpu_facts<T, L>(2, {{"vector_lanes", Strip<T, L>::lanes}});
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
  int begin(int worker) const { return static_cast<int>(std::int64_t{strip_->layers()} * worker / workers_); }

  /// Before even and before odd steps, which read different grids.
  void prepare_exchanges() {
    const int columns = strip_->columns(), rows = strip_->rows(), layers = strip_->layers();
    const auto at = [&](int x, int y, int layer, int parity) {
      return strip_->segment(0, layer, y, parity) + x;
    };
    for (int parity = 0; parity < 2; ++parity) {
      if (grid_->is_divided(0))
        add_exchange(parity, 0, crossing_columns<T, L>(+1, *strip_), at(columns - 2, 0, 0, parity),
                     at(0, 0, 0, parity), crossing_columns<T, L>(-1, *strip_), at(1, 0, 0, parity),
                     at(columns - 1, 0, 0, parity));
      if (L::dimension == 3 && grid_->is_divided(1))
        add_exchange(parity, 1, crossing_rows<T, L>(+1, *strip_), at(0, rows - 2, 0, parity),
                     at(0, 0, 0, parity), crossing_rows<T, L>(-1, *strip_), at(0, 1, 0, parity),
                     at(0, rows - 1, 0, parity));
      if (grid_->is_divided(layer_axis))
        add_exchange(parity, layer_axis, crossing_layers<T, L>(+1, *strip_), at(0, 0, layers - 1, parity),
                     at(0, 0, -1, parity), crossing_layers<T, L>(-1, *strip_), at(0, 0, 0, parity),
                     at(0, 0, layers, parity));
    }
  }

  /// `up`: sent to the next rank along the axis, `down`: to the one before.
  void add_exchange(int parity, int axis, OwnedType up, T* send_up, T* receive_up, OwnedType down,
                    T* send_down, T* receive_down) {
    const HaloMethod method = halo_ == "sendrecv" ? HaloMethod::sendrecv : HaloMethod::persistent;
    before_[parity].emplace_back(method, grid_->along(axis), 2 * axis + parity,
                                 HaloMessage{send_up, receive_up, 1, up.type()},
                                 HaloMessage{send_down, receive_down, 1, down.type()});
    types_.push_back(std::move(up));
    types_.push_back(std::move(down));
  }

  RanksShape shape_;
  std::string halo_;
  openmp::ThreadTeam team_;
  int workers_ = 1, steps_ = 0;
  double fluid_cells_ = 0.0;
  std::optional<RanksGrid> grid_;
  std::array<int, 3> frame_ = {};  ///< cells of the frame on either side, along each axis
  std::optional<Strip<T, L>> strip_;
  std::list<OwnedType> types_;
  std::array<std::list<Exchange>, 2> before_;
  HaloSeconds halo_seconds_;
};

}  // namespace

std::unique_ptr<Solver> make_fused_blocks(const Problem& problem, Precision precision,
                                          const RanksShape& shape, const std::string& halo,
                                          std::optional<int> threads) {
  return make_solver<FusedBlocks>(problem, precision, shape, halo, threads);
}

}  // namespace boltzmark::mpi
