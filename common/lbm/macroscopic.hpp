// Density and velocity of a cell from its populations, in double precision, for output.
#pragma once

#include <cstddef>
#include <span>

#include "common/lbm/cell.h"
#include "common/lbm/lattice.hpp"

namespace boltzmark::lbm {

/// `shifted` are populations stored as f_i - w_i * density0.
inline void store_macroscopic(const Populations<double>& shifted, double density0, double& ux, double& uy,
                              double& density) {
  double mass = density0, jx = 0.0, jy = 0.0;
  for (int i = 0; i < Lattice::directions; ++i) {
    mass += shifted.f[i];
    jx += Lattice::cx[i] * shifted.f[i];
    jy += Lattice::cy[i] * shifted.f[i];
  }
  density = mass;
  ux = jx / mass;
  uy = jy / mass;
}

/// Density and velocity of some rows of cells, row after row.
struct Fields {
  std::span<double> ux, uy, density;
};

/// Fills the fields of `rows` rows of nx cells; population_at(i, x, y) is population i, shifted, of cell x of
/// row y.
template <class PopulationAt>
void collect_fields(int nx, int rows, double density0, Fields fields, PopulationAt&& population_at) {
  std::size_t cell = 0;
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < nx; ++x, ++cell) {
      Populations<double> shifted;
      for (int i = 0; i < Lattice::directions; ++i)
        shifted.f[i] = static_cast<double>(population_at(i, x, y));
      store_macroscopic(shifted, density0, fields.ux[cell], fields.uy[cell], fields.density[cell]);
    }
}

}  // namespace boltzmark::lbm
