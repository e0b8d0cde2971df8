// One cell as the method is usually written, for the textbook variants: an array of structs, and the phases of a step
// for a cell. The loops over the cells are in the models' files.
//
// Two things keep single precision right over long runs. Populations are stored shifted, speeds[i] = f_i - w_i *
// density: the changing part is far smaller than f_i and keeps its digits. And weights are exact, as whole numbers of
// 36ths: a factor of 1/9 would be rounded and would add a little mass and momentum in every cell and every step, always
// with the same sign. Divisions by 12 and by 36 round up as often as down.
#pragma once

#include <cstdint>

#include "common/lbm/cell.h"
#include "common/lbm/counting.hpp"
#include "common/lbm/macroscopic.hpp"
#include "common/lbm/problem.hpp"
#include "common/lbm/start_state.hpp"

namespace boltzmark::lbm::textbook {

template <class Real, class L = D2Q9>
struct Cell {
  Real speeds[L::directions];
};

/// The numbers of a problem that the phases need.
template <class Real, class L = D2Q9>
struct Constants {
  Real density, omega;
  Real accel_axis, accel_diagonal;  ///< added by the body force to a population
  Real above_axis, above_diagonal;  ///< a population above this stays positive after the subtraction

  explicit Constants(const Parameters& p)
      : density(p.density),
        omega(p.omega),
        accel_axis(p.density * p.accel * L::w_axis),
        accel_diagonal(p.density * p.accel * L::w_diagonal),
        above_axis(p.density * (p.accel - 1.0) * L::w_axis),
        above_diagonal(p.density * (p.accel - 1.0) * L::w_diagonal) {}
};

/// The body force on a fluid cell of the driven row: applied completely or not at all.
template <class Real, class L>
void accelerate(Cell<Real, L>& cell, const Constants<Real, L>& c) {
  Real* const f = cell.speeds;
  for (int i = 1; i < L::directions; ++i)
    if (L::cx[i] < 0 && !(f[i] > (i <= L::axes ? c.above_axis : c.above_diagonal))) return;
  for (int i = 1; i < L::directions; ++i) {
    const Real gain = i <= L::axes ? c.accel_axis : c.accel_diagonal;
    if (L::cx[i] > 0) f[i] += gain;
    if (L::cx[i] < 0) f[i] -= gain;
  }
}

/// Gathers the populations arriving at cell x of a row: from its neighbour columns x_w and x_e, and from the rows south
/// and north.
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

/// Offsets of the cells west of a cell, the cell itself and east of it, and likewise for y and z: the sum of three is a
/// neighbour's index.
struct Around {
  std::int64_t x[3], y[3], z[3];

