// Two grids, and a step that is one function of a cell, for models whose library calls a function for each, here or on
// a GPU. A grid gives the address of population i of a cell: grid(cell, i).
//
//     for every cell      read from the grid `from`          pull: the populations moving here, from all directions
//                         write to the grid `to`             collided, or bounced back where solid
#pragma once

#include "common/lbm/each_row.hpp"
#include "common/lbm/macroscopic.hpp"
#include "common/lbm/relaxation.hpp"
#include "common/lbm/start_state.hpp"

namespace boltzmark::lbm {

/// Updates a cell, and returns |u| of a fluid one.
template <class T, class L, class Grid>
struct Pull {
  Relaxation<T, L> constants;
  int nx, ny, rows, driven_row = -1;
  const std::uint8_t* solid = nullptr;
  Grid from = {}, to = {};

  KERNEL_FN T operator()(int row, int x) const {
    return update(row, x, std::make_integer_sequence<int, L::directions>{});
  }
  template <class Number>
  KERNEL_FN T operator()(Number cell) const {
    return (*this)(static_cast<int>(cell / nx), static_cast<int>(cell % nx));
  }
  template <int... I>
  KERNEL_FN T update(int row, int x, std::integer_sequence<int, I...>) const {
    const int y = L::dimension == 2 ? row : row % ny, plane = row - y;
    const std::int64_t cell = std::int64_t{row} * nx + x;
    const int columns[] = {x > 0 ? x - 1 : nx - 1, x, x + 1 < nx ? x + 1 : 0};
    const int lines[] = {y > 0 ? y - 1 : ny - 1, y, y + 1 < ny ? y + 1 : 0};
    const int planes[] = {plane > 0 ? plane - ny : rows - ny, plane, plane + ny < rows ? plane + ny : 0};
    const bool is_solid = solid[cell] != 0;  // loaded before the arithmetic, like the populations
    const Populations<T, L> arrived = {
        {from(std::int64_t{planes[1 - Direction<L, I>::z] + lines[1 - Direction<L, I>::y]} * nx +
                  columns[1 - Direction<L, I>::x],
              I)...}};
    T speed = 0;
    const Populations<T, L> leaving =
        update_cell(arrived, moments_of(arrived, constants), is_solid, is_solid, y == driven_row, constants, &speed);
    ((to(cell, I) = leaving.f[I]), ...);
    return speed * constants.speed_unit;
  }
};

/// The start state of a run, set on all processors, with the body force of the first step; that of each later step is
/// applied at the end of the step before.
template <class T, class L, class Grid>
void start_pulling(const Problem& problem, const std::vector<std::uint8_t>& solid, const Relaxation<T, L>& constants,
                   const Grid& grid) {
  const Parameters& p = problem.parameters;
  each_row(p.nx, p.ny * p.nz, [&](int row) {
    for (int x = 0; x < p.nx; ++x) {
      const std::int64_t cell = std::int64_t{row} * p.nx + x;
      const int y = row % p.ny;
      const auto start = start_of(p, x, y, row / p.ny, solid[cell] != 0, y == p.driven_row(), constants);
      for (int i = 0; i < L::directions; ++i) grid(cell, i) = start.f[i];
    }
  });
}

}  // namespace boltzmark::lbm
