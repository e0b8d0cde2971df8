// Shared by the rungs of the ladder from the textbook to `fused` in D2Q9: the problem and its constants. A rung is a
// file with two grids and the time step, and differs from the rung before by one idea.
//
//   swap          rebound and collision work where the cells arrived, then the grids change roles
//   fused-loops   one loop: a cell's populations stay in registers from arrival to collision, which is that of cell.h
//   soa           an array for each population, so that a row's values are neighbours in memory
//   no-branches   ghost columns instead of a wrap, a selection of values instead of a branch
//   simd          several cells at once, in this machine's vectors; the models with threads continue from there
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "common/cpu/memory.hpp"
#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/relaxation.hpp"
#include "common/lbm/solver.hpp"
#include "common/lbm/start_state.hpp"
#include "common/lbm/textbook.hpp"
#include "common/lbm/traffic.hpp"
#include "common/run/workers.hpp"

namespace boltzmark::lbm {

template <class Real>
class LadderSolver : public Solver {
 public:
  explicit LadderSolver(Workers workers = {}) : workers_(std::move(workers)) {}

  /// Throws Error (unavailable) if two grids do not fit in memory.
  void init(const Problem& problem) override {
    require_memory("two grids", 2.0 * D2Q9::directions * sizeof(Real) * static_cast<double>(problem.cells()));
    p_ = problem.parameters;
    constants_.emplace(p_);
    relaxation_ = make_relaxation<Real>(p_);
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    grid_bytes_.emplace(problem, D2Q9::directions * sizeof(Real));
    solid_ = problem.solid_mask();
    pushes_ = wall_pushes<D2Q9>(problem);
    start(start_grid<Real, D2Q9>(problem));
  }

  void collect(State& state) override {
    collect_fields(p_.nx, p_.ny, p_.density, fields_of(state), [this](int i, int x, int y) { return at(i, x, y); });
  }

  RunFacts facts() const override { return workers_.with(cpu_facts<Real, D2Q9>(2)); }

 protected:
  /// Sets the grids: population i of cell x, y is populations[i * nx * ny + x + y * nx].
  virtual void start(const std::vector<Real>& populations) = 0;
  /// Population i of cell x, y after the last step.
  virtual Real at(int i, int x, int y) const = 0;

  std::int64_t index(std::int64_t ii, std::int64_t jj) const { return ii + p_.nx * jj; }

  Workers workers_;
  Parameters p_;
  double fluid_cells_ = 0.0;
  std::optional<GridBytes> grid_bytes_;
  std::optional<textbook::Constants<Real>> constants_;
  Relaxation<Real> relaxation_;
  std::vector<std::uint8_t> solid_;
  std::vector<WallPush> pushes_;
};

/// The grids of the rungs from no-branches on: an array for each population, and a ghost column at either end of a row,
/// which holds the wrapped values. A rung has the loops over rows and over the cells of a row; the functions that they
/// call are inlined, because the rungs are compiled with separate flags.
template <class Real>
class GhostSolver : public LadderSolver<Real> {
 public:
  using LadderSolver<Real>::LadderSolver;

 protected:
  using LadderSolver<Real>::p_, LadderSolver<Real>::relaxation_, LadderSolver<Real>::solid_,
      LadderSolver<Real>::pushes_, LadderSolver<Real>::index;
  using Cell = Populations<Real>;
  static constexpr int directions = D2Q9::directions;
  /// Cells whose speeds are added up in single precision: a sum over a long row would lose two digits.
  static constexpr std::int64_t most_added = 128;

  void start(const std::vector<Real>& populations) override {
    allocate();
    for (std::int64_t jj = 0; jj < p_.ny; ++jj) start_row(populations, jj);
  }

