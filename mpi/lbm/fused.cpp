// Fused over ranks: strips of rows with one halo row at each end, exchanged before every step; two grids,
// structure of arrays (common/lbm/cpu/strip.hpp).
//
//   rank r+1    |  row 0       |  --- directions 4, 7, 8 --->  halo row `rows` of rank r
//   rank r      |  row rows-1  |  --- directions 2, 5, 6 --->  halo row -1 of rank r+1
//               |  ...         |
//               |  row 0       |  --- directions 4, 7, 8 --->  halo row `rows` of rank r-1
//
// Only the three directions that cross a strip's edge are sent, each a stretch of memory. With the method
// sendrecv this is the published exchange (Rutterford); exchange.hpp has the methods, step_loop.hpp the order
// of work. Average velocities are summed once, after the last step.
#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/cpu/strip.hpp"
#include "mpi/lbm/step_loop.hpp"
#include "mpi/lbm/threaded_solver.hpp"
#include "mpi/lbm/types.hpp"
#include "mpi/lbm/variants.hpp"

namespace boltzmark::mpi {
using namespace lbm;
namespace {

/// The segments of a row that cross to the row above (cy = 1) or below (cy = -1), with their ghost columns,
/// from direction 0 of x = 0.
std::vector<int> crossing_segments(int cy, int pitch) {
  std::vector<int> starts;
  for (int i = 0; i < Lattice::directions; ++i)
    if (Lattice::cy[i] == cy) starts.push_back(i * pitch - 1);
  return starts;
}

template <class T>
class Fused : public ThreadedSolver {
 public:
  using ThreadedSolver::ThreadedSolver;

  void init(const Problem& problem) override {
    const int nx = problem.parameters.nx, lanes = Strip<T>::lanes;
    partition(problem, (nx + lanes - 1) / lanes, [lanes](int x) { return x / lanes; });
    strip_.emplace(problem, ranks().first_row(), ranks().rows(), true);
    on_workers([this](int begin, int end) { strip_->init_layers(begin, end); });
    const int pitch = strip_->pitch(), rows = strip_->layers();
    northward_.emplace(crossing_segments(+1, pitch), nx + 2, value_type<T>());
    southward_.emplace(crossing_segments(-1, pitch), nx + 2, value_type<T>());
    for (int parity = 0; parity < 2; ++parity)
      before_[parity].emplace(method(), ranks(), parity,
                              HaloMessage{strip_->segment(0, rows - 1, 0, parity),
                                          strip_->segment(0, -1, 0, parity), 1, northward_->type()},
                              HaloMessage{strip_->segment(0, 0, 0, parity),
                                          strip_->segment(0, rows, 0, parity), 1, southward_->type()});
  }

  void run(int steps, std::span<double> av_vels) override {
    strip_->accelerate_start(0, strip_->layers());
    RowClock clock(strip_->layers(), 1, workers());
    run_workers(steps, av_vels, 1.0, [&](int me, double* sums) {
      run_steps(starts(), me, steps, before_, clock, [&](int y, int step) {
        sums[step] += strip_->update_layers(y, y + 1, step, step == steps - 1);
      });
    });
    report_halo(before_[0]->seconds() + before_[1]->seconds());
    steps_ = steps;
  }

  void collect_strip(Fields fields) override { strip_->collect(steps_, fields); }

  RunFacts facts() const override { return with_ranks(cpu_facts<T>(2, {{"vector_lanes", Strip<T>::lanes}})); }

 private:
  int steps_ = 0;
  std::optional<Strip<T>> strip_;
  std::optional<OwnedType> northward_, southward_;
  std::array<std::optional<Exchange>, 2> before_;  ///< even and odd steps, which read different grids
};

}  // namespace

std::unique_ptr<Solver> make_fused(Precision precision, const std::string& halo, std::optional<int> threads) {
  if (precision == Precision::f64) return std::make_unique<Fused<double>>(halo, threads);
  return std::make_unique<Fused<float>>(halo, threads);
}

}  // namespace boltzmark::mpi
