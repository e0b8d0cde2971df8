// Original: the collision as a student of the model writes it, a work-item for every site of an array of structures,
// with loops over 19 populations and three axes. The host has the same in common/binary_fluid/textbook.hpp.
#include "opencl/runtime/kernels/pack.h"

typedef struct Constants {
  SCALAR modes[19][19], inverse[19][19];
  SCALAR c[19][3], w[19];
  SCALAR a, b, kappa, omega_shear, omega_bulk, omega_order, omega_ghost;
} Constants;

typedef struct Site {
  SCALAR f[19], g[19];
} Site;

typedef struct Surroundings {
  SCALAR phi, gradient[3], laplacian, force[3];
} Surroundings;

FN int tensor_mode(int i, int j) { return i == j ? 4 + i : 6 + i + j; } /* xx, yy, zz, xy, xz, yz */

kernel void collide(int sites, global const Site* restrict in, global const Surroundings* restrict beside,
                    global const Constants* restrict k, global Site* restrict out, global SCALAR* restrict velocity,
                    global uint* restrict launches) {
  const int site = get_global_id(0);
  if (site == 0) ++*launches;
  if (site >= sites) return;
  const Surroundings s = beside[site];
  SCALAR mode[19], u[3];
  for (int m = 0; m < 19; ++m) {
    mode[m] = 0;
    for (int p = 0; p < 19; ++p) mode[m] += k->modes[m][p] * in[site].f[p];
  }
  const SCALAR rho = 1 + mode[0], phi = s.phi;
  SCALAR gradient2 = 0;
  for (int i = 0; i < 3; ++i) {
    u[i] = (mode[1 + i] + (SCALAR)0.5 * s.force[i]) / rho;
    velocity[3 * site + i] = u[i];
    gradient2 += s.gradient[i] * s.gradient[i];
  }
  const SCALAR p0 = (SCALAR)0.5 * k->a * phi * phi + (SCALAR)0.75 * k->b * phi * phi * phi * phi -
                    k->kappa * phi * s.laplacian - (SCALAR)0.5 * k->kappa * gradient2;
  SCALAR equilibrium[3][3], trace = 0, equilibrium_trace = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      equilibrium[i][j] = rho * u[i] * u[j] + k->kappa * s.gradient[i] * s.gradient[j] + (i == j ? p0 : (SCALAR)0);
  for (int i = 0; i < 3; ++i) {
    trace += mode[4 + i];
    equilibrium_trace += equilibrium[i][i];
  }
  const SCALAR new_trace = trace - k->omega_bulk * (trace - equilibrium_trace);
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) {
      const SCALAR one = i == j ? 1 : 0;
      const SCALAR shear = mode[tensor_mode(i, j)] - one * trace / 3,
                   equilibrium_shear = equilibrium[i][j] - one * equilibrium_trace / 3;
      mode[tensor_mode(i, j)] = shear - k->omega_shear * (shear - equilibrium_shear) + one * new_trace / 3 +
                                (2 - k->omega_shear) * (u[i] * s.force[j] + s.force[i] * u[j]);
    }
  for (int i = 0; i < 3; ++i) mode[1 + i] += s.force[i];
  for (int m = 10; m < 19; ++m) mode[m] *= 1 - k->omega_ghost;
  for (int p = 0; p < 19; ++p) {
    SCALAR f = 0;
    for (int m = 0; m < 19; ++m) f += k->inverse[p][m] * mode[m];
    out[site].f[p] = f;
  }

  const SCALAR potential = k->a * phi + k->b * phi * phi * phi - k->kappa * s.laplacian;
  SCALAR flux[3] = {0, 0, 0};
  for (int p = 0; p < 19; ++p)
    for (int i = 0; i < 3; ++i) flux[i] += in[site].g[p] * k->c[p][i];
  for (int i = 0; i < 3; ++i) flux[i] -= k->omega_order * (flux[i] - phi * u[i]);
  for (int p = 0; p < 19; ++p) {
    SCALAR along = 0, q_stress = 0;
    for (int i = 0; i < 3; ++i) {
      along += k->c[p][i] * flux[i];
      for (int j = 0; j < 3; ++j) {
        const SCALAR one = i == j ? 1 : 0;
        q_stress += (k->c[p][i] * k->c[p][j] - one / 3) * (phi * u[i] * u[j] + one * potential);
      }
    }
    out[site].g[p] = k->w[p] * (3 * along + (SCALAR)4.5 * q_stress) + (p == 0 ? phi : (SCALAR)0);
  }
}
