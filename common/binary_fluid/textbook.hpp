// A site's collision as usually written, for the variants `original` and the oracle: loops over 19 populations and
// three axes, and products with the matrices.
#pragma once

#include "common/binary_fluid/case.hpp"

namespace boltzmark::binary_fluid::textbook {

template <class T>
struct Constants {
  T modes[19][19], inverse[19][19];
  T c[19][3], w[19];
  T a, b, kappa, omega_shear, omega_bulk, omega_order, omega_ghost;
};

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

/// Inputs of a site's collision other than its populations.
template <class T>
struct Surroundings {
  T phi, gradient[3], laplacian, force[3];
};

/// The components of a symmetric tensor among the modes.
inline constexpr int tensor_mode[3][3] = {{4, 7, 8}, {7, 5, 9}, {8, 9, 6}};

/// Replaces f (shifted by the weights) and g by the populations leaving the site, and sets its velocity `u`.
template <class T>
inline void collide(T* f, T* g, const Surroundings<T>& s, const Constants<T>& k, T* u) {
  T mode[19];
  for (int m = 0; m < 19; ++m) {
    mode[m] = 0;
    for (int p = 0; p < 19; ++p) mode[m] += k.modes[m][p] * f[p];
  }
  const T rho = T(1) + mode[0];
  for (int i = 0; i < 3; ++i) u[i] = (mode[1 + i] + T(0.5) * s.force[i]) / rho;

  T gradient2 = 0;
  for (int i = 0; i < 3; ++i) gradient2 += s.gradient[i] * s.gradient[i];
  const T phi = s.phi, p0 = T(0.5) * k.a * phi * phi + T(0.75) * k.b * phi * phi * phi * phi -
                            k.kappa * phi * s.laplacian - T(0.5) * k.kappa * gradient2;
  T stress[3][3], equilibrium[3][3], trace = 0, equilibrium_trace = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      stress[i][j] = mode[tensor_mode[i][j]];
      equilibrium[i][j] = rho * u[i] * u[j] + k.kappa * s.gradient[i] * s.gradient[j] + (i == j ? p0 : T(0));
    }
  for (int i = 0; i < 3; ++i) {
    trace += stress[i][i];
    equilibrium_trace += equilibrium[i][i];
  }
  const T new_trace = trace - k.omega_bulk * (trace - equilibrium_trace);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const T one = i == j ? T(1) : T(0);
      const T shear = stress[i][j] - one * trace / T(3),
              equilibrium_shear = equilibrium[i][j] - one * equilibrium_trace / T(3);
      mode[tensor_mode[i][j]] = shear - k.omega_shear * (shear - equilibrium_shear) + one * new_trace / T(3) +
                                (T(2) - k.omega_shear) * (u[i] * s.force[j] + s.force[i] * u[j]);
    }
  for (int i = 0; i < 3; ++i) mode[1 + i] += s.force[i];
  for (int m = 10; m < 19; ++m) mode[m] *= T(1) - k.omega_ghost;
  for (int p = 0; p < 19; ++p) {
    f[p] = 0;
    for (int m = 0; m < 19; ++m) f[p] += k.inverse[p][m] * mode[m];
  }

  const T potential = k.a * phi + k.b * phi * phi * phi - k.kappa * s.laplacian;
  T flux[3] = {0, 0, 0};
  for (int p = 0; p < 19; ++p)
    for (int i = 0; i < 3; ++i) flux[i] += g[p] * k.c[p][i];
  for (int i = 0; i < 3; ++i) flux[i] -= k.omega_order * (flux[i] - phi * u[i]);
  for (int p = 0; p < 19; ++p) {
    T along = 0, q_stress = 0;
    for (int i = 0; i < 3; ++i) {
      along += k.c[p][i] * flux[i];
      for (int j = 0; j < 3; ++j) {
        const T one = i == j ? T(1) : T(0);
        q_stress += (k.c[p][i] * k.c[p][j] - one / T(3)) * (phi * u[i] * u[j] + one * potential);
      }
    }
    g[p] = k.w[p] * (T(3) * along + T(4.5) * q_stress) + (p == 0 ? phi : T(0));
  }
}

}  // namespace boltzmark::binary_fluid::textbook
