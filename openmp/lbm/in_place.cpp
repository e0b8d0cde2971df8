// In place and wavefront over threads: one grid, updated where it lies (common/lbm/cpu/in_place_strip.hpp),
// whose rows are divided over the threads in blocks.
//
//   thread 1   rows b .. c-1    step 0 of row b, b+1, ...; step 1 one row behind, step 2 two rows behind, ...
//   thread 0   rows a .. b-1    the same
//
// The last rows of a thread's later steps lie beside rows that the next thread did first, so it never waits
// for long (common/cpu/wavefront.hpp). No barrier: a row only waits for the rows beside it. Each thread sets
// the start state of its own rows, so that on a machine of several NUMA nodes they lie in its memory. With a
// depth of one step this is the in-place variant.
#include <fmt/core.h>

#include "common/cpu/wavefront.hpp"
#include "common/cpu/worker_sums.hpp"
#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/cpu/in_place_strip.hpp"
#include "openmp/lbm/variants.hpp"
#include "openmp/thread_team.hpp"

namespace boltzmark::openmp {
using namespace lbm;
namespace {

template <class T>
class InPlace : public Solver {
 public:
  InPlace(const RowKernels<T>& kernels, std::optional<int> threads, std::optional<int> time_block)
      : kernels_(kernels), team_(threads), time_block_(time_block) {}

  void init(const Problem& problem) override {
    const int rows = problem.parameters.ny;
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    strip_.emplace(problem, 0, rows, 0, kernels_);
    plan_.emplace(rows, team_.size(), time_block_.value_or(default_time_block(strip_->pitch() * sizeof(T))));
    team_.run([this](int me) {
      if (me < plan_->workers()) strip_->init_rows(plan_->begin(me), plan_->begin(me + 1));
    });
  }

  void run(int steps, std::span<double> av_vels) override {
    const int workers = plan_->workers();  // a thread without rows has nothing to do
    RowClock clock(plan_->rows(), 0, workers);
    WorkerSums sums(workers);
    team_.run([&](int me) {
      if (me >= workers) return;
      double* const mine = sums.start(me, steps);
      run_wavefront(*plan_, me, steps, clock,
                    [&](int y, int step) { mine[step] += strip_->update_row(y, step, step == steps - 1); });
    });
    sums.add_up(strip_->speed_unit() / fluid_cells_, av_vels);
    steps_ = steps;
  }

  void collect(State& state) override { strip_->collect(steps_, fields_of(state)); }

  RunFacts facts() const override {
    RunFacts facts = in_place_facts(kernels_, plan_->depth());
    facts.driver = fmt::format("OpenMP {}", _OPENMP);
    facts.threads = team_.size();
    return facts;
  }

 private:
  const RowKernels<T>& kernels_;
  ThreadTeam team_;
  std::optional<int> time_block_;
  int steps_ = 0;
  double fluid_cells_ = 0.0;
  std::optional<InPlaceStrip<T>> strip_;
  std::optional<WavefrontPlan> plan_;
};

}  // namespace

std::unique_ptr<Solver> make_in_place(Precision precision, std::optional<int> threads,
                                      std::optional<int> lanes, std::optional<int> time_block) {
  if (precision == Precision::f64)
    return std::make_unique<InPlace<double>>(row_kernels<double>(lanes), threads, time_block);
  return std::make_unique<InPlace<float>>(row_kernels<float>(lanes), threads, time_block);
}

}  // namespace boltzmark::openmp
