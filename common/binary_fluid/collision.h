// The collision of a binary fluid, written once for every target (common/target/target.h): free energy after Swift and
// others 1996, collision of both distributions as in Ludwig. In two equivalent forms: by moments, and, as in the
// published benchmark, by products with 19 x 19 matrices.
//
// Distribution f carries density and momentum, g the order parameter phi. Populations of f are stored shifted, f_p -
// w_p: near zero, single precision keeps more digits. Population p of distribution d of a site is value 2 p + d of the
// field. Directions are numbered in pairs of opposite ones:
//     0          rest
//     1 2        +x -x
//     3 4        +y -y              7 8     +(x+y) -(x+y)       9 10    +(x-y) -(x-y)
//     5 6        +z -z             11 12    +(x+z) -(x+z)      13 14    +(x-z) -(x-z)
//                                  15 16    +(y+z) -(y+z)      17 18    +(y-z) -(y-z)
//
// Words of this file, in C++ and in OpenCL C (common/target/target.h defines them):
//     REAL                       values of a chunk of VVL sites: a number or vector, in C++ the template parameter
//     SCALAR                     one number: float or double
//     FIELD                      pointer to a field's values on the target
//     Chunk                      consecutive sites that are handled together; AT reads, SET_PAST writes past caches
//     TARGET f(...)              function for one chunk; called as TARGET_CALL(f)(...) if no argument has its REAL
//     TARGET_ENTRY f(...)        kernel: all chunks of a box of sites, one by one in TARGET_TLP(sites, chunk)
//     TARGET_STRUCT_OF(Name)     definition of a structure of REALs, TARGET_STRUCT(Name) its use:
//                                Name<REAL> in C++, struct Name in OpenCL C
//     PHYSICS                    the constants as kernels take them: Physics<SCALAR> in C++, struct Physics in OpenCL C
//     TARGET_TABLE, TARGET_CONST table of constants in the code, and one that the host hands over
//     TARGET_BROADCAST(x)        a number as a REAL; TARGET_UNROLL: before loops over populations
#ifndef BOLTZMARK_COMMON_BINARY_FLUID_COLLISION_H
#define BOLTZMARK_COMMON_BINARY_FLUID_COLLISION_H

#include "common/target/target.h"

