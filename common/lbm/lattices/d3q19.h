// D3Q19: nineteen velocities in three dimensions (Qian, d'Humieres and Lallemand 1992), numbered in pairs of
// opposite directions:
//     0          rest
//     1 2        +x -x
//     3 4        +y -y              7 8     +(x+y) -(x+y)       9 10    +(x-y) -(x-y)
//     5 6        +z -z             11 12    +(x+z) -(x+z)      13 14    +(x-z) -(x-z)
//                                  15 16    +(y+z) -(y+z)      17 18    +(y-z) -(y-z)
//
// Its tables and, written by hand with as few operations as possible, its moments and equilibrium. cell.h includes it,
// sets the language, and has everything that is the same for every lattice.
#ifndef BOLTZMARK_COMMON_LBM_LATTICES_D3Q19_H
#define BOLTZMARK_COMMON_LBM_LATTICES_D3Q19_H

#define D3Q19_CX 0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0
#define D3Q19_CY 0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1
#define D3Q19_CZ 0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1
#define D3Q19_OPPOSITE 0, 2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 12, 11, 14, 13, 16, 15, 18, 17

#ifdef REAL_IS_GENERIC
struct D3Q19 {
  static constexpr const char* name = "D3Q19";
  static constexpr int dimension = 3;
  static constexpr int directions = 19;
  static constexpr std::array<int, 19> cx = {D3Q19_CX}, cy = {D3Q19_CY}, cz = {D3Q19_CZ};
  static constexpr std::array<int, 19> opposite = {D3Q19_OPPOSITE};
  static constexpr int axes = 6,
                       diagonals = 12;  ///< directions 1 .. axes are along an axis, the others diagonal
  static constexpr double w_rest = 1.0 / 3, w_axis = 1.0 / 18, w_diagonal = 1.0 / 36;
  static constexpr std::array<double, 19> weight = {w_rest,     w_axis,     w_axis,     w_axis,     w_axis,
                                                    w_axis,     w_axis,     w_diagonal, w_diagonal, w_diagonal,
                                                    w_diagonal, w_diagonal, w_diagonal, w_diagonal, w_diagonal,
                                                    w_diagonal, w_diagonal, w_diagonal, w_diagonal};
};
#define LATTICE D3Q19
#else

#define AXES 6
__constant int lattice_cx[] = {D3Q19_CX}, lattice_cy[] = {D3Q19_CY}, lattice_cz[] = {D3Q19_CZ};
__constant int lattice_opposite[] = {D3Q19_OPPOSITE};
#endif

/// The problem's constants pre-multiplied for the collision; relaxation.hpp computes them.
RELAXATION_GENERIC
RELAXATION {
  SCALAR density0;           /* initial density */
  SCALAR keep;               /* 1 - omega */
  SCALAR eighth_omega;       /* omega / 8 = 9/2 * omega / 36: weight of squares of the momentum on a diagonal */
  SCALAR speed_unit;         /* 1 */
  SCALAR w_rest;             /* omega / 3 */
  SCALAR w_axis;             /* omega / 18 */
  SCALAR w_diagonal;         /* omega / 36 */
  SCALAR odd_axis;           /* omega * 3/18: weight of the momentum along an axis */
  SCALAR odd_diagonal;       /* omega * 3/36 */
  SCALAR accel_axis;         /* density0 * accel / 18 */
  SCALAR accel_diagonal;     /* density0 * accel / 36 */
  SCALAR threshold_axis;     /* a shifted population above this stays above zero without accel_axis */
  SCALAR threshold_diagonal; /* the same for accel_diagonal */
};

/// Inputs of the collision: deviation of the density, momentum, and 1 over the density.
CELL_GENERIC
MOMENTS { REAL density_shift, jx, jy, jz, volume; };

/// Density of the four diagonals of a plane, and their momentum along its first and its second axis. Each population is
/// needed for all three, so the populations of one plane are added up before those of the next: few values at a time.
CELL_GENERIC
struct Diagonals {
  REAL density, first, second;
};
#define DIAGONALS struct Diagonals OF_REAL
/// Takes the populations along the sum of the axes, against it, along their difference and against it.
CELL_GENERIC
KERNEL_FN DIAGONALS diagonals_of(REAL sum, REAL against_sum, REAL difference, REAL against_difference) {
  const REAL along_sum = sum - against_sum, along_difference = difference - against_difference;
  DIAGONALS d;
  d.density = (sum + against_sum) + (difference + against_difference);
  d.first = along_sum + along_difference;
  d.second = along_sum - along_difference;
  return d;
}

/// Density and momentum of a cell from its diagonals in the three planes, the sum of its other populations, and the
/// differences of opposite ones along the axes.
CELL_GENERIC
KERNEL_FN MOMENTS moments_from(DIAGONALS xy, DIAGONALS xz, DIAGONALS yz, REAL on_axes, REAL dx, REAL dy, REAL dz,
                               RELAXATION_OF_REAL c) {
  MOMENTS m;
  m.density_shift = on_axes + ((xy.density + xz.density) + yz.density);
  m.jx = (dx + xy.first) + xz.first;
  m.jy = (dy + xy.second) + yz.first;
  m.jz = (dz + xz.second) + yz.second;
  m.volume = ratio((SCALAR_OF_REAL)1, m.density_shift + c.density0);
  return m;
}

