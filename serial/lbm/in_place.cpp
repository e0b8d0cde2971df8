// In place and wavefront: one grid that every step updates where it lies (common/lbm/cpu/in_place_strip.hpp).
// Even steps read and write the populations of a cell's neighbours, odd steps those of the cell itself.
//
//   in-place    step 0 of all rows, step 1 of all rows, ...
//   wavefront   step 0 of row y, step 1 of row y-1, step 2 of row y-2, ... then the same for y+1
//               (common/cpu/wavefront.hpp): the rows under way stay in cache for several steps
#include "common/cpu/caches.hpp"
#include "common/cpu/wavefront.hpp"
#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/cpu/in_place_strip.hpp"
#include "serial/lbm/variants.hpp"

namespace boltzmark::serial {
using namespace lbm;
namespace {

template <class T>
class InPlace : public Solver {
 public:
  InPlace(const RowKernels<T>& kernels, std::optional<int> time_block)
      : kernels_(kernels), time_block_(time_block) {}

  void init(const Problem& problem) override {
    const int rows = problem.parameters.ny;
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    strip_.emplace(problem, 0, rows, 0, kernels_);
    strip_->init_rows(0, rows);
    plan_.emplace(rows, 1, time_block_.value_or(default_time_block(strip_->pitch() * sizeof(T))));
  }

  void run(int steps, std::span<double> av_vels) override {
    RowClock clock(plan_->rows(), 0, 1);
    run_wavefront(*plan_, 0, steps, clock,
                  [&](int y, int step) { av_vels[step] += strip_->update_row(y, step, step == steps - 1); });
    for (double& average : av_vels) average *= strip_->speed_unit() / fluid_cells_;
    steps_ = steps;
  }

  void collect(State& state) override { strip_->collect(steps_, fields_of(state)); }

  RunFacts facts() const override { return in_place_facts(kernels_, plan_->depth()); }

 private:
  const RowKernels<T>& kernels_;
  std::optional<int> time_block_;
  int steps_ = 0;
  double fluid_cells_ = 0.0;
  std::optional<InPlaceStrip<T>> strip_;
  std::optional<WavefrontPlan> plan_;
};

}  // namespace

std::unique_ptr<Solver> make_in_place(Precision precision, std::optional<int> lanes,
                                      std::optional<int> time_block) {
  if (precision == Precision::f64)
    return std::make_unique<InPlace<double>>(row_kernels<double>(lanes), time_block);
  return std::make_unique<InPlace<float>>(row_kernels<float>(lanes), time_block);
}

}  // namespace boltzmark::serial
