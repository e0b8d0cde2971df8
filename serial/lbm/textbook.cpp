// Textbook: the method as it is written down. Array of structs, one loop per function, two grids; no vectors,
// no fusion. Compiled without -march=native, so that it stays the same baseline on every machine of an
// architecture.
//
//   accelerate   cells      read and write one row
//   propagate    cells      read, scratch   write
//   rebound      scratch    read, cells     write    (solid)
//   collision    scratch    read, cells     write    (fluid)
//   av_velocity  cells      read
#include "common/lbm/textbook.hpp"

#include <optional>
#include <vector>

#include "common/cpu/memory.hpp"
#include "common/lbm/cpu/cpu_facts.hpp"
#include "serial/lbm/variants.hpp"

namespace boltzmark::serial {
using namespace lbm;
namespace {

template <class Real>
class Textbook : public Solver {
 public:
  void init(const Problem& problem) override {
    const std::size_t count = static_cast<std::size_t>(problem.cells());
    require_memory("two grids", 2.0 * sizeof(Cell) * static_cast<double>(count));
    nx_ = problem.parameters.nx;
    ny_ = problem.parameters.ny;
    driven_row_ = problem.parameters.driven_row();
    constants_.emplace(problem.parameters);
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    solid_ = problem.solid_mask();
    cells_.assign(count, Cell{});  // the fluid at rest: nothing to store but the shift
    scratch_.assign(count, Cell{});
  }

  void run(int steps, std::span<double> av_vels) override {
    for (int step = 0; step < steps; ++step) {
      accelerate_flow();
      propagate();
      rebound();
      collision();
      av_vels[step] = av_velocity();
    }
  }

  void collect(State& state) override {
    for (std::size_t cell = 0; cell < cells_.size(); ++cell)
      textbook::store_macroscopic(cells_[cell], constants_->density, state.ux[cell], state.uy[cell],
                                  state.density[cell]);
  }

  RunFacts facts() const override {
    RunFacts facts = cpu_facts<Real>(2);
    facts.flops_per_update = textbook::counted_flops();
    return facts;
  }

 private:
  using Cell = textbook::Cell<Real>;

  void accelerate_flow() {
    const std::int64_t jj = driven_row_;
    for (std::int64_t ii = 0; ii < nx_; ++ii)
      if (!solid_[ii + jj * nx_]) textbook::accelerate(cells_[ii + jj * nx_], *constants_);
  }

  void propagate() {
    for (std::int64_t jj = 0; jj < ny_; ++jj)
      for (std::int64_t ii = 0; ii < nx_; ++ii) {
        const std::int64_t y_n = jj == ny_ - 1 ? 0 : jj + 1;
        const std::int64_t x_e = ii == nx_ - 1 ? 0 : ii + 1;
        const std::int64_t y_s = jj == 0 ? ny_ - 1 : jj - 1;
        const std::int64_t x_w = ii == 0 ? nx_ - 1 : ii - 1;
        textbook::propagate(&cells_[y_s * nx_], &cells_[jj * nx_], &cells_[y_n * nx_], x_w, ii, x_e,
                            scratch_[ii + jj * nx_]);
      }
  }

  void rebound() {
    for (std::size_t cell = 0; cell < cells_.size(); ++cell)
      if (solid_[cell]) textbook::rebound(scratch_[cell], cells_[cell]);
  }

  void collision() {
    for (std::size_t cell = 0; cell < cells_.size(); ++cell)
      if (!solid_[cell]) textbook::collide(scratch_[cell], cells_[cell], *constants_);
  }

  double av_velocity() const {
    double tot_u = 0.0;  // in double, or a million cells would cost two digits
    for (std::size_t cell = 0; cell < cells_.size(); ++cell)
      if (!solid_[cell]) tot_u += textbook::speed(cells_[cell], *constants_);
    return tot_u / fluid_cells_;
  }

  std::int64_t nx_ = 0, ny_ = 0, driven_row_ = 0;
  double fluid_cells_ = 0.0;
  std::optional<textbook::Constants<Real>> constants_;
  std::vector<std::uint8_t> solid_;
  std::vector<Cell> cells_, scratch_;
};

}  // namespace

std::unique_ptr<Solver> make_textbook(Precision precision) {
  if (precision == Precision::f64) return std::make_unique<Textbook<double>>();
  return std::make_unique<Textbook<float>>();
}

}  // namespace boltzmark::serial
