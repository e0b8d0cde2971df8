// Textbook: the method as it is written down. Array of structs, one loop per function, two grids; no vectors,
// no fusion. Compiled without -march=native, so that it stays the same baseline on every machine of an
// architecture.
//
//   accelerate   cells      read and write one row, in three dimensions that of every plane
//   propagate    cells      read, scratch   write
//   rebound      scratch    read, cells     write    (solid)
//   collision    scratch    read, cells     write    (fluid)
//   av_velocity  cells      read
#include "common/lbm/textbook.hpp"

#include <optional>
#include <vector>

#include "common/cpu/memory.hpp"
#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/solver.hpp"

namespace boltzmark::serial {
using namespace lbm;
namespace {

template <class Real, class L>
class Textbook : public OnHost<Solver> {
 public:
  void init(const Problem& problem) override {
    const std::size_t count = static_cast<std::size_t>(problem.cells());
    require_memory("two grids", 2.0 * sizeof(Cell) * static_cast<double>(count));
    p_ = problem.parameters;
    constants_.emplace(p_);
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    solid_ = problem.solid_mask();
    pushes_ = wall_pushes<L>(problem);
    cells_.resize(count);
    scratch_.resize(count);
    for (std::size_t cell = 0; cell < count; ++cell)
      cells_[cell] = textbook::start_of<Real, L>(p_, static_cast<std::int64_t>(cell), solid_[cell]);
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
      textbook::store_macroscopic(cells_[cell], constants_->density, fields_of(state), cell);
  }

  RunFacts facts() const override { return on_machine(cpu_facts<Real, L>(2, {}, textbook::counted_flops<L>())); }

 private:
  using Cell = textbook::Cell<Real, L>;

  std::int64_t index(std::int64_t ii, std::int64_t jj, std::int64_t kk) const { return ii + p_.nx * (jj + p_.ny * kk); }

  void accelerate_flow() {
    const std::int64_t jj = p_.driven_row();
    if (jj < 0) return;
    for (std::int64_t kk = 0; kk < p_.nz; ++kk)
      for (std::int64_t ii = 0; ii < p_.nx; ++ii)
        if (!solid_[index(ii, jj, kk)]) textbook::accelerate(cells_[index(ii, jj, kk)], *constants_);
  }

  void propagate() {
    for (std::int64_t kk = 0; kk < p_.nz; ++kk)
      for (std::int64_t jj = 0; jj < p_.ny; ++jj)
        for (std::int64_t ii = 0; ii < p_.nx; ++ii) textbook::propagate(cells_.data(), p_, ii, jj, kk, scratch_.data());
  }

  void rebound() {
    for (std::size_t cell = 0; cell < cells_.size(); ++cell)
      if (solid_[cell]) textbook::rebound(scratch_[cell], cells_[cell]);
    for (const WallPush& push : pushes_) cells_[push.cell].speeds[push.direction] += Real(push.momentum);
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

  Parameters p_;
  double fluid_cells_ = 0.0;
  std::optional<textbook::Constants<Real, L>> constants_;
  std::vector<std::uint8_t> solid_;
  std::vector<WallPush> pushes_;
  std::vector<Cell> cells_, scratch_;
};

}  // namespace

extern const lbm::Variant textbook =
    textbook_of<Textbook>("array of structs, one loop per function: the baseline of every speed-up");

}  // namespace boltzmark::serial
