// The constants of cell.h for a problem, rounded once from double precision.
#pragma once

#include <limits>

#include "common/lbm/cell.h"
#include "common/lbm/problem.hpp"

namespace boltzmark::lbm {

/// Weights whose sums are exact in Scalar. A collision multiplies a cell's momentum by keep plus the sum of odd c_ix^2
/// over all directions, and the deviation of its mass by keep plus the sum of the w. Both should be 1, but with each
/// constant rounded separately they are off by up to 1e-7 in single precision, in the same direction in every cell and
/// every step, which in a slow flow adds up to 1e-4. So the last constant of each sum is the remainder, which needs no
/// rounding: every term is a multiple of its last digit.
template <class Scalar, class L = D2Q9>
Relaxation<Scalar, L> make_relaxation(const Parameters& p) {
  const auto rounded = [](double value) { return static_cast<double>(static_cast<Scalar>(value)); };
  // Differences of multiples of epsilon, the spacing of numbers from 1 to 2, need no rounding; for keep that is no
  // worse than omega rounded to Scalar.
  constexpr double epsilon = std::numeric_limits<Scalar>::epsilon();
  const auto stepped = [](double value, double step) { return step * std::nearbyint(value / step); };
  const double keep = stepped(1.0 - p.omega, epsilon), omega = 1.0 - keep;
  double w_rest, w_axis, w_diagonal, odd_axis, odd_diagonal;
  Relaxation<Scalar, L> c{};
  if constexpr (L::dimension == 2) {
    odd_axis = rounded(3.0 * L::w_axis * omega);
    odd_diagonal = (omega - 2.0 * odd_axis) / 4.0;
    w_rest = stepped(L::w_rest * omega, epsilon);
    w_axis = rounded(L::w_axis * omega);
    w_diagonal = (omega - w_rest - 4.0 * w_axis) / 4.0;
    c.half_omega = Scalar(0.5 * omega);
    c.minus_three_over_omega = Scalar(-3.0 / omega);
    c.speed_unit = Scalar(2.0 / omega);
  } else {  // a twelfth would have to be rounded, so here the remainder is the population at rest
    odd_diagonal = rounded(3.0 * L::w_diagonal * omega);
    odd_axis = (omega - 8.0 * odd_diagonal) / 2.0;
    w_axis = stepped(L::w_axis * omega, epsilon / 4.0);
    w_diagonal = stepped(L::w_diagonal * omega, epsilon / 8.0);
    w_rest = omega - 6.0 * w_axis - 12.0 * w_diagonal;
    c.eighth_omega = Scalar(0.125 * omega);
    c.speed_unit = Scalar(1);
  }
  // The body force moves w_i * density * accel from the west-going populations to the east-going ones.
  const double accel_axis = L::w_axis * p.density * p.accel, accel_diagonal = L::w_diagonal * p.density * p.accel;
  c.density0 = Scalar(p.density);
  c.keep = Scalar(keep);
  c.w_rest = Scalar(w_rest);
  c.w_axis = Scalar(w_axis);
  c.w_diagonal = Scalar(w_diagonal);
  c.odd_axis = Scalar(odd_axis);
  c.odd_diagonal = Scalar(odd_diagonal);
  c.accel_axis = Scalar(accel_axis);
  c.accel_diagonal = Scalar(accel_diagonal);
  c.threshold_axis = Scalar(accel_axis - L::w_axis * p.density);
  c.threshold_diagonal = Scalar(accel_diagonal - L::w_diagonal * p.density);
  return c;
}

}  // namespace boltzmark::lbm
