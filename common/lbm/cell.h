// The physics of one BGK cell, written once, in the common subset of C++ and OpenCL C, for every lattice: lattices/
// holds the parts of each lattice, this file the common part.
//
// In C++ everything here is a template over REAL: float, double, a SIMD pack (common/cpu/simd.hpp) or the counting type
// (counting.hpp); and over the lattice (default: D2Q9). In OpenCL C the includer defines REAL, SCALAR and MASK first
// (common/base/real.h), and LATTICE_D3Q19 for a program of that lattice.
//
// Populations are stored shifted: f[i] holds f_i - w_i * density0, the deviation from the fluid at rest. Values
// near zero keep two more digits of a float than values near density0 do, and the fluid at rest is all zeros.
#ifndef BOLTZMARK_COMMON_LBM_CELL_H
#define BOLTZMARK_COMMON_LBM_CELL_H

#include "common/base/real.h"

#ifdef REAL_IS_GENERIC
#include <array>
#include <utility>

namespace boltzmark::lbm {
struct D2Q9;
template <class REAL, class L = D2Q9>
struct Populations;
template <class REAL, class L = D2Q9>
struct Moments;
template <class SCALAR, class L = D2Q9>
struct Relaxation;

#define CELL_GENERIC template <class REAL>
#define OF_REAL <REAL>
#define RELAXATION_GENERIC template <class SCALAR>
#define SCALAR_OF_REAL typename RealTraits<REAL>::Scalar
#define MASK typename RealTraits<REAL>::Mask
#define POPULATIONS struct Populations<REAL, LATTICE>
#define MOMENTS struct Moments<REAL, LATTICE>
#define RELAXATION struct Relaxation<SCALAR, LATTICE>
#define RELAXATION_OF_REAL struct Relaxation<SCALAR_OF_REAL, LATTICE>
#else
#define CELL_GENERIC
#define OF_REAL
#define RELAXATION_GENERIC
#define SCALAR_OF_REAL SCALAR
#define POPULATIONS struct Populations
#define MOMENTS struct Moments
#define RELAXATION struct Relaxation
#define RELAXATION_OF_REAL struct Relaxation
#ifdef LATTICE_D3Q19
#define DIRECTIONS 19
#else
#define DIRECTIONS 9
#endif
#endif

/// The populations of a cell, shifted.
#ifdef REAL_IS_GENERIC
template <class REAL, class L>
struct Populations {
  REAL f[L::directions];
};
#else
struct Populations {
  REAL f[DIRECTIONS];
};
#endif

#if defined(REAL_IS_GENERIC) || !defined(LATTICE_D3Q19)
#include "common/lbm/lattices/d2q9.h"
#endif
#if defined(REAL_IS_GENERIC) || defined(LATTICE_D3Q19)
#include "common/lbm/lattices/d3q19.h"
#endif

#ifdef REAL_IS_GENERIC
/// The number of speeds that a lane adds up before they go into a sum in double precision. In uniform flow they are
/// equal and round the same way every time: the sum of n is wrong by up to n/2 units of rounding, in single precision
/// 2e-6 for these and 4e-5 for a row of 20 000 cells. An enumerator: offload code cannot read a constexpr variable.
enum : int { most_speeds_a_lane = 64 };

/// Lattice tables as compile-time constants, so that no table is copied to the device.
template <class L, int I>
struct Direction {
  enum : int { x = L::cx[I], y = L::cy[I], z = L::cz[I], opposite = L::opposite[I], is_axis = I <= L::axes };
};

#undef CELL_GENERIC
#define CELL_GENERIC template <class REAL, class L>
#define LATTICE L
#define CX(i) Direction<L, i>::x
#define OPPOSITE(i) Direction<L, i>::opposite
#define IS_AXIS(i) Direction<L, i>::is_axis
#define EACH_DIRECTION(i, expression)                                              \
  [&]<int... i>(std::integer_sequence<int, i...>) __attribute__((always_inline)) { \
    (static_cast<void>(expression), ...);                                          \
  }                                                                                \
  (std::make_integer_sequence<int, L::directions>{})
#else
#define CX(i) lattice_cx[i]
#define OPPOSITE(i) lattice_opposite[i]
#define IS_AXIS(i) ((i) <= AXES)
#define EACH_DIRECTION(i, expression) _Pragma("unroll") for (int i = 0; i < DIRECTIONS; ++i) expression
#endif

/// Speed |u| of a cell.
CELL_GENERIC
KERNEL_FN REAL speed_of(MOMENTS m, RELAXATION_OF_REAL c) { return scaled_speed_of(m) * c.speed_unit; }

/// BGK collision: f_i + omega (feq_i - f_i).
CELL_GENERIC
KERNEL_FN POPULATIONS collide(POPULATIONS a, MOMENTS m, RELAXATION_OF_REAL c) {
  POPULATIONS b = relaxed_equilibrium(m, c);
  EACH_DIRECTION(i, b.f[i] = multiply_add(a.f[i], c.keep, b.f[i]));
  return b;
}

/// Rebound: the arrived populations of a solid cell, each in the opposite direction. Opposite weights are
/// equal, so the shift drops out.
CELL_GENERIC
KERNEL_FN POPULATIONS bounce_back(POPULATIONS a) {
  POPULATIONS b;
  EACH_DIRECTION(i, b.f[i] = a.f[OPPOSITE(i)]);
  return b;
}

#define GAIN(i) (IS_AXIS(i) ? c.accel_axis : c.accel_diagonal)
#define THRESHOLD(i) (IS_AXIS(i) ? c.threshold_axis : c.threshold_diagonal)
/// Body force on a cell of the driven row: applied completely or not at all, and only where `fluid`. Populations going
/// east gain what those going west lose.
CELL_GENERIC
KERNEL_FN POPULATIONS accelerate(POPULATIONS a, MASK fluid, RELAXATION_OF_REAL c) {
  MASK pushed = fluid;
  EACH_DIRECTION(i, pushed = CX(i) < 0 ? pushed & (a.f[i] > THRESHOLD(i)) : pushed);
  EACH_DIRECTION(i, a.f[i] = CX(i) > 0   ? choose(pushed, a.f[i] + GAIN(i), a.f[i])
                             : CX(i) < 0 ? choose(pushed, a.f[i] - GAIN(i), a.f[i])
                                         : a.f[i]);
  return a;
}

/// The populations that leave a cell after its populations have `arrived`, whose moments are `m`: collided; bounced
/// back where `solid`; pushed by the body force of the next step where `driven` and fluid. Adds |u| of fluid cells, in
/// units of speed_unit, to *speeds. `any_solid` and `driven` are the same for all cells of a REAL.
CELL_GENERIC
KERNEL_FN POPULATIONS update_cell(POPULATIONS arrived, MOMENTS m, MASK solid, int any_solid, int driven,
                                  RELAXATION_OF_REAL c, REAL* speeds) {
  POPULATIONS leaving = collide(arrived, m, c);
  REAL speed = scaled_speed_of(m);
  if (any_solid) {
    const POPULATIONS bounced = bounce_back(arrived);
    EACH_DIRECTION(i, leaving.f[i] = choose(solid, bounced.f[i], leaving.f[i]));
    speed = choose(solid, speed - speed, speed);
  }
  *speeds = *speeds + speed;
  if (driven) leaving = accelerate(leaving, inverse(solid), c);
  return leaving;
}

#ifdef REAL_IS_GENERIC
}  // namespace boltzmark::lbm
#undef CELL_GENERIC
#undef OF_REAL
#undef RELAXATION_GENERIC
#undef SCALAR_OF_REAL
#undef MASK
#undef POPULATIONS
#undef MOMENTS
#undef RELAXATION
#undef RELAXATION_OF_REAL
#undef LATTICE
#undef CX
#undef OPPOSITE
#undef IS_AXIS
#undef EACH_DIRECTION
#undef GAIN
#undef THRESHOLD
#endif

#endif
