// What each rank computes its strip with: the part of the program that --local chooses. All ranks of a run have the
// same. Both functions are collective.
#pragma once

#include "common/lbm/solver.hpp"

namespace boltzmark::mpi {

/// The threads of its process: variants, options and how solvers are made; main.cpp adds the rest.
lbm::Program cpu_engine();

/// An OpenCL device. Throws Error (unavailable) where the program was built without OpenCL.
lbm::Program opencl_engine();

}  // namespace boltzmark::mpi