  Around(const Parameters& p, std::int64_t ii, std::int64_t jj, std::int64_t kk) {
    const auto around = [](std::int64_t at, std::int64_t count, std::int64_t stride, std::int64_t* to) {
      to[0] = (at == 0 ? count - 1 : at - 1) * stride;
      to[1] = at * stride;
      to[2] = (at == count - 1 ? 0 : at + 1) * stride;
    };
    around(ii, p.nx, 1, x);
    around(jj, p.ny, p.nx, y);
    around(kk, p.nz, std::int64_t{p.nx} * p.ny, z);
  }
};

/// Gathers the populations arriving at a cell, each from the neighbour opposite to its direction.
template <class Real, class L>
void propagate(const Cell<Real, L>* cells, const Around& around, Cell<Real, L>& arrived) {
  for (int i = 0; i < L::directions; ++i)
    arrived.speeds[i] = cells[around.x[1 - L::cx[i]] + around.y[1 - L::cy[i]] + around.z[1 - L::cz[i]]].speeds[i];
}

/// The same at cell (ii, jj, kk) of a whole grid.
template <class Real, class L>
void propagate(const Cell<Real, L>* cells, const Parameters& p, std::int64_t ii, std::int64_t jj, std::int64_t kk,
               Cell<Real, L>* arrived) {
  if constexpr (L::dimension == 2) {
    const std::int64_t y_n = jj == p.ny - 1 ? 0 : jj + 1;
    const std::int64_t x_e = ii == p.nx - 1 ? 0 : ii + 1;
    const std::int64_t y_s = jj == 0 ? p.ny - 1 : jj - 1;
    const std::int64_t x_w = ii == 0 ? p.nx - 1 : ii - 1;
    propagate(&cells[y_s * p.nx], &cells[jj * p.nx], &cells[y_n * p.nx], x_w, ii, x_e, arrived[ii + jj * p.nx]);
  } else {
    propagate(cells, Around(p, ii, jj, kk), arrived[ii + p.nx * (jj + p.ny * kk)]);
  }
}

/// Cell number `cell` of the grid before the first step.
template <class Real, class L>
Cell<Real, L> start_of(const Parameters& p, std::int64_t cell, bool solid) {
  Cell<Real, L> start{};  // the fluid at rest, which is zero after the shift
  const auto f = start_populations<L>(p, static_cast<int>(cell % p.nx), static_cast<int>(cell / p.nx % p.ny),
                                      static_cast<int>(cell / p.nx / p.ny), solid);
  for (int i = 0; i < L::directions; ++i) start.speeds[i] = Real(f.f[i]);
  return start;
}

/// A solid cell sends all populations back.
template <class Real, class L>
void rebound(const Cell<Real, L>& arrived, Cell<Real, L>& cell) {
  for (int i = 0; i < L::directions; ++i) cell.speeds[i] = arrived.speeds[L::opposite[i]];
}

/// BGK collision of a fluid cell with the momentum j = density * u:
///   feq_i = w_i * (density + 3 c_i.j + (9/2 (c_i.j)^2 - 3/2 j.j) / density)
/// Here the weights are in 36ths, and so the momentum in 12ths. Only the shifted density is needed, since feq_i is
/// shifted too.
template <class Real>
void collide(const Cell<Real>& arrived, Cell<Real>& cell, const Constants<Real>& c) {
  const Real* const f = arrived.speeds;
  Real shift = f[0];
  for (int i = 1; i < D2Q9::directions; ++i) shift += f[i];
  const Real j_x = (f[1] + f[5] + f[8] - (f[3] + f[6] + f[7])) / Real(12);
  const Real j_y = (f[2] + f[5] + f[6] - (f[4] + f[7] + f[8])) / Real(12);
  const Real j_sq = j_x * j_x + j_y * j_y;
  const Real j[] = {Real(0),  j_x, j_y, Real(0) - j_x, Real(0) - j_y, j_x + j_y, j_y - j_x, Real(0) - j_x - j_y,
                    j_x - j_y};
  const Real w[] = {Real(16), Real(4), Real(4), Real(4), Real(4), Real(1), Real(1), Real(1), Real(1)};

  const Real six_over_density = Real(6) / (c.density + shift);
  const Real base = shift / Real(36) - six_over_density * j_sq;
  // The population at rest is separate: c_0.j is 0, and the other eight fill a compiler's vectors evenly.
  cell.speeds[0] = f[0] + c.omega * (w[0] * base - f[0]);
  for (int i = 1; i < D2Q9::directions; ++i) {
    const Real d_equ = w[i] * (base + j[i] + Real(3) * six_over_density * (j[i] * j[i]));
    cell.speeds[i] = f[i] + c.omega * (d_equ - f[i]);
  }
}

/// Speed |u| of a cell.
template <class Real>
Real speed(const Cell<Real>& cell, const Constants<Real>& c) {
  const Real* const f = cell.speeds;
  Real local_density = c.density;
  for (int i = 0; i < D2Q9::directions; ++i) local_density += f[i];
  const Real j_x = f[1] + f[5] + f[8] - (f[3] + f[6] + f[7]);
  const Real j_y = f[2] + f[5] + f[6] - (f[4] + f[7] + f[8]);
  return square_root(j_x * j_x + j_y * j_y) / local_density;
}

/// The momentum of a cell in three dimensions.
template <class Real>
void momentum(const Cell<Real, D3Q19>& cell, Real& j_x, Real& j_y, Real& j_z) {
  const Real* const f = cell.speeds;
  j_x = f[1] + f[7] + f[9] + f[11] + f[13] - (f[2] + f[8] + f[10] + f[12] + f[14]);
  j_y = f[3] + f[7] + f[10] + f[15] + f[17] - (f[4] + f[8] + f[9] + f[16] + f[18]);
  j_z = f[5] + f[11] + f[14] + f[15] + f[18] - (f[6] + f[12] + f[13] + f[16] + f[17]);
}

/// Collision in three dimensions: the same with other weights, 12, 2 and 1 of 36.
template <class Real>
void collide(const Cell<Real, D3Q19>& arrived, Cell<Real, D3Q19>& cell, const Constants<Real, D3Q19>& c) {
  const Real* const f = arrived.speeds;
  Real shift = f[0], j_x, j_y, j_z;
  for (int i = 1; i < D3Q19::directions; ++i) shift += f[i];
  momentum(arrived, j_x, j_y, j_z);
  j_x = j_x / Real(12);
  j_y = j_y / Real(12);
  j_z = j_z / Real(12);
  // For each pair of opposite directions.
  const Real j[] = {j_x, j_y, j_z, j_x + j_y, j_x - j_y, j_x + j_z, j_x - j_z, j_y + j_z, j_y - j_z};

  const Real six_over_density = Real(6) / (c.density + shift);
  const Real base = shift / Real(36) - six_over_density * (j_x * j_x + j_y * j_y + j_z * j_z);
  cell.speeds[0] = f[0] + c.omega * (Real(12) * base - f[0]);
  for (int pair = 0; pair < 9; ++pair) {
    const int forth = 2 * pair + 1, back = forth + 1;
    const Real w = Real(pair < 3 ? 2 : 1), even = base + Real(3) * six_over_density * (j[pair] * j[pair]);
    cell.speeds[forth] = f[forth] + c.omega * (w * (even + j[pair]) - f[forth]);
    cell.speeds[back] = f[back] + c.omega * (w * (even - j[pair]) - f[back]);
  }
}

template <class Real>
Real speed(const Cell<Real, D3Q19>& cell, const Constants<Real, D3Q19>& c) {
  Real local_density = c.density, j_x, j_y, j_z;
  for (int i = 0; i < D3Q19::directions; ++i) local_density += cell.speeds[i];
  momentum(cell, j_x, j_y, j_z);
  return square_root(j_x * j_x + j_y * j_y + j_z * j_z) / local_density;
}

/// Density and velocity of a cell, for output.
template <class Real, class L>
void store_macroscopic(const Cell<Real, L>& cell, double density0, Fields fields, std::size_t at) {
  Populations<double, L> shifted;
  for (int i = 0; i < L::directions; ++i) shifted.f[i] = static_cast<double>(cell.speeds[i]);
  lbm::store_macroscopic(shifted, density0, fields, at);
}

/// FLOPs of a fluid cell: collision, speed, and adding it to the sum.
template <class L = D2Q9>
double counted_flops() {
  const Constants<Counted, L> c(
      {.nx = 1, .ny = 3, .iterations = 1, .reynolds_dim = 1, .density = 0.1, .accel = 0.01, .omega = 1.0});
  Cell<Counted, L> arrived{}, cell{};
  return count_flops([&] {
    collide(arrived, cell, c);
    Counted tot_u = 0.0;
    tot_u += speed(cell, c);
  });
}

}  // namespace boltzmark::lbm::textbook
