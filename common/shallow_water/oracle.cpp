// The method in double precision, statement by statement.

#include "common/shallow_water/cells.hpp"

namespace boltzmark::shallow_water {
namespace {

/// Means of neighbours after half a step: along axis 0 of a cell and the one below, along axis 1 and the next.
Cells half_step(const Cells& water, int axis) {
  Cells half = water;
  const auto& h = water.values[0];
  const auto &along = water.values[1 + axis], &across = water.values[2 - axis];
  const std::size_t apart = axis == 0 ? static_cast<std::size_t>(water.columns) : 1;
  for (std::size_t a = 0; a + apart < h.size(); ++a) {
    const std::size_t b = a + apart;
    const auto mean = [&](const std::vector<double>& value, double flux_a, double flux_b) {
      return (value[a] + value[b]) / 2.0 - time_step / 2.0 * (flux_b - flux_a);
    };
    const auto pressure = [&](std::size_t i) { return along[i] * along[i] / h[i] + g / 2.0 * h[i] * h[i]; };
    half.values[0][a] = mean(h, along[a], along[b]);
    half.values[1 + axis][a] = mean(along, pressure(a), pressure(b));
    half.values[2 - axis][a] = mean(across, along[a] * across[a] / h[a], along[b] * across[b] / h[b]);
  }
  return half;
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

void advance(Cells& water) {
  reflect(water);
  const Cells below = half_step(water, 0), beside = half_step(water, 1);
  const auto& [hx, ux, vx] = below.values;
  const auto& [hy, uy, vy] = beside.values;
  for (std::int64_t row = 1; row < water.rows - 1; ++row)
    for (std::int64_t column = 1; column < water.columns - 1; ++column) {
      const std::size_t cell = water.at(row, column), above = cell - static_cast<std::size_t>(water.columns);
      const auto pressure = [](double along, double h) { return along * along / h + g / 2.0 * h * h; };
      const auto crossing = [](double u, double v, double h) { return u * v / h; };
      const std::size_t left = cell - 1;
      water.values[0][cell] -= time_step * ((ux[cell] - ux[above]) + (vy[cell] - vy[left]));
      water.values[1][cell] -=
          time_step * ((pressure(ux[cell], hx[cell]) - pressure(ux[above], hx[above])) +
                       (crossing(uy[cell], vy[cell], hy[cell]) - crossing(uy[left], vy[left], hy[left])));
      water.values[2][cell] -=
          time_step * ((crossing(ux[cell], vx[cell], hx[cell]) - crossing(ux[above], vx[above], hx[above])) +
                       (pressure(vy[cell], hy[cell]) - pressure(vy[left], hy[left])));
    }
}

}  // namespace boltzmark::shallow_water
