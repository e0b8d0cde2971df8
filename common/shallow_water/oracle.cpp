// The method in double precision, statement by statement.
#include <utility>

#include "common/cpu/in_parallel.hpp"
#include "common/shallow_water/cells.hpp"

namespace boltzmark::shallow_water {
namespace {

using Row = std::array<std::vector<double>, 3>;  ///< H, U, V

/// Means of neighbours after half a step, of a row: along axis 0 of each cell and the one below, along axis 1 and the
/// next.
void half_step(const Cells& water, int axis, std::int64_t row, Row& half) {
  const std::int64_t columns = water.columns, count = axis == 0 ? columns : columns - 1;
  const std::int64_t apart = axis == 0 ? columns : 1;
  const double* const h = &water.values[0][water.at(row, 0)];
  const double* const along = &water.values[1 + axis][water.at(row, 0)];
  const double* const across = &water.values[2 - axis][water.at(row, 0)];
  double *const half_h = half[0].data(), *const half_along = half[1 + axis].data(),
                *const half_across = half[2 - axis].data();
  for (std::int64_t a = 0; a < count; ++a) {
    const std::int64_t b = a + apart;
    const auto mean = [](double value_a, double value_b, double flux_a, double flux_b) {
      return (value_a + value_b) / 2.0 - time_step / 2.0 * (flux_b - flux_a);
    };
    const auto pressure = [&](std::int64_t i) { return along[i] * along[i] / h[i] + g / 2.0 * h[i] * h[i]; };
    half_h[a] = mean(h[a], h[b], along[a], along[b]);
    half_along[a] = mean(along[a], along[b], pressure(a), pressure(b));
    half_across[a] = mean(across[a], across[b], along[a] * across[a] / h[a], along[b] * across[b] / h[b]);
  }
}

/// An inner row after a step; its border cells do not change.
void step_row(const Cells& water, std::int64_t row, Cells& next) {
  const std::vector<double> none(static_cast<std::size_t>(water.columns));
  Row above = {none, none, none}, below = above, beside = above;
  half_step(water, 0, row - 1, above);
  half_step(water, 0, row, below);
  half_step(water, 1, row, beside);
  const auto pressure = [](double along, double h) { return along * along / h + g / 2.0 * h * h; };
  const auto crossing = [](double u, double v, double h) { return u * v / h; };
  const auto& [ha, ua, va] = above;
  const auto& [hx, ux, vx] = below;
  const auto& [hy, uy, vy] = beside;
  const std::size_t first = water.at(row, 0);
  for (std::size_t at = 1; at + 1 < none.size(); ++at) {
    const std::size_t left = at - 1, cell = first + at;
    next.values[0][cell] = water.values[0][cell] - time_step * ((ux[at] - ua[at]) + (vy[at] - vy[left]));
    next.values[1][cell] = water.values[1][cell] -
                           time_step * ((pressure(ux[at], hx[at]) - pressure(ua[at], ha[at])) +
                                        (crossing(uy[at], vy[at], hy[at]) - crossing(uy[left], vy[left], hy[left])));
    next.values[2][cell] =
        water.values[2][cell] - time_step * ((crossing(ux[at], vx[at], hx[at]) - crossing(ua[at], va[at], ha[at])) +
                                             (pressure(vy[at], hy[at]) - pressure(vy[left], hy[left])));
  }
}

}  // namespace

void reflect(Cells& water) {
  for (int value = 0; value < 3; ++value) {
    auto& cells = water.values[value];
    for (std::int64_t row = 0; row < water.rows; ++row) {
      const double sign = value == 2 ? -1.0 : 1.0;
      cells[water.at(row, 0)] = sign * cells[water.at(row, 1)];
      cells[water.at(row, water.columns - 1)] = sign * cells[water.at(row, water.columns - 2)];
    }
    for (std::int64_t column = 0; column < water.columns; ++column) {
      const double sign = value == 1 ? -1.0 : 1.0;
      cells[water.at(0, column)] = sign * cells[water.at(1, column)];
      cells[water.at(water.rows - 1, column)] = sign * cells[water.at(water.rows - 2, column)];
    }
  }
}

void advance(Cells& water, std::int64_t steps) {
  for (Cells next = water; steps-- > 0; std::swap(water, next)) {
    reflect(water);
    each_in_parallel(water.rows - 2, [&](std::int64_t row) { step_row(water, row + 1, next); });
  }
}

}  // namespace boltzmark::shallow_water
