// In place: one grid, updated where it is (common/lbm/cpu/in_place_grid.hpp). Each step is one reduction over its
// layers. No two rows touch the same populations in a step, so that any order of them is right, and each slot of the
// arena has the same layers in every step.
#include <oneapi/tbb/parallel_reduce.h>

#include "common/lbm/cpu/sweeps.hpp"
#include "common/lbm/solver.hpp"
#include "tbb/on_arena.hpp"

namespace boltzmark::onetbb {
using namespace lbm;
namespace {

using Rows = tbb::blocked_range<int>;

template <class T, class L>
class InPlace : public OnArena<OnHost<Solver>> {
 public:
  explicit InPlace(const Options& asked)
      : OnArena<OnHost<Solver>>(asked), kernels_(row_kernels<T, L>(asked.number("vvl"))) {}

  void init(const Problem& problem) override {
    const Parameters& p = problem.parameters;
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    rows_ = p.ny * p.nz;
    grid_.emplace(problem, 0, p.layers(), 0, kernels_);
    arena_.execute([&] {
      tbb::parallel_for(
          Rows(0, p.layers()), [this](const Rows& mine) { grid_->init_layers(mine.begin(), mine.end()); },
          tbb::static_partitioner());
    });
  }

  void run(int steps, std::span<double> av_vels) override {
    const double unit = grid_->speed_unit() / fluid_cells_;
    arena_.execute([&] {
      for (int step = 0; step < steps; ++step)
        av_vels[step] = unit * tbb::parallel_deterministic_reduce(
                                   Rows(0, rows_), 0.0,
                                   [&](const Rows& mine, double sum) {
                                     for (int row = mine.begin(); row != mine.end(); ++row)
                                       sum += grid_->update_row(row, step, step == steps - 1);
                                     return sum;
                                   },
                                   std::plus<>(), tbb::static_partitioner());
    });
    steps_ = steps;
  }

  void collect(State& state) override { grid_->collect(steps_, fields_of(state)); }

  RunFacts facts() const override { return on_machine(in_place_facts(kernels_, 1)); }

 private:
  const RowKernels<T, L>& kernels_;
  int steps_ = 0, rows_ = 0;
  double fluid_cells_ = 0.0;
  std::optional<InPlaceGrid<T, L>> grid_;
};

}  // namespace

extern const lbm::Variant in_place = {.name = "in-place",
                                      .summary = "one grid, updated in place, one reduction over rows per step",
                                      .kinds = {D3Q19::name},
                                      .options = {vector_length_option()},
                                      .make = made_of<InPlace>};

}  // namespace boltzmark::onetbb
