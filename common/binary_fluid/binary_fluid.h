// The rest of a time step of the binary fluid, written once for every target: order parameter, its gradients,
// propagation, and all of these together with the collision in one kernel.
#ifndef BOLTZMARK_COMMON_BINARY_FLUID_BINARY_FLUID_H
#define BOLTZMARK_COMMON_BINARY_FLUID_BINARY_FLUID_H

#include "common/binary_fluid/collision.h"

#ifdef REAL_IS_GENERIC
namespace boltzmark::binary_fluid {
#endif

/// Sources of populations: one site away if `pull` is 1; 0 if they have been propagated already.
TARGET Steps steps_of(Sites sites, int pull) {
  const Steps s = {pull, sites.row_pitch * pull, sites.layer_pitch * pull};
  return s;
}

/// phi, the sum of g.
TARGET_ENTRY order_parameter(TARGET_SITES, FIELD f, FIELD phi, int pull) {
  const Steps s = TARGET_CALL(steps_of)(sites, pull);
  TARGET_TLP(sites, chunk) { SET(phi, 0, chunk, TARGET_CALL(order_of)(f, chunk, s)); }
}

/// Gradient and laplacian of phi from the sites round it.
TARGET TARGET_STRUCT(Triple) gradient_at(FIELD phi, Chunk chunk, Steps s, int points, REAL* laplacian) {
  const REAL centre = AT(phi, 0, chunk);
  TARGET_STRUCT(Triple) d;
  if (points == 7) {
    const REAL west = NEAR(phi, 0, chunk, -s.x), east = NEAR(phi, 0, chunk, s.x);
    const REAL south = NEAR(phi, 0, chunk, -s.y), north = NEAR(phi, 0, chunk, s.y);
    const REAL below = NEAR(phi, 0, chunk, -s.z), above = NEAR(phi, 0, chunk, s.z);
    d.x = (east - west) * (SCALAR)0.5;
    d.y = (north - south) * (SCALAR)0.5;
    d.z = (above - below) * (SCALAR)0.5;
    *laplacian = multiply_add(centre, (SCALAR)-6, (west + east) + (south + north) + (below + above));
    return d;
  }
  d.x = d.y = d.z = TARGET_BROADCAST((SCALAR)0);
  REAL sum = d.x;
  TARGET_UNROLL for (int z = -1; z <= 1; ++z) {
    TARGET_UNROLL for (int y = -1; y <= 1; ++y) {
      const int row = y * s.y + z * s.z;
      const REAL west = NEAR(phi, 0, chunk, row - s.x), east = NEAR(phi, 0, chunk, row + s.x);
      const REAL all = west + east + NEAR(phi, 0, chunk, row);
      d.x = d.x + (east - west);
      if (y != 0) d.y = y > 0 ? d.y + all : d.y - all;
      if (z != 0) d.z = z > 0 ? d.z + all : d.z - all;
      sum = sum + all;
    }
  }
  d.x = d.x * (SCALAR)(1.0 / 18.0);
  d.y = d.y * (SCALAR)(1.0 / 18.0);
  d.z = d.z * (SCALAR)(1.0 / 18.0);
  *laplacian = multiply_add(centre, (SCALAR)-27, sum) * (SCALAR)(1.0 / 9.0);
  return d;
}

TARGET_ENTRY gradients(TARGET_SITES, FIELD phi, FIELD gradient, int points) {
  const Steps s = TARGET_CALL(steps_of)(sites, 1);
  TARGET_TLP(sites, chunk) {
    REAL laplacian;
    const TARGET_STRUCT(Triple) d = TARGET_CALL(gradient_at)(phi, chunk, s, points, &laplacian);
    SET(gradient, 0, chunk, d.x);
    SET(gradient, 1, chunk, d.y);
    SET(gradient, 2, chunk, d.z);
    SET(gradient, 3, chunk, laplacian);
  }
}

/// Every population moves to the next site in its direction.
TARGET_ENTRY propagate(TARGET_SITES, FIELD f, FIELD out) {
  const Steps s = TARGET_CALL(steps_of)(sites, 1);
  TARGET_TLP(sites, chunk) {
    TARGET_UNROLL for (int p = 0; p < 19; ++p) {
      const int offset = direction_x[p] * s.x + direction_y[p] * s.y + direction_z[p] * s.z;
      SET_PAST(out, 2 * p, chunk, NEAR(f, 2 * p, chunk, -offset));
      SET_PAST(out, 2 * p + 1, chunk, NEAR(f, 2 * p + 1, chunk, -offset));
    }
  }
}

/// A whole step except phi: propagation, gradients and collision in one kernel, without force.
TARGET_ENTRY fused_step(TARGET_SITES, FIELD f, FIELD phi, FIELD out, PHYSICS c) {
  const Steps s = TARGET_CALL(steps_of)(sites, 1);
  TARGET_TLP(sites, chunk) {
    const REAL zero = TARGET_BROADCAST((SCALAR)0);
    TARGET_STRUCT(Surroundings) a;
    a.phi = AT(phi, 0, chunk);
    a.gradient = TARGET_CALL(gradient_at)(phi, chunk, s, c.points, &a.laplacian);
    a.force.x = a.force.y = a.force.z = zero;
    const TARGET_STRUCT(Modes) m = TARGET_CALL(modes_of)(f, chunk, s);
    const TARGET_STRUCT(Triple) u = velocity_of(m, a.force);
    const TARGET_STRUCT(Modes) after = relaxed_fluid(m, a, u, c);
    TARGET_CALL(set_populations)(out, 0, chunk, after, after.rho, zero, c);
    const TARGET_STRUCT(Triple) flux = TARGET_CALL(flux_of)(f, chunk, s);
    TARGET_CALL(set_populations)(out, 1, chunk, relaxed_order(flux, a, u, c), zero, a.phi, c);
  }
}

/// Fields for output: phi, density (shifted) and velocity.
TARGET_ENTRY macroscopic(TARGET_SITES, FIELD f, FIELD seen, int pull) {
  const Steps s = TARGET_CALL(steps_of)(sites, pull);
  TARGET_TLP(sites, chunk) {
    const REAL zero = TARGET_BROADCAST((SCALAR)0);
    const TARGET_STRUCT(Triple) no_force = {zero, zero, zero};
    const TARGET_STRUCT(Modes) m = TARGET_CALL(modes_of)(f, chunk, s);
    const TARGET_STRUCT(Triple) u = velocity_of(m, no_force);
    SET(seen, 0, chunk, TARGET_CALL(order_of)(f, chunk, s));
    SET(seen, 1, chunk, m.rho);
    SET(seen, 2, chunk, u.x);
    SET(seen, 3, chunk, u.y);
    SET(seen, 4, chunk, u.z);
  }
}

/// Terms of the statistics: phi^2, density of the free energy, rho^2 (shifted), momentum.
TARGET_ENTRY energies(TARGET_SITES, FIELD seen, FIELD gradient, FIELD out, PHYSICS c) {
  TARGET_TLP(sites, chunk) {
    const REAL phi = AT(seen, 0, chunk), rho = AT(seen, 1, chunk), phi2 = phi * phi;
    const REAL x = AT(gradient, 0, chunk), y = AT(gradient, 1, chunk), z = AT(gradient, 2, chunk);
    const REAL ux = AT(seen, 2, chunk), uy = AT(seen, 3, chunk), uz = AT(seen, 4, chunk);
    SET(out, 0, chunk, phi2);
    SET(out, 1, chunk,
        phi2 * ((SCALAR)0.5 * c.a) + phi2 * phi2 * ((SCALAR)0.25 * c.b) +
            (x * x + y * y + z * z) * ((SCALAR)0.5 * c.kappa));
    SET(out, 2, chunk, rho * rho);
    SET(out, 3, chunk, multiply_add(rho, ux, ux));
    SET(out, 4, chunk, multiply_add(rho, uy, uy));
    SET(out, 5, chunk, multiply_add(rho, uz, uz));
  }
}

/// The halo sites of nx x ny x nz sites from site `first` on, numbered: with `layers` the two layers below and above,
/// then the ring around each layer of these sites.
typedef struct Halo {
  int first, nx, ny, nz, row_pitch, layer_pitch;
  int layers; /* 1 or 0 */
} Halo;

/// Periodic: a halo site gets the values of its image at the other end of each axis: only the first value, or the
/// populations that arrive from there. `sites` are numbers in the halo.
TARGET_ENTRY fill_halo(TARGET_SITES, FIELD field, Halo h, int first_alone) {
  TARGET_TLP(sites, chunk) {
    for (int lane = 0; lane < TARGET_LANES(chunk); ++lane) {
      const int number = (int)TARGET_FIRST(chunk) + lane;
      if (number >= sites.first + sites.length) break;
      const int row = h.nx + 2, layer = row * (h.ny + 2), of_layers = 2 * h.layers * layer, ring = 2 * (row + h.ny);
      const int in_ring = number - of_layers, at = number < of_layers ? number % layer : in_ring % ring;
      int x = at % row - 1, y = at / row - 1, z = number < layer ? -1 : h.nz; /* of a layer */
      if (number >= of_layers) {
        z = in_ring / ring;
        if (at < 2 * row) {
          y = at < row ? -1 : h.ny;
        } else {
          x = (at - 2 * row) % 2 == 0 ? -1 : h.nx;
          y = (at - 2 * row) / 2;
        }
      }
      const int dx = x < 0 ? 1 : x == h.nx ? -1 : 0, dy = y < 0 ? 1 : y == h.ny ? -1 : 0;
      const int dz = z < 0 ? 1 : z == h.nz ? -1 : 0;
      const LONG to = h.first + x + y * h.row_pitch + z * h.layer_pitch;
      const LONG from = to + dx * h.nx + dy * h.ny * h.row_pitch + dz * h.nz * h.layer_pitch;
      if (first_alone) {
        field[to] = field[from];
      } else {
        TARGET_UNROLL for (int p = 1; p < 19; ++p) {
          if ((dx != 0 && direction_x[p] != dx) || (dy != 0 && direction_y[p] != dy) ||
              (dz != 0 && direction_z[p] != dz))
            continue;
          const LONG f = (LONG)(2 * p) * sites.stride, g = f + sites.stride;
          field[f + to] = field[f + from];
          field[g + to] = field[g + from];
        }
      }
    }
  }
}

#ifdef REAL_IS_GENERIC
}  // namespace boltzmark::binary_fluid
#endif

#endif
