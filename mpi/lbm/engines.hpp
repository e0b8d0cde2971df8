// What each rank computes its strip with: the part of the program that --local chooses. All ranks of a run have the
// same. The functions are collective.
#pragma once

#include "common/lbm/solver.hpp"

namespace boltzmark::mpi {

/// The threads of its process: variants, options and how solvers are made; main.cpp adds the rest.
lbm::Program cpu_engine();

/// A device of OpenCL or CUDA: device_engine.cpp, compiled for each. That of OpenCL throws Error (unavailable) where the
/// program was built without it.
namespace opencl {
lbm::Program device_engine();
}
namespace cuda {
lbm::Program device_engine();
}

}  // namespace boltzmark::mpi
