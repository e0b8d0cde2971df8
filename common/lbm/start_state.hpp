// The start state of a run, and the push of moving walls: computed in double precision, for every model.
//
//   at rest         u = 0, the initial density
//   Taylor-Green    u = U (-cos ax sin by, a/b sin ax cos by, 0), a = 2 pi / nx, b = 2 pi / ny, and the density
//                   that belongs to its pressure
//   shear wave      u = U sin(k.x), U at right angles to k, k = 2 pi (KX/nx, KY/ny, KZ/nz)
//
// Without walls both decay as exp(-2 nu k^2 t) and exp(-nu k^2 t), nu the viscosity.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "common/lbm/cell.h"
#include "common/lbm/problem.hpp"

namespace boltzmark::lbm {

/// Velocity of the start state in cell (x, y, z), and the deviation of its density from the initial one, as a
/// fraction.
struct StartCell {
  double ux = 0.0, uy = 0.0, uz = 0.0, density_shift = 0.0;
};
inline StartCell start_cell(const Parameters& p, int x, int y, int z) {
  const double a = 2.0 * std::numbers::pi / p.nx, b = 2.0 * std::numbers::pi / p.ny;
  const auto& [u, v, w] = p.start.velocity;
  StartCell cell;
  if (p.start.kind == Start::Kind::taylor_green) {
    cell.ux = -u * std::cos(a * x) * std::sin(b * y);
    cell.uy = u * a / b * std::sin(a * x) * std::cos(b * y);
    cell.density_shift = -0.75 * u * u * (std::cos(2.0 * a * x) + a * a / (b * b) * std::cos(2.0 * b * y));
  } else if (p.start.kind == Start::Kind::shear_wave) {
    const double phase =
        a * p.start.waves[0] * x + b * p.start.waves[1] * y + 2.0 * std::numbers::pi / p.nz * p.start.waves[2] * z;
    cell.ux = u * std::sin(phase);
    cell.uy = v * std::sin(phase);
    cell.uz = w * std::sin(phase);
  }
  return cell;
}

/// Whether the initial populations, which are shifted, are all zero.
inline bool starts_at_rest(const Parameters& p) { return p.start.kind == Start::Kind::at_rest; }

/// Populations of cell (x, y, z) before the first step, shifted: at equilibrium, before any body force. In
/// solid cells the fluid is at rest.
template <class L>
Populations<double, L> start_populations(const Parameters& p, int x, int y, int z, bool solid) {
  Populations<double, L> a{};
  if (solid || starts_at_rest(p)) return a;
  const StartCell s = start_cell(p, x, y, z);
  const double square = s.ux * s.ux + s.uy * s.uy + s.uz * s.uz;
  for (int i = 0; i < L::directions; ++i) {
    const double cu = L::cx[i] * s.ux + L::cy[i] * s.uy + L::cz[i] * s.uz;
    a.f[i] = L::weight[i] * p.density *
             (s.density_shift + (1.0 + s.density_shift) * (3.0 * cu + 4.5 * cu * cu - 1.5 * square));
  }
  return a;
}

/// The same rounded to T, with the body force of the first step if the cell is `driven`.
template <class T, class L>
Populations<T, L> start_of(const Parameters& p, int x, int y, int z, bool solid, bool driven,
                           const Relaxation<T, L>& relaxation) {
  const auto start = start_populations<L>(p, x, y, z, solid);
  Populations<T, L> a;
  for (int i = 0; i < L::directions; ++i) a.f[i] = static_cast<T>(start.f[i]);
  return driven ? accelerate(a, !solid, relaxation) : a;
}

/// The start state of the whole grid, population i of cell number `cell` at i * cells + cell.
template <class T, class L>
std::vector<T> start_grid(const Problem& problem) {
  const Parameters& p = problem.parameters;
  const std::int64_t cells = problem.cells();
  std::vector<T> grid(static_cast<std::size_t>(cells) * L::directions);
  if (starts_at_rest(p)) return grid;
  const auto solid = problem.solid_mask();
  for (std::int64_t cell = 0; cell < cells; ++cell) {
    const auto x = static_cast<int>(cell % p.nx), y = static_cast<int>(cell / p.nx % p.ny);
    const auto start = start_populations<L>(p, x, y, static_cast<int>(cell / p.nx / p.ny), solid[cell]);
    for (int i = 0; i < L::directions; ++i) grid[i * cells + cell] = static_cast<T>(start.f[i]);
  }
  return grid;
}

/// Added by a moving wall, in every step, to one population that leaves one of its cells towards the fluid: 6 w_i
/// density c_i.U in direction i.
struct WallPush {
  std::int64_t cell;  ///< solid
  int direction;
  double momentum;
};

/// Calls use(push, x) for those of cells begin .. begin + count - 1, x counted from `begin`.
template <class Use>
void each_push(const std::vector<WallPush>& pushes, std::int64_t begin, int count, Use&& use) {
  auto push = std::lower_bound(pushes.begin(), pushes.end(), begin,
                               [](const WallPush& one, std::int64_t cell) { return one.cell < cell; });
  for (; push != pushes.end() && push->cell < begin + count; ++push) use(*push, static_cast<int>(push->cell - begin));
}

/// Pushes of all moving cells, ascending. Populations towards other solid cells are left out: between two walls they
/// would grow with every rebound, and they never reach the fluid.
template <class L>
std::vector<WallPush> wall_pushes(const Problem& problem) {
  const Parameters& p = problem.parameters;
  std::vector<WallPush> pushes;
  for (const auto& wall : problem.moving) {
    const std::int64_t x = wall.cell % p.nx, y = wall.cell / p.nx % p.ny, z = wall.cell / p.nx / p.ny;
    for (int i = 1; i < L::directions; ++i) {
      const std::int64_t to_x = (x + L::cx[i] + p.nx) % p.nx, to_y = (y + L::cy[i] + p.ny) % p.ny,
                         to_z = (z + L::cz[i] + p.nz) % p.nz;
      if (L::cx[i] != 0 && !problem.is_solid(to_x + p.nx * (to_y + p.ny * to_z)))
        pushes.push_back({wall.cell, i, 6.0 * L::weight[i] * p.density * L::cx[i] * wall.ux});
    }
  }
  return pushes;
}

}  // namespace boltzmark::lbm
