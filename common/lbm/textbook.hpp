// One cell as the method is written down, for the textbook variants: an array of structs, and what each phase
// of a step does to a cell. The loops over the cells are in the models' files.
//
// Two things keep single precision right over long runs. Populations are stored shifted, speeds[i] = f_i -
// w_i * density: what changes is far smaller than f_i and keeps its digits. And weights are exact, being
// whole numbers of 36ths: 1/9 as a factor would be rounded, and would add a little mass and momentum in every
// cell and every step, always the same way. Divisions by 12 and by 36 round up as often as down.
#pragma once

#include <cstdint>

#include "common/lbm/counting.hpp"
#include "common/lbm/lattice.hpp"
#include "common/lbm/macroscopic.hpp"
#include "common/lbm/problem.hpp"

namespace boltzmark::lbm::textbook {

template <class Real>
struct Cell {
  Real speeds[Lattice::directions];
};

/// The numbers of a problem that the phases need.
template <class Real>
struct Constants {
  Real density, omega;
  Real accel_axis, accel_diagonal;  ///< what the body force adds to a population
  Real above_axis, above_diagonal;  ///< a population above this stays positive when it is taken away

  explicit Constants(const Parameters& p)
      : density(p.density),
        omega(p.omega),
        accel_axis(p.density * p.accel / 9.0),
        accel_diagonal(p.density * p.accel / 36.0),
        above_axis(p.density * (p.accel - 1.0) / 9.0),
        above_diagonal(p.density * (p.accel - 1.0) / 36.0) {}
};

/// The body force on a fluid cell of the driven row: all or nothing.
template <class Real>
void accelerate(Cell<Real>& cell, const Constants<Real>& c) {
  Real* const f = cell.speeds;
  if (f[3] > c.above_axis && f[6] > c.above_diagonal && f[7] > c.above_diagonal) {
    f[1] += c.accel_axis;
    f[5] += c.accel_diagonal;
    f[8] += c.accel_diagonal;
    f[3] -= c.accel_axis;
    f[6] -= c.accel_diagonal;
    f[7] -= c.accel_diagonal;
  }
}

/// Takes what arrives at cell x of a row: from the columns x_w and x_e beside it, from the rows south and
/// north.
template <class Real>
void propagate(const Cell<Real>* south, const Cell<Real>* row, const Cell<Real>* north, std::int64_t x_w,
               std::int64_t x, std::int64_t x_e, Cell<Real>& arrived) {
  Real* const f = arrived.speeds;
  f[0] = row[x].speeds[0];
  f[1] = row[x_w].speeds[1];
  f[2] = south[x].speeds[2];
  f[3] = row[x_e].speeds[3];
  f[4] = north[x].speeds[4];
  f[5] = south[x_w].speeds[5];
  f[6] = south[x_e].speeds[6];
  f[7] = north[x_e].speeds[7];
  f[8] = north[x_w].speeds[8];
}

/// A solid cell sends everything back.
template <class Real>
void rebound(const Cell<Real>& arrived, Cell<Real>& cell) {
  for (int i = 0; i < Lattice::directions; ++i) cell.speeds[i] = arrived.speeds[Lattice::opposite[i]];
}

/// BGK collision of a fluid cell with the momentum j = density * u:
///   feq_i = w_i * (density + 3 c_i.j + (9/2 (c_i.j)^2 - 3/2 j.j) / density)
/// Here the weights stand in 36ths, and so the momentum in 12ths. Of the density only its shift is left,
/// since feq_i is shifted too.
template <class Real>
void collide(const Cell<Real>& arrived, Cell<Real>& cell, const Constants<Real>& c) {
  const Real* const f = arrived.speeds;
  Real shift = f[0];
  for (int i = 1; i < Lattice::directions; ++i) shift += f[i];
  const Real j_x = (f[1] + f[5] + f[8] - (f[3] + f[6] + f[7])) / Real(12);
  const Real j_y = (f[2] + f[5] + f[6] - (f[4] + f[7] + f[8])) / Real(12);
  const Real j_sq = j_x * j_x + j_y * j_y;
  const Real j[] = {
      Real(0), j_x, j_y, Real(0) - j_x, Real(0) - j_y, j_x + j_y, j_y - j_x, Real(0) - j_x - j_y, j_x - j_y};
  const Real w[] = {Real(16), Real(4), Real(4), Real(4), Real(4), Real(1), Real(1), Real(1), Real(1)};

  const Real six_over_density = Real(6) / (c.density + shift);
  const Real base = shift / Real(36) - six_over_density * j_sq;
  // The population at rest stands apart: c_0.j is 0, and the other eight fill a compiler's vectors evenly.
  cell.speeds[0] = f[0] + c.omega * (w[0] * base - f[0]);
  for (int i = 1; i < Lattice::directions; ++i) {
    const Real d_equ = w[i] * (base + j[i] + Real(3) * six_over_density * (j[i] * j[i]));
    cell.speeds[i] = f[i] + c.omega * (d_equ - f[i]);
  }
}

/// Speed |u| of a cell.
template <class Real>
Real speed(const Cell<Real>& cell, const Constants<Real>& c) {
  const Real* const f = cell.speeds;
  Real local_density = c.density;
  for (int i = 0; i < Lattice::directions; ++i) local_density += f[i];
  const Real j_x = f[1] + f[5] + f[8] - (f[3] + f[6] + f[7]);
  const Real j_y = f[2] + f[5] + f[6] - (f[4] + f[7] + f[8]);
  return square_root(j_x * j_x + j_y * j_y) / local_density;
}

/// Density and velocity of a cell, for output.
template <class Real>
void store_macroscopic(const Cell<Real>& cell, double density0, double& ux, double& uy, double& density) {
  Populations<double> shifted;
  for (int i = 0; i < Lattice::directions; ++i) shifted.f[i] = cell.speeds[i];
  lbm::store_macroscopic(shifted, density0, ux, uy, density);
}

/// FLOPs of a fluid cell: collision, speed, and adding it to the sum.
inline double counted_flops() {
  const Constants<Counted> c(
      {.nx = 1, .ny = 3, .iterations = 1, .reynolds_dim = 1, .density = 0.1, .accel = 0.01, .omega = 1.0});
  Cell<Counted> arrived{}, cell{};
  return count_flops([&] {
    collide(arrived, cell, c);
    Counted tot_u = 0.0;
    tot_u += speed(cell, c);
  });
}

}  // namespace boltzmark::lbm::textbook
