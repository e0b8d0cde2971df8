// The constants of cell.h for a problem, rounded once from double precision.
#pragma once

#include "common/cell.h"
#include "common/lattice.hpp"
#include "common/problem.hpp"

namespace boltzmark {

template <class Scalar>
Relaxation<Scalar> make_relaxation(const Parameters& p) {
  const double rest = Lattice::weight[0], axis = Lattice::weight[1], diagonal = Lattice::weight[5];
  // The body force moves w_i * density * accel from the west-going populations to the east-going ones.
  const double accel_axis = axis * p.density * p.accel, accel_diagonal = diagonal * p.density * p.accel;
  return {
      .density0 = Scalar(p.density),
      .keep = Scalar(1.0 - p.omega),
      .w_rest = Scalar(p.omega * rest),
      .w_axis = Scalar(p.omega * axis),
      .w_diagonal = Scalar(p.omega * diagonal),
      .accel_axis = Scalar(accel_axis),
      .accel_diagonal = Scalar(accel_diagonal),
      .threshold_axis = Scalar(accel_axis - axis * p.density),
      .threshold_diagonal = Scalar(accel_diagonal - diagonal * p.density),
  };
}

}  // namespace boltzmark
