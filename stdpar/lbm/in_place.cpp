// In place in standard algorithms: one grid, updated in place (common/lbm/cpu/in_place_grid.hpp). Each step is one
// transform_reduce over its rows. No two rows touch the same populations in a step, so any order and any division among
// threads is correct.
#include <algorithm>
#include <execution>
#include <functional>
#include <numeric>

#include "common/lbm/cpu/sweeps.hpp"
#include "common/lbm/solver.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {
using namespace lbm;
namespace {

template <class T, class L>
class InPlace final : public Solver {
 public:
  InPlace(Workers workers, const Options& asked)
      : workers_(std::move(workers)), kernels_(row_kernels<T, L>(asked.number("vvl"))) {}

  void init(const Problem& problem) override {
    const Parameters& p = problem.parameters;
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    rows_ = std::int64_t{p.ny} * p.nz;
    grid_.emplace(problem, 0, p.layers(), 0, kernels_);
    std::for_each(std::execution::par, counting(0), counting(p.layers()), [this](std::int64_t at) {
      const int layer = static_cast<int>(at);
      grid_->init_layers(layer, layer + 1);
    });
  }

  void run(int steps, std::span<double> av_vels) override {
    const double unit = grid_->speed_unit() / fluid_cells_;
    for (int step = 0; step < steps; ++step)
      av_vels[step] =
          unit * std::transform_reduce(std::execution::par, counting(0), counting(rows_), 0.0, std::plus<>{},
                                       [this, step, steps](std::int64_t row) {
                                         return grid_->update_row(static_cast<int>(row), step, step == steps - 1);
                                       });
    steps_ = steps;
  }

  void collect(State& state) override { grid_->collect(steps_, fields_of(state)); }

  RunFacts facts() const override { return workers_.with(in_place_facts(kernels_, 1)); }

 private:
  Workers workers_;
  const RowKernels<T, L>& kernels_;
  int steps_ = 0;
  double fluid_cells_ = 0.0;
  std::int64_t rows_ = 0;
  std::optional<InPlaceGrid<T, L>> grid_;
};

}  // namespace

extern const lbm::Variant in_place = in_place_of("one grid, updated in place, one transform_reduce over rows per step",
                                                 stored_by<InPlace>(start_workers));

}  // namespace boltzmark::stdpar
