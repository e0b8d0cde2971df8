// In place and wavefront over ranks: strips of rows, in three dimensions of planes, of one grid that is updated where
// it lies (in_place_layers.hpp).
//
// in-place: an even step reads and writes the rows beside a row, so each rank borrows three populations of
// the row beyond either end of its strip, and returns to their places what it wrote there. An odd step needs
// nothing of anyone. exchange.hpp has the methods, step_loop.hpp the order of work.
//
//   rank r+1    row 0         --- 4, 7, 8 --->  even step of rank r's last row  --- 4, 7, 8 --->  back
//   rank r      row rows-1    --- 2, 5, 6 --->  even step of rank r+1's row 0   --- 2, 5, 6 --->  back
//
// In three dimensions five populations of a plane's cells cross it: those of directions with c_z = 1, or -1.
//
// wavefront: as many halo rows at either end as steps in one sweep, exchanged whole before the sweep
// (deep_halo.hpp draws it). Strips that are too low for two steps are done like in-place.
#include "common/lbm/cpu/cpu_facts.hpp"
#include "mpi/lbm/deep_halo.hpp"
#include "mpi/lbm/in_place_layers.hpp"
#include "mpi/lbm/step_loop.hpp"
#include "mpi/lbm/threaded_solver.hpp"
#include "mpi/lbm/types.hpp"
#include "mpi/lbm/variants.hpp"
#include "mpi/workers.hpp"

namespace boltzmark::mpi {
using namespace lbm;
namespace {

template <class T, class L>
class InPlace : public ThreadedSolver {
 public:
  /// time_block: most steps in one sweep; unset: what suits caches and strips.
  InPlace(std::optional<int> lanes, const std::string& halo, std::optional<int> threads,
          std::optional<int> time_block)
      : ThreadedSolver(halo, threads), kernels_(row_kernels<T, L>(lanes)), time_block_(time_block) {}

  void init(const Problem& problem) override {
    const int nx = problem.parameters.nx, vectors = (nx + kernels_.lanes - 1) / kernels_.lanes;
    partition(problem, vectors, [vectors](int x) { return x % vectors; });
    depth_ = choose_depth(problem.parameters);
    const int layers = ranks().layers();
    strip_.emplace(problem, ranks().first_layer(), layers, depth_, kernels_);
    on_workers([&, this](int begin, int end) {
      strip_->init_layers(begin == 0 ? -depth_ : begin, end == layers ? layers + depth_ : end);
    });
    if (depth_ > 1)
      prepare_blocks();
    else
      prepare_steps();
  }

  void run(int steps, std::span<double> av_vels) override {
    RowClock clock(strip_->layers(), depth_, workers());
    run_workers(steps, av_vels, strip_->speed_unit(), [&](int me, double* sums) {
      if (depth_ > 1) {
        run_blocks(plan_, me, steps, *deep_, clock, [&](int layer, int step) {
          const double sum = strip_->update_layer(layer, step, step == steps - 1, depth_);
          if (layer >= 0 && layer < strip_->layers()) sums[step] += sum;
        });
      } else {
        run_steps(starts(), me, steps, before_, clock, [&](int layer, int step) {
          sums[step] += strip_->update_layer(layer, step, step == steps - 1, 1);
        });
      }
    });
    report_halo(depth_ > 1 ? deep_->seconds() : before_[0]->seconds() + before_[1]->seconds());
    steps_ = steps;
  }

  void collect_strip(Fields fields) override { strip_->collect(steps_, fields); }

  RunFacts facts() const override { return with_ranks(in_place_facts(kernels_, depth_)); }

 private:
  /// As asked for or as the caches have it, but never more than the shortest strip has layers: halo layers come
  /// from the next rank alone. Without a wish also no more than makes one layer in sixteen of a thread's be
  /// done twice. The same on every rank, whatever caches its machine has.
  int choose_depth(const Parameters& p) const {
    const int layers = ranks().fewest_layers();
    const int cached =
        InPlaceLayers<T, L>::cached_depth(p, layers / workers(), smallest_last_level() / workers());
    const int wanted = time_block_.value_or(std::min(cached, std::max(4, layers / workers() / 16)));
    const int possible = std::min(wanted, layers);
    int depth = possible > 1 ? possible / 2 * 2 : 1;
    MPI_Allreduce(MPI_IN_PLACE, &depth, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return depth;
  }

  void prepare_steps() {
    const int layers = strip_->layers();
    northward_.emplace(strip_->crossing(+1));
    southward_.emplace(strip_->crossing(-1));
    const MPI_Datatype north = northward_->type(), south = southward_->type();
    // Borrowed before an even step: what crosses into the strip's end layers from beyond.
    before_[0].emplace(method(), ranks().neighbours(), 0,
                       HaloMessage{strip_->layer(layers - 1), strip_->layer(-1), 1, north},
                       HaloMessage{strip_->layer(0), strip_->layer(layers), 1, south});
    // Returned before an odd step: to where it was borrowed.
    before_[1].emplace(method(), ranks().neighbours(), 1,
                       HaloMessage{strip_->layer(layers), strip_->layer(0), 1, south},
                       HaloMessage{strip_->layer(-1), strip_->layer(layers - 1), 1, north});
  }

  void prepare_blocks() {
    const int layers = strip_->layers();
    layer_.emplace(strip_->whole_layer());
    const MPI_Datatype layer = layer_->type();
    plan_ = DeepHaloPlan(costs(), depth_, workers());
    deep_.emplace(method(), ranks().neighbours(), 0,
                  HaloMessage{strip_->layer(layers - depth_), strip_->layer(-depth_), depth_, layer},
                  HaloMessage{strip_->layer(0), strip_->layer(layers), depth_, layer});
  }

  const RowKernels<T, L>& kernels_;
  std::optional<int> time_block_;
  int depth_ = 1, steps_ = 0;
  std::optional<InPlaceLayers<T, L>> strip_;
  std::optional<OwnedType> northward_, southward_, layer_;
  std::array<std::optional<Exchange>, 2> before_;  ///< even and odd steps, where depth_ is 1
  std::optional<Exchange> deep_;                   ///< where it is more
  DeepHaloPlan plan_;
};

}  // namespace

std::unique_ptr<Solver> make_in_place(const Problem& problem, Precision precision, const std::string& halo,
                                      std::optional<int> threads, std::optional<int> lanes,
                                      std::optional<int> time_block) {
  if (time_block && *time_block > 1 && *time_block % 2 != 0)
    throw bad_input("--time-block: expected 1 or an even number of steps with ranks, found {}", *time_block);
  return make_solver<InPlace>(problem, precision, lanes, halo, threads, time_block);
}

}  // namespace boltzmark::mpi
