// Fused over ranks: strips of rows, in three dimensions of planes, with one halo row or plane at each end, exchanged
// before every step; two grids, structure of arrays (common/lbm/cpu/strip.hpp).
//
//   rank r+1    |  row 0       |  --- directions 4, 7, 8 --->  halo row `rows` of rank r
//   rank r      |  row rows-1  |  --- directions 2, 5, 6 --->  halo row -1 of rank r+1
//               |  ...         |
//               |  row 0       |  --- directions 4, 7, 8 --->  halo row `rows` of rank r-1
//
// Only the three directions that cross a strip's edge are sent, each a stretch of memory; in three dimensions the five
// with c_z = 1, or -1, each a stretch of every row of the plane. With the method
// sendrecv this is the published exchange (Rutterford); exchange.hpp has the methods, step_loop.hpp the order
// of work. Average velocities are summed once, after the last step.
#include "common/lbm/cpu/cpu_facts.hpp"
#include "mpi/lbm/step_loop.hpp"
#include "mpi/lbm/strip_types.hpp"
#include "mpi/lbm/threaded_solver.hpp"
#include "mpi/lbm/variants.hpp"

namespace boltzmark::mpi {
using namespace lbm;
namespace {

template <class T, class L>
class Fused : public ThreadedSolver {
 public:
  using ThreadedSolver::ThreadedSolver;

  void init(const Problem& problem) override {
    const int nx = problem.parameters.nx, lanes = Strip<T, L>::lanes;
    partition(problem, (nx + lanes - 1) / lanes, [lanes](int x) { return x / lanes; });
    strip_.emplace(problem, ranks().first_layer(), ranks().layers(), true);
    on_workers([this](int begin, int end) { strip_->init_layers(begin, end); });
    const int layers = strip_->layers();
    northward_.emplace(crossing_layers(+1, *strip_));
    southward_.emplace(crossing_layers(-1, *strip_));
    for (int parity = 0; parity < 2; ++parity)
      before_[parity].emplace(method(), ranks().neighbours(), parity,
                              HaloMessage{strip_->segment(0, layers - 1, 0, parity),
                                          strip_->segment(0, -1, 0, parity), 1, northward_->type()},
                              HaloMessage{strip_->segment(0, 0, 0, parity),
                                          strip_->segment(0, layers, 0, parity), 1, southward_->type()});
  }

  void run(int steps, std::span<double> av_vels) override {
    strip_->accelerate_start(0, strip_->layers());
    RowClock clock(strip_->layers(), 1, workers());
    run_workers(steps, av_vels, 1.0, [&](int me, double* sums) {
      run_steps(starts(), me, steps, before_, clock, [&](int layer, int step) {
        sums[step] += strip_->update_layers(layer, layer + 1, step, step == steps - 1);
      });
    });
    report_halo(before_[0]->seconds() + before_[1]->seconds());
    steps_ = steps;
  }

  void collect_strip(Fields fields) override { strip_->collect(steps_, fields); }

  RunFacts facts() const override {
    return with_ranks(cpu_facts<T, L>(2, {{"vector_lanes", Strip<T, L>::lanes}}));
  }

 private:
  int steps_ = 0;
  std::optional<Strip<T, L>> strip_;
  std::optional<OwnedType> northward_, southward_;
  std::array<std::optional<Exchange>, 2> before_;  ///< even and odd steps, which read different grids
};

}  // namespace

std::unique_ptr<Solver> make_fused(const Problem& problem, Precision precision, const std::string& halo,
                                   std::optional<int> threads) {
  return make_solver<Fused>(problem, precision, halo, threads);
}

}  // namespace boltzmark::mpi
