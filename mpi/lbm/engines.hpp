// What a rank works on its strip with: the part of the program that --local chooses. All ranks of a run have
// the same.
#pragma once

#include "common/lbm/solver.hpp"

namespace boltzmark::mpi {

/// The threads of its process: variants, options and how models are made; main.cpp adds the rest.
Backend cpu_engine();

/// An OpenCL device. Throws Error (unavailable) where the program was built without OpenCL.
Backend opencl_engine();

}  // namespace boltzmark::mpi