/// Density and momentum of a cell: the density from sums of opposite populations, the momentum from their
/// differences.
CELL_GENERIC
KERNEL_FN MOMENTS moments_of(POPULATIONS a, RELAXATION_OF_REAL c) {
  const DIAGONALS xy = diagonals_of(a.f[7], a.f[8], a.f[9], a.f[10]);
  const DIAGONALS xz = diagonals_of(a.f[11], a.f[12], a.f[13], a.f[14]);
  const DIAGONALS yz = diagonals_of(a.f[15], a.f[16], a.f[17], a.f[18]);
  const REAL on_axes = ((a.f[1] + a.f[2]) + (a.f[3] + a.f[4])) + ((a.f[5] + a.f[6]) + a.f[0]);
  return moments_from(xy, xz, yz, on_axes, a.f[1] - a.f[2], a.f[3] - a.f[4], a.f[5] - a.f[6], c);
}

/// Speed |u| of a cell in units of speed_unit. Collisions conserve density and momentum, so arrived and collided
/// populations give the same speed.
CELL_GENERIC
KERNEL_FN REAL scaled_speed_of(MOMENTS m) {
  return square_root((m.jx * m.jx + m.jy * m.jy + m.jz * m.jz) * m.volume * m.volume);
}

/// omega feq_i of a pair of opposite directions, with the momentum `along` them: the even part, a square, is the same
/// for both.
CELL_GENERIC
KERNEL_FN void relaxed_pair(REAL along, REAL base, REAL square_weight, SCALAR_OF_REAL odd, REAL* forth, REAL* back) {
  const REAL even = multiply_add(along * along, square_weight, base);
  *forth = multiply_add(along, odd, even);
  *back = multiply_add(along, -odd, even);
}

/// The part of omega feq_i common to all directions of a kind.
CELL_GENERIC
struct Shared {
  REAL rest, axis, diagonal, on_axis, on_diagonal;
};
#define SHARED struct Shared OF_REAL
CELL_GENERIC
KERNEL_FN SHARED shared_of(MOMENTS m, RELAXATION_OF_REAL c) {
  const REAL square = (m.jx * m.jx + m.jy * m.jy + m.jz * m.jz) * m.volume;
  const REAL base = multiply_add(square, (SCALAR_OF_REAL)-1.5f, m.density_shift);
  SHARED s;
  s.rest = base * c.w_rest;
  s.axis = base * c.w_axis;
  s.diagonal = base * c.w_diagonal;
  s.on_diagonal = m.volume * c.eighth_omega;
  s.on_axis = s.on_diagonal + s.on_diagonal;
  return s;
}

/// omega feq_i of directions 2 pair + 1 and 2 pair + 2; `pair` is a compile-time constant.
CELL_GENERIC
KERNEL_FN void relax(int pair, MOMENTS m, SHARED s, RELAXATION_OF_REAL c, REAL* forth, REAL* back) {
  if (pair == 0) relaxed_pair(m.jx, s.axis, s.on_axis, c.odd_axis, forth, back);
  if (pair == 1) relaxed_pair(m.jy, s.axis, s.on_axis, c.odd_axis, forth, back);
  if (pair == 2) relaxed_pair(m.jz, s.axis, s.on_axis, c.odd_axis, forth, back);
  if (pair == 3) relaxed_pair(m.jx + m.jy, s.diagonal, s.on_diagonal, c.odd_diagonal, forth, back);
  if (pair == 4) relaxed_pair(m.jx - m.jy, s.diagonal, s.on_diagonal, c.odd_diagonal, forth, back);
  if (pair == 5) relaxed_pair(m.jx + m.jz, s.diagonal, s.on_diagonal, c.odd_diagonal, forth, back);
  if (pair == 6) relaxed_pair(m.jx - m.jz, s.diagonal, s.on_diagonal, c.odd_diagonal, forth, back);
  if (pair == 7) relaxed_pair(m.jy + m.jz, s.diagonal, s.on_diagonal, c.odd_diagonal, forth, back);
  if (pair == 8) relaxed_pair(m.jy - m.jz, s.diagonal, s.on_diagonal, c.odd_diagonal, forth, back);
}

/// omega feq_i of a cell, feq_i = w_i r (1 + 3 c.u + 4.5 (c.u)^2 - 1.5 u.u). The shift only turns the leading r into
/// the deviation of r. The squares add to the mass and take away the same amount without rounding: 12 times omega/8 is
/// 3/2 omega, and omega is the sum of the weights.
CELL_GENERIC
KERNEL_FN POPULATIONS relaxed_equilibrium(MOMENTS m, RELAXATION_OF_REAL c) {
  POPULATIONS e;
  const SHARED s = shared_of(m, c);
  e.f[0] = s.rest;
  relax(0, m, s, c, &e.f[1], &e.f[2]);
  relax(1, m, s, c, &e.f[3], &e.f[4]);
  relax(2, m, s, c, &e.f[5], &e.f[6]);
  relax(3, m, s, c, &e.f[7], &e.f[8]);
  relax(4, m, s, c, &e.f[9], &e.f[10]);
  relax(5, m, s, c, &e.f[11], &e.f[12]);
  relax(6, m, s, c, &e.f[13], &e.f[14]);
  relax(7, m, s, c, &e.f[15], &e.f[16]);
  relax(8, m, s, c, &e.f[17], &e.f[18]);
  return e;
}

#undef SHARED
#undef DIAGONALS
#undef LATTICE
#endif
