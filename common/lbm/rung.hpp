// What the rungs of the ladder have in common, which leads from the textbook to `fused` in D2Q9: the problem and its
// constants. A rung is a file with two grids and the time step; each changes one thing of the one before.
//
//   swap          rebound and collision work where the cells arrived, then the grids change roles
//   fused-loops   one loop: a cell's populations stay in registers from arrival to collision, which is that of cell.h
//   soa           an array for each population, so that a row's values are neighbours in memory
//   no-branches   ghost columns in place of a wrap, a choice of values in place of a branch
//   simd          several cells at once; the models with threads go on from there
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "common/cpu/memory.hpp"
#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/relaxation.hpp"
#include "common/lbm/solver.hpp"
#include "common/lbm/start_state.hpp"
#include "common/lbm/textbook.hpp"

namespace boltzmark::lbm {

template <class Real>
class Rung : public OnHost<Solver> {
 public:
  /// Throws Error (unavailable) where two grids do not fit the memory.
  void init(const Problem& problem) override {
    require_memory("two grids", 2.0 * D2Q9::directions * sizeof(Real) * static_cast<double>(problem.cells()));
    p_ = problem.parameters;
    constants_.emplace(p_);
    relaxation_ = make_relaxation<Real>(p_);
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    solid_ = problem.solid_mask();
    pushes_ = wall_pushes<D2Q9>(problem);
    start(start_grid<Real, D2Q9>(problem));
  }

  void collect(State& state) override {
    collect_fields(p_.nx, p_.ny, p_.density, fields_of(state), [this](int i, int x, int y) { return at(i, x, y); });
  }

  RunFacts facts() const override {
    RunFacts facts = this->on_machine(cpu_facts<Real, D2Q9>(2));
    facts.flops_per_update = textbook::counted_flops<D2Q9>();
    return facts;
  }

 protected:
  /// Sets the grids: population i of cell x, y is populations[i * nx * ny + x + y * nx].
  virtual void start(const std::vector<Real>& populations) = 0;
  /// Population i of cell x, y after the last step.
  virtual Real at(int i, int x, int y) const = 0;

  std::int64_t index(std::int64_t ii, std::int64_t jj) const { return ii + p_.nx * jj; }

  Parameters p_;
  double fluid_cells_ = 0.0;
  std::optional<textbook::Constants<Real>> constants_;
  Relaxation<Real> relaxation_;
  std::vector<std::uint8_t> solid_;
  std::vector<WallPush> pushes_;
};

/// `.make` of a rung, a class template over its element type, made of the options where it takes them.
template <template <class Real> class Class>
std::unique_ptr<Solver> make_rung(const Problem&, const Options& asked) {
  return boltzmark::made_of<Solver, Class>(asked);
}

}  // namespace boltzmark::lbm
