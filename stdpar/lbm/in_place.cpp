// In place in standard algorithms: one grid, updated where it lies (common/lbm/cpu/in_place_strip.hpp, and
// in_place_planes.hpp in three dimensions). Each step is one transform_reduce over its rows. No two rows touch the same
// populations in a step, so that any order of them and any division over threads is right.
#include <algorithm>
#include <execution>
#include <functional>
#include <numeric>

#include "common/cpu/processors.hpp"
#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/cpu/in_place_planes.hpp"
#include "common/lbm/cpu/in_place_strip.hpp"
#include "stdpar/counting.hpp"
#include "stdpar/lbm/variants.hpp"

namespace boltzmark::stdpar {
using namespace lbm;
namespace {

template <class T>
double update_row(InPlaceStrip<T>& grid, int row, int step, bool last_step) {
  return grid.update_row(row, step, last_step);
}
template <class T>
double update_row(InPlacePlanes<T>& grid, int row, int step, bool last_step) {
  const int soon = std::min(row + grid.rows_ahead(), grid.rows() * grid.planes() - 1);
  return grid.update_rows(row % grid.rows(), 1, row / grid.rows(), step, last_step,
                          {.soon_y = soon % grid.rows(), .soon_z = soon / grid.rows()});
}

template <class T>
void init_layer(InPlaceStrip<T>& grid, int row) {
  grid.init_rows(row, row + 1);
}
template <class T>
void init_layer(InPlacePlanes<T>& grid, int plane) {
  grid.init_planes(plane, plane + 1);
}

template <class T, class L>
class InPlace : public Solver {
 public:
  using Grid = std::conditional_t<L::dimension == 2, InPlaceStrip<T>, InPlacePlanes<T>>;

  explicit InPlace(std::optional<int> lanes) : kernels_(row_kernels<T, L>(lanes)) {}

  void init(const Problem& problem) override {
    const Parameters& p = problem.parameters;
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    rows_ = std::int64_t{p.ny} * p.nz;
    grid_.emplace(problem, 0, p.layers(), 0, kernels_);
    std::for_each(std::execution::par, counting(0), counting(p.layers()),
                  [this](std::int64_t layer) { init_layer(*grid_, static_cast<int>(layer)); });
  }

  void run(int steps, std::span<double> av_vels) override {
    const double unit = grid_->speed_unit() / fluid_cells_;
    for (int step = 0; step < steps; ++step)
      av_vels[step] = unit * std::transform_reduce(std::execution::par, counting(0), counting(rows_), 0.0,
                                                   std::plus<>{}, [this, step, steps](std::int64_t row) {
                                                     return update_row(*grid_, static_cast<int>(row), step,
                                                                       step == steps - 1);
                                                   });
    steps_ = steps;
  }

  void collect(State& state) override { grid_->collect(steps_, fields_of(state)); }

  RunFacts facts() const override {
    RunFacts facts = in_place_facts(kernels_, 1);
    facts.driver = library_name();
    facts.threads = usable_cores();
    return facts;
  }

 private:
  const RowKernels<T, L>& kernels_;
  int steps_ = 0;
  double fluid_cells_ = 0.0;
  std::int64_t rows_ = 0;
  std::optional<Grid> grid_;
};

}  // namespace

std::unique_ptr<Solver> make_in_place(const Problem& problem, Precision precision, std::optional<int> lanes) {
  return make_solver<InPlace>(problem, precision, lanes);
}

}  // namespace boltzmark::stdpar
