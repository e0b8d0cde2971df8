// The numbers of textbook.hpp, which itself is also read by compilers for devices.
#pragma once

#include "common/binary_fluid/lattice.hpp"
#include "common/binary_fluid/textbook.hpp"

namespace boltzmark::binary_fluid::textbook {

template <class T>
Constants<T> constants_of(const Parameters& parameters) {
  const Rates omega(parameters);
  Constants<T> k{};
  for (int p = 0; p < 19; ++p) {
    for (int m = 0; m < 19; ++m) {
      k.modes[m][p] = T(mode_of(m, p));
      k.inverse[p][m] = T(population_of(p, m));
    }
    for (int i = 0; i < 3; ++i) k.c[p][i] = T(direction[p][i]);
    k.w[p] = T(weight(p));
  }
  k.a = T(parameters.a), k.b = T(parameters.b), k.kappa = T(parameters.kappa);
  k.omega_shear = T(omega.shear), k.omega_bulk = T(omega.bulk);
  k.omega_order = T(omega.order), k.omega_ghost = T(omega.ghost);
  return k;
}

}  // namespace boltzmark::binary_fluid::textbook
