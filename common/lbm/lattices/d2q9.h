// D2Q9: nine velocities in two dimensions (Qian, d'Humieres and Lallemand 1992), numbered
//     6 2 5
//     3 0 1
//     7 4 8
//
// Its tables and, written by hand with as few operations as possible, its moments and equilibrium. cell.h includes it,
// sets the language, and has everything that is the same for every lattice.
#ifndef BOLTZMARK_COMMON_LBM_LATTICES_D2Q9_H
#define BOLTZMARK_COMMON_LBM_LATTICES_D2Q9_H

#define D2Q9_CX 0, 1, 0, -1, 0, 1, -1, -1, 1
#define D2Q9_CY 0, 0, 1, 0, -1, 1, 1, -1, -1
#define D2Q9_CZ 0, 0, 0, 0, 0, 0, 0, 0, 0
#define D2Q9_OPPOSITE 0, 3, 4, 1, 2, 7, 8, 5, 6

#ifdef REAL_IS_GENERIC
struct D2Q9 {
  static constexpr const char* name = "D2Q9";
  static constexpr int dimension = 2;
  static constexpr int directions = 9;
  static constexpr std::array<int, 9> cx = {D2Q9_CX}, cy = {D2Q9_CY}, cz = {D2Q9_CZ};
  static constexpr std::array<int, 9> opposite = {D2Q9_OPPOSITE};
  static constexpr int axes = 4,
                       diagonals = 4;  ///< directions 1 .. axes are along an axis, the others diagonal
  static constexpr double w_rest = 4.0 / 9, w_axis = 1.0 / 9, w_diagonal = 1.0 / 36;
  static constexpr std::array<double, 9> weight = {w_rest,     w_axis,     w_axis,     w_axis,    w_axis,
                                                   w_diagonal, w_diagonal, w_diagonal, w_diagonal};
};
#define LATTICE D2Q9
#else

#define AXES 4
__constant int lattice_cx[] = {D2Q9_CX}, lattice_cy[] = {D2Q9_CY}, lattice_cz[] = {D2Q9_CZ};
__constant int lattice_opposite[] = {D2Q9_OPPOSITE};
#endif

/// The problem's constants pre-multiplied for the collision; relaxation.hpp computes them.
RELAXATION_GENERIC
RELAXATION {
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

/// Inputs of the collision: deviation of the density, momentum, and omega/2 over the density. With v = omega/2 * u,
/// every term of the equilibrium that is quadratic in the velocity is a sum of products of momentum and v, without
/// further factors other than powers of two.
CELL_GENERIC
MOMENTS { REAL density_shift, jx, jy, half_omega_over_density; };

/// Density and momentum of a cell.
CELL_GENERIC
KERNEL_FN MOMENTS moments_of(POPULATIONS a, RELAXATION_OF_REAL c) {
  MOMENTS m;
  const REAL north = a.f[5] + a.f[6] + a.f[2];
  const REAL south = a.f[7] + a.f[8] + a.f[4];
  m.density_shift = (north + south) + (a.f[0] + (a.f[1] + a.f[3]));
  m.jx = (a.f[1] - a.f[3]) + ((a.f[5] - a.f[6]) + (a.f[8] - a.f[7]));
  m.jy = north - south;
  m.half_omega_over_density = ratio(c.half_omega, m.density_shift + c.density0);
  return m;
}

/// Speed |u| of a cell in units of speed_unit: a sum over many cells needs that factor only once. Collisions conserve
/// density and momentum, so arrived and collided populations give the same speed.
CELL_GENERIC
KERNEL_FN REAL scaled_speed_of(MOMENTS m) {
  const REAL vx = m.jx * m.half_omega_over_density, vy = m.jy * m.half_omega_over_density;
  return square_root((m.jx * vx + m.jy * vy) * m.half_omega_over_density);
}

/// omega feq_i of a cell, feq_i = w_i r (1 + 3 c.u + 4.5 (c.u)^2 - 1.5 u.u). Opposite directions share their even part
/// and differ in the sign of the odd one, and the shift only turns the leading r into the deviation of r. The numbers
/// of multiplications and additions are equal, because processors have separate units for them or one for both;
/// multiply_add is used only if neither part is needed twice.
CELL_GENERIC
KERNEL_FN POPULATIONS relaxed_equilibrium(MOMENTS m, RELAXATION_OF_REAL c) {
  POPULATIONS e;
  const REAL vx = m.jx * m.half_omega_over_density;
  const REAL vy = m.jy * m.half_omega_over_density;
  const REAL xx = m.jx * vx, yy = m.jy * vy, xy = (m.jx * (SCALAR_OF_REAL)0.5f) * vy;
  const REAL square = xx + yy;
  const REAL base = multiply_add(square, c.minus_three_over_omega, m.density_shift);
  const REAL axis = base * c.w_axis;
  const REAL diagonal = multiply_add(square, (SCALAR_OF_REAL)0.25f, base * c.w_diagonal);

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

/// Adds to the diagonal populations the mass and momentum that populations 0 to 4 have `lost`.
CELL_GENERIC
KERNEL_FN POPULATIONS made_good(POPULATIONS a, const REAL* lost) {
  const REAL x = lost[1] - lost[3], y = lost[2] - lost[4];
  const REAL mass = lost[0] + (lost[1] + lost[3]) + (lost[2] + lost[4]);
  const REAL east = mass + x, west = mass - x;
  a.f[5] = multiply_add(east + y, (SCALAR_OF_REAL)0.25f, a.f[5]);
  a.f[6] = multiply_add(west + y, (SCALAR_OF_REAL)0.25f, a.f[6]);
  a.f[7] = multiply_add(west - y, (SCALAR_OF_REAL)0.25f, a.f[7]);
  a.f[8] = multiply_add(east - y, (SCALAR_OF_REAL)0.25f, a.f[8]);
  return a;
}

#undef LATTICE
#endif
