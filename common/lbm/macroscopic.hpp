// Density and velocity of a cell from its populations, in double precision, for output.
#pragma once

#include <cstddef>
#include <span>

#include "common/lbm/cell.h"
#include "common/lbm/each_row.hpp"

namespace boltzmark::lbm {

/// Density and velocity of some layers of cells (rows, or planes in three dimensions), one after the other.
struct Fields {
  std::span<double> ux, uy, density;
  std::span<double> uz = {};  ///< empty in two dimensions
};

/// Fills in cell number `cell`. `shifted` are populations stored as f_i - w_i * density0.
template <class L>
void store_macroscopic(const Populations<double, L>& shifted, double density0, Fields fields, std::size_t cell) {
  double mass = density0, jx = 0.0, jy = 0.0, jz = 0.0;
  for (int i = 0; i < L::directions; ++i) {
    mass += shifted.f[i];
    jx += L::cx[i] * shifted.f[i];
    jy += L::cy[i] * shifted.f[i];
    jz += L::cz[i] * shifted.f[i];
  }
  fields.density[cell] = mass;
  fields.ux[cell] = jx / mass;
  fields.uy[cell] = jy / mass;
  if constexpr (L::dimension == 3) fields.uz[cell] = jz / mass;
}

/// Fills the fields of `rows` rows of nx cells; population_at(i, x, y), called on any thread, is population i, shifted,
/// of cell x of row y, counted through all planes.
template <class L = D2Q9, class PopulationAt>
void collect_fields(int nx, int rows, double density0, const Fields& fields, PopulationAt&& population_at) {
  each_row(nx, rows, [&](int y) {
    for (int x = 0; x < nx; ++x) {
      Populations<double, L> shifted;
      for (int i = 0; i < L::directions; ++i) shifted.f[i] = static_cast<double>(population_at(i, x, y));
      store_macroscopic(shifted, density0, fields, static_cast<std::size_t>(y) * static_cast<std::size_t>(nx) + x);
    }
  });
}

}  // namespace boltzmark::lbm