  void allocate() {
    width_ = p_.nx + 2;
    // A few cache lines between the arrays: a power of two apart, they would share the cache's sets.
    stride_ = width_ * p_.ny + 208;
    from_ = std::make_unique_for_overwrite<Real[]>(directions * stride_);
    to_ = std::make_unique_for_overwrite<Real[]>(directions * stride_);
  }
  /// First write to a row of both grids, which places its memory near the calling thread.
  void start_row(const std::vector<Real>& populations, std::int64_t jj) {
    for (int i = 0; i < directions; ++i)
      for (std::int64_t ii = 0; ii < p_.nx; ++ii) {
        from_[place(i, ii, jj)] = populations[i * solid_.size() + index(ii, jj)];
        to_[place(i, ii, jj)] = 0;
      }
  }

  Real at(int i, int x, int y) const override { return from_[place(i, x, y)]; }

  /// Index of population i of cell ii, jj in a grid; columns -1 and nx are ghosts.
  std::int64_t place(int i, std::int64_t ii, std::int64_t jj) const { return i * stride_ + ii + 1 + width_ * jj; }

  void accelerate_flow() {
    const std::int64_t jj = p_.driven_row();
    for (std::int64_t ii = 0; jj >= 0 && ii < p_.nx; ++ii) {
      if (solid_[index(ii, jj)]) continue;
      Cell cell;
      for (int i = 0; i < directions; ++i) cell.f[i] = from_[place(i, ii, jj)];
      cell = accelerate(cell, true, relaxation_);
      for (int i = 0; i < directions; ++i) from_[place(i, ii, jj)] = cell.f[i];
    }
  }

  /// Populations leaving a row at one end arrive at the other.
  KERNEL_FN void fill_ghosts(std::int64_t jj) {
    for (int i = 0; i < directions; ++i) {
      from_[place(i, -1, jj)] = from_[place(i, p_.nx - 1, jj)];
      from_[place(i, p_.nx, jj)] = from_[place(i, 0, jj)];
    }
  }

  /// Sources and destinations of the populations of a row: those of cell ii at [ii].
  struct Row {
    const Real* arriving[directions];
    Real* leaving[directions];
    const std::uint8_t* solid;
  };
  KERNEL_FN Row row_of(std::int64_t jj) {
    const std::int64_t y_n = jj == p_.ny - 1 ? 0 : jj + 1;
    const std::int64_t y_s = jj == 0 ? p_.ny - 1 : jj - 1;
    const std::int64_t rows[] = {jj, jj, y_s, jj, y_n, y_s, y_s, y_n, y_n};
    Row row;
    for (int i = 0; i < directions; ++i) {
      row.arriving[i] = &from_[place(i, -D2Q9::cx[i], rows[i])];
      row.leaving[i] = &to_[place(i, 0, jj)];
    }
    row.solid = &solid_[index(0, jj)];
    return row;
  }

  /// Selects between two values instead of branching for solid cells, so every cell takes the same path. Returns |u|, 0
  /// for a solid cell.
  static KERNEL_FN Real update_cell(const Row& row, std::int64_t ii, const Relaxation<Real>& c) {
    Cell arrived;
#pragma GCC unroll 9
    for (int i = 0; i < directions; ++i) arrived.f[i] = row.arriving[i][ii];
    const Moments<Real> m = moments_of(arrived, c);
    const Cell collided = collide(arrived, m, c), bounced = bounce_back(arrived);
    const bool is_solid = row.solid[ii];
#pragma GCC unroll 9
    for (int i = 0; i < directions; ++i) row.leaving[i][ii] = is_solid ? bounced.f[i] : collided.f[i];
    return is_solid ? Real(0) : speed_of(m, c);
  }

  void finish_step() {
    for (const WallPush& push : pushes_)
      to_[place(push.direction, push.cell % p_.nx, push.cell / p_.nx)] += Real(push.momentum);
    std::swap(from_, to_);
  }

 private:
  std::int64_t width_ = 0, stride_ = 0;  ///< of a row, and of one population's array to the next
  /// Not std::vector, which would set every cell on the first thread.
  std::unique_ptr<Real[]> from_, to_;
};

/// `.make` of a rung, a class template over its element type, made of the options if it takes them.
template <template <class Real> class Class>
std::unique_ptr<Solver> make_rung(const Problem&, const Options& asked) {
  return boltzmark::made_of<Solver, Class>(asked);
}

}  // namespace boltzmark::lbm