#ifdef REAL_IS_GENERIC
namespace boltzmark::binary_fluid {
using target::broadcast;
using target::Chunk;
using target::chunk_at;
using target::lanes_of;
using target::load_chunk;
using target::Sites;
using target::store_chunk;
using target::stream_chunk;

/// Constants of the collision, computed by make_physics (physics.hpp).
template <class SCALAR_OF_HOST>
struct Physics {
#define PHYSICS_NUMBER SCALAR_OF_HOST
#else
struct Physics {
#define PHYSICS_NUMBER SCALAR
#endif
  PHYSICS_NUMBER a, b, kappa;       /* of the free energy */
  PHYSICS_NUMBER keep_shear, shear; /* 1 - omega_s, omega_s */
  PHYSICS_NUMBER bulk;              /* (omega_s - omega_b) / 3 */
  PHYSICS_NUMBER push;              /* 2 - omega_s */
  PHYSICS_NUMBER keep_flux, flux;   /* 1 - omega_phi, omega_phi */
  PHYSICS_NUMBER keep_ghost;        /* 1 - omega_g */
  PHYSICS_NUMBER w_rest, w_axis, w_diagonal;
  int points; /* of the gradients: 7 or 27 */
};

#ifdef REAL_IS_GENERIC
#define PHYSICS Physics<SCALAR>
#else
#define PHYSICS struct Physics
#endif

TARGET_STRUCT_OF(Triple) { REAL x, y, z; };

/// Density (shifted), momentum and stress of f; for g without the density.
TARGET_STRUCT_OF(Modes) { REAL rho, jx, jy, jz, xx, yy, zz, xy, xz, yz; };

/// Inputs of a collision other than the populations.
TARGET_STRUCT_OF(Surroundings) {
  REAL phi, laplacian;
  TARGET_STRUCT(Triple) gradient, force;
};

TARGET TARGET_STRUCT(Surroundings) surroundings_at(FIELD phi, FIELD gradient, FIELD force, Chunk chunk) {
  TARGET_STRUCT(Surroundings) a;
  a.phi = AT(phi, 0, chunk);
  a.gradient.x = AT(gradient, 0, chunk);
  a.gradient.y = AT(gradient, 1, chunk);
  a.gradient.z = AT(gradient, 2, chunk);
  a.laplacian = AT(gradient, 3, chunk);
  a.force.x = AT(force, 0, chunk);
  a.force.y = AT(force, 1, chunk);
  a.force.z = AT(force, 2, chunk);
  return a;
}

/// u = (j + F/2) / rho.
TARGET TARGET_STRUCT(Triple) velocity_of(TARGET_STRUCT(Modes) m, TARGET_STRUCT(Triple) force) {
  const REAL inverse_rho = ratio((SCALAR)1, m.rho + (SCALAR)1);
  TARGET_STRUCT(Triple) u;
  u.x = multiply_add(force.x, (SCALAR)0.5, m.jx) * inverse_rho;
  u.y = multiply_add(force.y, (SCALAR)0.5, m.jy) * inverse_rho;
  u.z = multiply_add(force.z, (SCALAR)0.5, m.jz) * inverse_rho;
  return u;
}

/// The modes of f after the collision: stress relaxed towards rho u u + P with the chemical stress P, shear and bulk
/// each at their own rate; momentum and stress pushed by the force.
TARGET TARGET_STRUCT(Modes)
    relaxed_fluid(TARGET_STRUCT(Modes) m, TARGET_STRUCT(Surroundings) a, TARGET_STRUCT(Triple) u, PHYSICS c) {
  const REAL rho = m.rho + (SCALAR)1;
  const TARGET_STRUCT(Triple) d = a.gradient, F = a.force;
  const REAL phi2 = a.phi * a.phi;
  const REAL gradient2 = multiply_add(d.x, d.x, multiply_add(d.y, d.y, d.z * d.z));
  const REAL interface_part = multiply_add(gradient2, (SCALAR)0.5, a.phi * a.laplacian) * c.kappa;
  const REAL pressure =
      phi2 * multiply_add(phi2, (SCALAR)0.75 * c.b, TARGET_BROADCAST((SCALAR)0.5 * c.a)) - interface_part;
  const TARGET_STRUCT(Triple) mu = {u.x * rho, u.y * rho, u.z * rho};
  const TARGET_STRUCT(Triple) kd = {d.x * c.kappa, d.y * c.kappa, d.z * c.kappa};
  const REAL xx = multiply_add(mu.x, u.x, multiply_add(kd.x, d.x, pressure));
  const REAL yy = multiply_add(mu.y, u.y, multiply_add(kd.y, d.y, pressure));
  const REAL zz = multiply_add(mu.z, u.z, multiply_add(kd.z, d.z, pressure));
  const REAL xy = multiply_add(mu.x, u.y, kd.x * d.y);
  const REAL xz = multiply_add(mu.x, u.z, kd.x * d.z);
  const REAL yz = multiply_add(mu.y, u.z, kd.y * d.z);
  const REAL bulk = ((m.xx + m.yy + m.zz) - (xx + yy + zz)) * c.bulk;
  const TARGET_STRUCT(Triple) pu = {u.x * c.push, u.y * c.push, u.z * c.push};
  const REAL two_x = pu.x * F.x, two_y = pu.y * F.y, two_z = pu.z * F.z;
  m.xx = multiply_add(m.xx, c.keep_shear, multiply_add(xx, c.shear, bulk + (two_x + two_x)));
  m.yy = multiply_add(m.yy, c.keep_shear, multiply_add(yy, c.shear, bulk + (two_y + two_y)));
  m.zz = multiply_add(m.zz, c.keep_shear, multiply_add(zz, c.shear, bulk + (two_z + two_z)));
  m.xy = multiply_add(m.xy, c.keep_shear, multiply_add(xy, c.shear, multiply_add(pu.x, F.y, pu.y * F.x)));
  m.xz = multiply_add(m.xz, c.keep_shear, multiply_add(xz, c.shear, multiply_add(pu.x, F.z, pu.z * F.x)));
  m.yz = multiply_add(m.yz, c.keep_shear, multiply_add(yz, c.shear, multiply_add(pu.y, F.z, pu.z * F.y)));
  m.jx = m.jx + F.x;
  m.jy = m.jy + F.y;
  m.jz = m.jz + F.z;
  return m;
}

/// The modes of g after the collision, with `flux` the sum of c_p g_p: flux relaxed towards phi u, and stress phi u u +
/// mu, with the chemical potential mu.
TARGET TARGET_STRUCT(Modes)
    relaxed_order(TARGET_STRUCT(Triple) flux, TARGET_STRUCT(Surroundings) a, TARGET_STRUCT(Triple) u, PHYSICS c) {
  const REAL phi2 = a.phi * a.phi;
  const REAL potential = multiply_add(a.phi, multiply_add(phi2, c.b, TARGET_BROADCAST(c.a)), a.laplacian * -c.kappa);
  const TARGET_STRUCT(Triple) carried = {u.x * a.phi, u.y * a.phi, u.z * a.phi};
  TARGET_STRUCT(Modes) m;
  m.rho = a.phi;
  m.jx = multiply_add(flux.x, c.keep_flux, carried.x * c.flux);
  m.jy = multiply_add(flux.y, c.keep_flux, carried.y * c.flux);
  m.jz = multiply_add(flux.z, c.keep_flux, carried.z * c.flux);
  m.xx = multiply_add(carried.x, u.x, potential);
  m.yy = multiply_add(carried.y, u.y, potential);
  m.zz = multiply_add(carried.z, u.z, potential);
  m.xy = carried.x * u.y;
  m.xz = carried.x * u.z;
  m.yz = carried.y * u.z;
  return m;
}

// ---- The form without matrices: moments by sums and differences of opposite populations.

/// A site's step along the axes, as offsets between sites; with zeros populations are read in place, else each is read
/// from its source.
typedef struct Steps {
  int x, y, z;
} Steps;

/// A population and its opposite of distribution `d`, as their sum and difference.
#define POPULATION_PAIR(pair, offset)                                         \
  const REAL there##pair = NEAR(f, 2 * (2 * pair - 1) + d, chunk, -(offset)), \
             back##pair = NEAR(f, 2 * (2 * pair) + d, chunk, offset);
#define EACH_POPULATION_PAIR    \
  POPULATION_PAIR(1, s.x)       \
  POPULATION_PAIR(2, s.y)       \
  POPULATION_PAIR(3, s.z)       \
  POPULATION_PAIR(4, s.x + s.y) \
  POPULATION_PAIR(5, s.x - s.y) \
  POPULATION_PAIR(6, s.x + s.z) \
  POPULATION_PAIR(7, s.x - s.z) \
  POPULATION_PAIR(8, s.y + s.z) \
  POPULATION_PAIR(9, s.y - s.z)
#define SUM(pair) (there##pair + back##pair)
#define DIFFERENCE(pair) const REAL o##pair = there##pair - back##pair;
#define EACH_DIFFERENCE \
  DIFFERENCE(1)         \
  DIFFERENCE(2)         \
  DIFFERENCE(3) DIFFERENCE(4) DIFFERENCE(5) DIFFERENCE(6) DIFFERENCE(7) DIFFERENCE(8) DIFFERENCE(9)

/// Moments of f, read at the offsets `steps` of direction 0.
TARGET TARGET_STRUCT(Modes) modes_of(FIELD f, Chunk chunk, Steps s) {
  const int d = 0;
  const REAL rest = NEAR(f, 0, chunk, 0);
  EACH_POPULATION_PAIR
  EACH_DIFFERENCE
  const REAL e1 = SUM(1), e2 = SUM(2), e3 = SUM(3), e4 = SUM(4), e5 = SUM(5), e6 = SUM(6), e7 = SUM(7), e8 = SUM(8),
             e9 = SUM(9);
  const REAL in_xy = e4 + e5, in_xz = e6 + e7, in_yz = e8 + e9;
  TARGET_STRUCT(Modes) m;
  m.rho = rest + ((e1 + e2) + e3) + ((in_xy + in_xz) + in_yz);
  m.jx = o1 + ((o4 + o5) + (o6 + o7));
  m.jy = o2 + ((o4 - o5) + (o8 + o9));
  m.jz = o3 + ((o6 - o7) + (o8 - o9));
  const REAL third = m.rho * (SCALAR)(1.0 / 3.0);
  m.xx = e1 + in_xy + in_xz - third;
  m.yy = e2 + in_xy + in_yz - third;
  m.zz = e3 + in_xz + in_yz - third;
  m.xy = e4 - e5;
  m.xz = e6 - e7;
  m.yz = e8 - e9;
  return m;
}

/// The flux of g.
TARGET TARGET_STRUCT(Triple) flux_of(FIELD f, Chunk chunk, Steps s) {
  const int d = 1;
  EACH_POPULATION_PAIR
  EACH_DIFFERENCE
  TARGET_STRUCT(Triple) flux;
  flux.x = o1 + ((o4 + o5) + (o6 + o7));
  flux.y = o2 + ((o4 - o5) + (o8 + o9));
  flux.z = o3 + ((o6 - o7) + (o8 - o9));
  return flux;
}

/// The sum of g.
TARGET REAL order_of(FIELD f, Chunk chunk, Steps s) {
  const int d = 1;
  const REAL rest = NEAR(f, 1, chunk, 0);
  EACH_POPULATION_PAIR
  return rest + ((SUM(1) + SUM(2)) + SUM(3)) + (((SUM(4) + SUM(5)) + (SUM(6) + SUM(7))) + (SUM(8) + SUM(9)));
}

/// w_p (rho + 3 c.j + 4.5 Q S) into distribution d, with `even` = rho - 1.5 tr S; `more` is added to the population at
/// rest.
#define SET_PAIR(pair, w, even_part, odd_part)                                      \
  {                                                                                 \
    const REAL even_##pair = even_part, odd_##pair = odd_part;                      \
    SET_PAST(out, 2 * (2 * pair - 1) + d, chunk, (even_##pair + odd_##pair) * (w)); \
    SET_PAST(out, 2 * (2 * pair) + d, chunk, (even_##pair - odd_##pair) * (w));     \
  }
TARGET void set_populations(FIELD out, int d, Chunk chunk, TARGET_STRUCT(Modes) m, REAL rho, REAL more, PHYSICS c) {
  const REAL even = multiply_add(m.xx + m.yy + m.zz, (SCALAR)-1.5, rho);
  const REAL xx = m.xx * (SCALAR)4.5, yy = m.yy * (SCALAR)4.5, zz = m.zz * (SCALAR)4.5;
  const REAL xy = m.xy * (SCALAR)9, xz = m.xz * (SCALAR)9, yz = m.yz * (SCALAR)9;
  const REAL jx = m.jx * (SCALAR)3, jy = m.jy * (SCALAR)3, jz = m.jz * (SCALAR)3;
  const REAL in_xy = even + (xx + yy), in_xz = even + (xx + zz), in_yz = even + (yy + zz);
  SET_PAST(out, d, chunk, multiply_add(even, c.w_rest, more));
  SET_PAIR(1, c.w_axis, even + xx, jx)
  SET_PAIR(2, c.w_axis, even + yy, jy)
  SET_PAIR(3, c.w_axis, even + zz, jz)
  SET_PAIR(4, c.w_diagonal, in_xy + xy, jx + jy)
  SET_PAIR(5, c.w_diagonal, in_xy - xy, jx - jy)
  SET_PAIR(6, c.w_diagonal, in_xz + xz, jx + jz)
  SET_PAIR(7, c.w_diagonal, in_xz - xz, jx - jz)
  SET_PAIR(8, c.w_diagonal, in_yz + yz, jy + jz)
  SET_PAIR(9, c.w_diagonal, in_yz - yz, jy - jz)
}

TARGET_ENTRY collide_moments(TARGET_SITES, FIELD f, FIELD phi, FIELD gradient, FIELD force, FIELD out, FIELD velocity,
                             PHYSICS c) {
  const Steps here = {0, 0, 0};
  TARGET_TLP(sites, chunk) {
    const TARGET_STRUCT(Surroundings) a = TARGET_CALL(surroundings_at)(phi, gradient, force, chunk);
    const TARGET_STRUCT(Modes) m = TARGET_CALL(modes_of)(f, chunk, here);
    const TARGET_STRUCT(Triple) flux = TARGET_CALL(flux_of)(f, chunk, here);
    const TARGET_STRUCT(Triple) u = velocity_of(m, a.force);
    SET_PAST(velocity, 0, chunk, u.x);
    SET_PAST(velocity, 1, chunk, u.y);
    SET_PAST(velocity, 2, chunk, u.z);
    const TARGET_STRUCT(Modes) after = relaxed_fluid(m, a, u, c), order = relaxed_order(flux, a, u, c);
    const REAL zero = TARGET_BROADCAST((SCALAR)0);
    TARGET_CALL(set_populations)(out, 0, chunk, after, after.rho, zero, c);
    TARGET_CALL(set_populations)(out, 1, chunk, order, zero, a.phi, c);
  }
}

// ---- The form with matrices.

/// The matrices, one after another: modes from populations (19 x 19); populations from modes; populations of g from its
/// flux and stress (19 x 9).
enum {
  matrix_directions = 19,
  matrix_inverse = 19 * 19,
  matrix_order = 2 * 19 * 19,
  order_columns = 9,
  matrix_values = 2 * 19 * 19 + 19 * 9
};

TARGET_TABLE signed char direction_x[] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
TARGET_TABLE signed char direction_y[] = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1};
TARGET_TABLE signed char direction_z[] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};

TARGET_ENTRY collide_matrices(TARGET_SITES, FIELD f, FIELD phi, FIELD gradient, FIELD force, FIELD out, FIELD velocity,
                              TARGET_CONST matrices, PHYSICS c) {
  TARGET_TLP(sites, chunk) {
    const TARGET_STRUCT(Surroundings) a = TARGET_CALL(surroundings_at)(phi, gradient, force, chunk);
    REAL population[19], mode[19];
    TARGET_UNROLL for (int p = 0; p < 19; ++p) population[p] = AT(f, 2 * p, chunk);
    TARGET_UNROLL for (int m = 0; m < 19; ++m) {
      REAL sum = population[0] * matrices[m * 19];
      TARGET_UNROLL for (int p = 1; p < 19; ++p) sum = multiply_add(population[p], matrices[m * 19 + p], sum);
      mode[m] = sum;
    }
    const TARGET_STRUCT(Modes)
        m = {mode[0], mode[1], mode[2], mode[3], mode[4], mode[5], mode[6], mode[7], mode[8], mode[9]};
    const TARGET_STRUCT(Triple) u = velocity_of(m, a.force);
    SET_PAST(velocity, 0, chunk, u.x);
    SET_PAST(velocity, 1, chunk, u.y);
    SET_PAST(velocity, 2, chunk, u.z);
    const TARGET_STRUCT(Modes) after = relaxed_fluid(m, a, u, c);
    mode[1] = after.jx, mode[2] = after.jy, mode[3] = after.jz;
    mode[4] = after.xx, mode[5] = after.yy, mode[6] = after.zz;
    mode[7] = after.xy, mode[8] = after.xz, mode[9] = after.yz;
    TARGET_UNROLL for (int k = 10; k < 19; ++k) mode[k] = mode[k] * c.keep_ghost;
    TARGET_UNROLL for (int p = 0; p < 19; ++p) {
      REAL sum = mode[0] * matrices[matrix_inverse + p * 19];
      TARGET_UNROLL for (int k = 1; k < 19; ++k) sum =
          multiply_add(mode[k], matrices[matrix_inverse + p * 19 + k], sum);
      SET_PAST_AT(out, 2 * p, chunk, sum);
    }

    const REAL zero = TARGET_BROADCAST((SCALAR)0);
    TARGET_STRUCT(Triple) flux = {zero, zero, zero};
    TARGET_UNROLL for (int p = 1; p < 19; ++p) {
      const REAL g = AT(f, 2 * p + 1, chunk);
      flux.x = multiply_add(g, (SCALAR)direction_x[p], flux.x);
      flux.y = multiply_add(g, (SCALAR)direction_y[p], flux.y);
      flux.z = multiply_add(g, (SCALAR)direction_z[p], flux.z);
    }
    const TARGET_STRUCT(Modes) o = relaxed_order(flux, a, u, c);
    const REAL order[order_columns] = {o.jx, o.jy, o.jz, o.xx, o.yy, o.zz, o.xy, o.xz, o.yz};
    TARGET_UNROLL for (int p = 0; p < 19; ++p) {
      REAL sum = p == 0 ? a.phi : zero;
      TARGET_UNROLL for (int k = 0; k < order_columns; ++k) sum =
          multiply_add(order[k], matrices[matrix_order + p * order_columns + k], sum);
      SET_PAST_AT(out, 2 * p + 1, chunk, sum);
    }
  }
}

#ifdef REAL_IS_GENERIC
}  // namespace boltzmark::binary_fluid
#endif

#undef POPULATION_PAIR
#undef EACH_POPULATION_PAIR
#undef SUM
#undef DIFFERENCE
#undef EACH_DIFFERENCE
#undef SET_PAIR
#undef PHYSICS_NUMBER

#endif
