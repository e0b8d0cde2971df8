// In place and wavefront over ranks: strips of rows of one grid that is updated where it lies
// (common/lbm/cpu/in_place_strip.hpp).
//
// in-place: an even step reads and writes the rows beside a row, so each rank borrows three populations of
// the row beyond either end of its strip, and returns to their places what it wrote there. An odd step needs
// nothing of anyone. exchange.hpp has the methods, step_loop.hpp the order of work.
//
//   rank r+1    row 0         --- 4, 7, 8 --->  even step of rank r's last row  --- 4, 7, 8 --->  back
//   rank r      row rows-1    --- 2, 5, 6 --->  even step of rank r+1's row 0   --- 2, 5, 6 --->  back
//
// wavefront: as many halo rows at either end as steps in one sweep, exchanged whole before the sweep
// (deep_halo.hpp draws it). Strips that are too low for two steps are done like in-place.
#include "common/cpu/wavefront.hpp"
#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/cpu/in_place_strip.hpp"
#include "mpi/lbm/deep_halo.hpp"
#include "mpi/lbm/step_loop.hpp"
#include "mpi/lbm/threaded_solver.hpp"
#include "mpi/lbm/types.hpp"
#include "mpi/lbm/variants.hpp"

namespace boltzmark::mpi {
using namespace lbm;
namespace {

/// The places of a row that a neighbour's cells read and write in an even step, from the row's first value.
std::vector<int> crossing_places(int cy, int vectors, int lanes) {
  std::vector<int> starts;
  for (int vector = 0; vector < vectors; ++vector)
    for (int i = 0; i < Lattice::directions; ++i)
      if (Lattice::cy[i] == cy) starts.push_back((vector * Lattice::directions + i) * lanes);
  return starts;
}

template <class T>
class InPlace : public ThreadedSolver {
 public:
  /// time_block: most steps in one sweep; unset: what suits caches and strips.
  InPlace(const RowKernels<T>& kernels, const std::string& halo, std::optional<int> threads,
          std::optional<int> time_block)
      : ThreadedSolver(halo, threads), kernels_(kernels), time_block_(time_block) {}

  void init(const Problem& problem) override {
    const int nx = problem.parameters.nx, vectors = (nx + kernels_.lanes - 1) / kernels_.lanes;
    partition(problem, vectors, [vectors](int x) { return x % vectors; });
    depth_ = choose_depth(nx);
    const int rows = ranks().rows();
    strip_.emplace(problem, ranks().first_row(), rows, depth_, kernels_);
    on_workers([&, this](int begin, int end) {
      strip_->init_rows(begin == 0 ? -depth_ : begin, end == rows ? rows + depth_ : end);
    });
    if (depth_ > 1)
      prepare_blocks();
    else
      prepare_steps();
  }

  void run(int steps, std::span<double> av_vels) override {
    RowClock clock(strip_->rows(), depth_, workers());
    run_workers(steps, av_vels, strip_->speed_unit(), [&](int me, double* sums) {
      if (depth_ > 1) {
        run_blocks(plan_, me, steps, *deep_, clock, [&](int y, int step) {
          const double sum = strip_->update_row(y, step, step == steps - 1);
          if (y >= 0 && y < strip_->rows()) sums[step] += sum;
        });
      } else {
        run_steps(starts(), me, steps, before_, clock,
                  [&](int y, int step) { sums[step] += strip_->update_row(y, step, step == steps - 1); });
      }
    });
    report_halo(depth_ > 1 ? deep_->seconds() : before_[0]->seconds() + before_[1]->seconds());
    steps_ = steps;
  }

  void collect_strip(Fields fields) override { strip_->collect(steps_, fields); }

  RunFacts facts() const override { return with_ranks(in_place_facts(kernels_, depth_)); }

 private:
  /// As asked for or as the caches have it, but never more than the shortest strip has rows: halo rows come
  /// from the next rank alone. Without a wish also no more than makes one row in sixteen of a thread's be
  /// done twice. The same on every rank, whatever caches its machine has.
  int choose_depth(int nx) const {
    const std::size_t row_bytes = static_cast<std::size_t>(nx) * Lattice::directions * sizeof(T);
    const int rows = ranks().fewest_rows();
    const int wanted =
        time_block_.value_or(std::min(default_time_block(row_bytes), std::max(4, rows / workers() / 16)));
    const int possible = std::min(wanted, rows);
    int depth = possible > 1 ? possible / 2 * 2 : 1;
    MPI_Allreduce(MPI_IN_PLACE, &depth, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return depth;
  }

  void prepare_steps() {
    const int vectors = strip_->vectors(), lanes = strip_->lanes(), rows = strip_->rows();
    northward_.emplace(crossing_places(+1, vectors, lanes), lanes, value_type<T>());
    southward_.emplace(crossing_places(-1, vectors, lanes), lanes, value_type<T>());
    const MPI_Datatype north = northward_->type(), south = southward_->type();
    // Borrowed before an even step: what crosses into the strip's end rows from beyond.
    before_[0].emplace(method(), ranks(), 0, HaloMessage{strip_->row(rows - 1), strip_->row(-1), 1, north},
                       HaloMessage{strip_->row(0), strip_->row(rows), 1, south});
    // Returned before an odd step: to where it was borrowed.
    before_[1].emplace(method(), ranks(), 1, HaloMessage{strip_->row(rows), strip_->row(0), 1, south},
                       HaloMessage{strip_->row(-1), strip_->row(rows - 1), 1, north});
  }

  void prepare_blocks() {
    const int rows = strip_->rows();
    row_.emplace(static_cast<int>(strip_->pitch()), value_type<T>());
    plan_ = DeepHaloPlan(costs(), depth_, workers());
    deep_.emplace(method(), ranks(), 0,
                  HaloMessage{strip_->row(rows - depth_), strip_->row(-depth_), depth_, row_->type()},
                  HaloMessage{strip_->row(0), strip_->row(rows), depth_, row_->type()});
  }

  const RowKernels<T>& kernels_;
  std::optional<int> time_block_;
  int depth_ = 1, steps_ = 0;
  std::optional<InPlaceStrip<T>> strip_;
  std::optional<OwnedType> northward_, southward_, row_;
  std::array<std::optional<Exchange>, 2> before_;  ///< even and odd steps, where depth_ is 1
  std::optional<Exchange> deep_;                   ///< where it is more
  DeepHaloPlan plan_;
};

}  // namespace

std::unique_ptr<Solver> make_in_place(Precision precision, const std::string& halo,
                                      std::optional<int> threads, std::optional<int> lanes,
                                      std::optional<int> time_block) {
  if (time_block && *time_block > 1 && *time_block % 2 != 0)
    throw bad_input("--time-block: expected 1 or an even number of steps with ranks, found {}", *time_block);
  if (precision == Precision::f64)
    return std::make_unique<InPlace<double>>(row_kernels<double>(lanes), halo, threads, time_block);
  return std::make_unique<InPlace<float>>(row_kernels<float>(lanes), halo, threads, time_block);
}

}  // namespace boltzmark::mpi
