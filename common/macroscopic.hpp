// Density and velocity of a cell from its populations, in double precision, for output.
#pragma once

#include "common/cell.h"
#include "common/lattice.hpp"

namespace boltzmark {

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

}  // namespace boltzmark
