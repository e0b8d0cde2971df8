// The physics of one D2Q9-BGK cell, written once, in the common subset of C++ and OpenCL C.
//
// In C++ everything here is a template over REAL: float, double, a SIMD pack (common/cpu/simd.hpp) or the
// counting type (counting.hpp). In OpenCL C the includer defines REAL, SCALAR and MASK first
// (common/base/real.h).
//
// Populations are stored shifted: f[i] holds f_i - w_i * density0, the deviation from the start state. Values
// near zero keep two more digits of a float than values near density0 do, and the start state is all zeros.
// Directions:
//     6 2 5
//     3 0 1      (D2Q9 in lattice.hpp)
//     7 4 8
#ifndef BOLTZMARK_COMMON_LBM_CELL_H
#define BOLTZMARK_COMMON_LBM_CELL_H

#include "common/base/real.h"

#ifdef __cplusplus
namespace boltzmark::lbm {
template <class SCALAR>
#endif
/// The problem's constants in the form the arithmetic wants them; relaxation.hpp computes them.
struct Relaxation {
  SCALAR density0;               /* initial density */
  SCALAR keep;                   /* 1 - omega */
  SCALAR half_omega;             /* omega / 2 */
  SCALAR minus_three_over_omega; /* -3 / omega */
  SCALAR speed_unit;             /* 2 / omega */
  SCALAR w_rest;                 /* omega * 4/9 */
  SCALAR w_axis;                 /* omega * 1/9 */
  SCALAR w_diagonal;             /* omega * 1/36 */
  SCALAR odd_axis;               /* omega * 3/9: weight of the momentum along an axis */
  SCALAR odd_diagonal;           /* omega * 3/36 */
  SCALAR accel_axis;             /* density0 * accel / 9 */
  SCALAR accel_diagonal;         /* density0 * accel / 36 */
  SCALAR threshold_axis;         /* a shifted population above this stays above zero without accel_axis */
  SCALAR threshold_diagonal;     /* the same for accel_diagonal */
};

#ifdef __cplusplus
#define CELL_GENERIC template <class REAL>
#define SCALAR typename RealTraits<REAL>::Scalar
#define MASK typename RealTraits<REAL>::Mask
#define POPULATIONS Populations<REAL>
#define MOMENTS Moments<REAL>
#define RELAXATION Relaxation<SCALAR>
#else
#define CELL_GENERIC
#define POPULATIONS struct Populations
#define MOMENTS struct Moments
#define RELAXATION struct Relaxation
#endif

/// The nine populations of a cell, shifted.
CELL_GENERIC
struct Populations {
  REAL f[9];
};

/// What the collision needs of a cell: deviation of the density, momentum, and omega/2 over the density. With
/// v = omega/2 * u, every term of the equilibrium that is quadratic in the velocity is a sum of products of
/// momentum and v, without further factors but powers of two.
CELL_GENERIC
struct Moments {
  REAL density_shift, jx, jy, half_omega_over_density;
};

/// Density and momentum of a cell.
CELL_GENERIC
KERNEL_FN MOMENTS moments_of(POPULATIONS a, RELAXATION c) {
  MOMENTS m;
  const REAL north = a.f[5] + a.f[6] + a.f[2];
  const REAL south = a.f[7] + a.f[8] + a.f[4];
  m.density_shift = (north + south) + (a.f[0] + (a.f[1] + a.f[3]));
  m.jx = (a.f[1] - a.f[3]) + ((a.f[5] - a.f[6]) + (a.f[8] - a.f[7]));
  m.jy = north - south;
  m.half_omega_over_density = ratio(c.half_omega, m.density_shift + c.density0);
  return m;
}

/// Speed |u| of a cell in units of speed_unit: a sum over many cells needs that factor only once. Collisions
/// conserve density and momentum, so arrived populations give the same as collided ones.
CELL_GENERIC
KERNEL_FN REAL scaled_speed_of(MOMENTS m) {
  const REAL vx = m.jx * m.half_omega_over_density, vy = m.jy * m.half_omega_over_density;
  return square_root((m.jx * vx + m.jy * vy) * m.half_omega_over_density);
}

/// Speed |u| of a cell.
CELL_GENERIC
KERNEL_FN REAL speed_of(MOMENTS m, RELAXATION c) { return scaled_speed_of(m) * c.speed_unit; }

/// omega feq_i of a cell, feq_i = w_i r (1 + 3 c.u + 4.5 (c.u)^2 - 1.5 u.u). Opposite directions share their
/// even part and differ in the sign of the odd one, and the shift only turns the leading r into the deviation
/// of r. Multiplications and additions are equally many: processors have separate units for them, or one for
/// both, and multiply_add stands only where neither part is needed twice.
CELL_GENERIC
KERNEL_FN POPULATIONS relaxed_equilibrium(MOMENTS m, RELAXATION c) {
  POPULATIONS e;
  const REAL vx = m.jx * m.half_omega_over_density;
  const REAL vy = m.jy * m.half_omega_over_density;
  const REAL xx = m.jx * vx, yy = m.jy * vy, xy = (m.jx * (SCALAR)0.5f) * vy;
  const REAL square = xx + yy;
  const REAL base = multiply_add(square, c.minus_three_over_omega, m.density_shift);
  const REAL axis = base * c.w_axis;
  const REAL diagonal = multiply_add(square, (SCALAR)0.25f, base * c.w_diagonal);

  const REAL even_x = axis + xx, even_y = axis + yy;
  const REAL even_ne = diagonal + xy, even_nw = diagonal - xy;
  const REAL odd_x = m.jx * c.odd_axis, odd_y = m.jy * c.odd_axis;
  const REAL odd_ne = (m.jx + m.jy) * c.odd_diagonal, odd_nw = (m.jy - m.jx) * c.odd_diagonal;

  e.f[0] = base * c.w_rest;
  e.f[1] = even_x + odd_x;
  e.f[3] = even_x - odd_x;
  e.f[2] = even_y + odd_y;
  e.f[4] = even_y - odd_y;
  e.f[5] = even_ne + odd_ne;
  e.f[7] = even_ne - odd_ne;
  e.f[6] = even_nw + odd_nw;
  e.f[8] = even_nw - odd_nw;
  return e;
}

/// BGK collision: f_i + omega (feq_i - f_i).
CELL_GENERIC
KERNEL_FN POPULATIONS collide(POPULATIONS a, MOMENTS m, RELAXATION c) {
  const POPULATIONS to = relaxed_equilibrium(m, c);
  POPULATIONS b;
  b.f[0] = multiply_add(a.f[0], c.keep, to.f[0]);
  b.f[1] = multiply_add(a.f[1], c.keep, to.f[1]);
  b.f[3] = multiply_add(a.f[3], c.keep, to.f[3]);
  b.f[2] = multiply_add(a.f[2], c.keep, to.f[2]);
  b.f[4] = multiply_add(a.f[4], c.keep, to.f[4]);
  b.f[5] = multiply_add(a.f[5], c.keep, to.f[5]);
  b.f[7] = multiply_add(a.f[7], c.keep, to.f[7]);
  b.f[6] = multiply_add(a.f[6], c.keep, to.f[6]);
  b.f[8] = multiply_add(a.f[8], c.keep, to.f[8]);
  return b;
}

/// Rebound: the arrived populations of a solid cell, each in the opposite direction. Opposite weights are
/// equal, so the shift drops out.
CELL_GENERIC
KERNEL_FN POPULATIONS bounce_back(POPULATIONS a) {
  POPULATIONS b;
  b.f[0] = a.f[0];
  b.f[1] = a.f[3];
  b.f[2] = a.f[4];
  b.f[3] = a.f[1];
  b.f[4] = a.f[2];
  b.f[5] = a.f[7];
  b.f[6] = a.f[8];
  b.f[7] = a.f[5];
  b.f[8] = a.f[6];
  return b;
}

/// Body force on a cell of the driven row: all or nothing, and only where `fluid`.
CELL_GENERIC
KERNEL_FN POPULATIONS accelerate(POPULATIONS a, MASK fluid, RELAXATION c) {
  const MASK pushed =
      fluid & (a.f[3] > c.threshold_axis) & (a.f[6] > c.threshold_diagonal) & (a.f[7] > c.threshold_diagonal);
  a.f[1] = choose(pushed, a.f[1] + c.accel_axis, a.f[1]);
  a.f[5] = choose(pushed, a.f[5] + c.accel_diagonal, a.f[5]);
  a.f[8] = choose(pushed, a.f[8] + c.accel_diagonal, a.f[8]);
  a.f[3] = choose(pushed, a.f[3] - c.accel_axis, a.f[3]);
  a.f[6] = choose(pushed, a.f[6] - c.accel_diagonal, a.f[6]);
  a.f[7] = choose(pushed, a.f[7] - c.accel_diagonal, a.f[7]);
  return a;
}

/// What leaves a cell after its populations have `arrived`, of which `m` are the moments: collided; bounced
/// back where `solid`; pushed by the body force of the next step where `driven` and fluid. Adds |u| of fluid
/// cells, in units of speed_unit, to *speeds. `any_solid` and `driven` are the same for all cells of a REAL.
CELL_GENERIC
KERNEL_FN POPULATIONS update_cell(POPULATIONS arrived, MOMENTS m, MASK solid, int any_solid, int driven,
                                  RELAXATION c, REAL* speeds) {
  POPULATIONS leaving = collide(arrived, m, c);
  REAL speed = scaled_speed_of(m);
  if (any_solid) {
    const POPULATIONS bounced = bounce_back(arrived);
    leaving.f[0] = choose(solid, bounced.f[0], leaving.f[0]);
    leaving.f[1] = choose(solid, bounced.f[1], leaving.f[1]);
    leaving.f[2] = choose(solid, bounced.f[2], leaving.f[2]);
    leaving.f[3] = choose(solid, bounced.f[3], leaving.f[3]);
    leaving.f[4] = choose(solid, bounced.f[4], leaving.f[4]);
    leaving.f[5] = choose(solid, bounced.f[5], leaving.f[5]);
    leaving.f[6] = choose(solid, bounced.f[6], leaving.f[6]);
    leaving.f[7] = choose(solid, bounced.f[7], leaving.f[7]);
    leaving.f[8] = choose(solid, bounced.f[8], leaving.f[8]);
    speed = choose(solid, speed - speed, speed);
  }
  *speeds = *speeds + speed;
  if (driven) leaving = accelerate(leaving, inverse(solid), c);
  return leaving;
}

#ifdef __cplusplus
}  // namespace boltzmark::lbm
#undef CELL_GENERIC
#undef SCALAR
#undef MASK
#undef POPULATIONS
#undef MOMENTS
#undef RELAXATION
#endif

#endif
