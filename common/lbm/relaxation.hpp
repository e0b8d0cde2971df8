// The constants of cell.h for a problem, rounded once from double precision.
#pragma once

#include <cmath>
#include <limits>

#include "common/lbm/cell.h"
#include "common/lbm/lattice.hpp"
#include "common/lbm/problem.hpp"

namespace boltzmark::lbm {

/// Weights whose sums are exact in Scalar. A collision multiplies a cell's momentum by keep + 2 odd_axis + 4
/// odd_diagonal and the deviation of its mass by keep + w_rest + 4 w_axis + 4 w_diagonal. Both are 1, but
/// with each constant rounded by itself they miss it by up to 1e-7 in single precision, the same way in every
/// cell and every step, which a slow flow adds up to 1e-4. So the last constant of each sum is what the
/// others leave, and it needs no rounding: every term is a multiple of the step that the last one has.
template <class Scalar>
Relaxation<Scalar> make_relaxation(const Parameters& p) {
  const double rest = Lattice::weight[0], axis = Lattice::weight[1], diagonal = Lattice::weight[5];
  const auto rounded = [](double value) { return static_cast<double>(static_cast<Scalar>(value)); };
  // Multiples of epsilon, the step of numbers from 1 to 2, leave differences that need no rounding; for keep
  // that is no worse than omega itself rounded to Scalar.
  constexpr double step = std::numeric_limits<Scalar>::epsilon();
  const auto stepped = [](double value) { return step * std::nearbyint(value / step); };
  const double keep = stepped(1.0 - p.omega);
  const double omega = 1.0 - keep;
  const double odd_axis = rounded(3.0 * axis * omega), odd_diagonal = (omega - 2.0 * odd_axis) / 4.0;
  const double w_rest = stepped(rest * omega), w_axis = rounded(axis * omega);
  const double w_diagonal = (omega - w_rest - 4.0 * w_axis) / 4.0;

  // The body force moves w_i * density * accel from the west-going populations to the east-going ones.
  const double accel_axis = axis * p.density * p.accel, accel_diagonal = diagonal * p.density * p.accel;
  return {
      .density0 = Scalar(p.density),
      .keep = Scalar(keep),
      .half_omega = Scalar(0.5 * omega),
      .minus_three_over_omega = Scalar(-3.0 / omega),
      .speed_unit = Scalar(2.0 / omega),
      .w_rest = Scalar(w_rest),
      .w_axis = Scalar(w_axis),
      .w_diagonal = Scalar(w_diagonal),
      .odd_axis = Scalar(odd_axis),
      .odd_diagonal = Scalar(odd_diagonal),
      .accel_axis = Scalar(accel_axis),
      .accel_diagonal = Scalar(accel_diagonal),
      .threshold_axis = Scalar(accel_axis - axis * p.density),
      .threshold_diagonal = Scalar(accel_diagonal - diagonal * p.density),
  };
}

}  // namespace boltzmark::lbm
