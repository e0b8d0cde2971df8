// The part of the program that --local chooses if each rank computes with a device of OpenCL or CUDA: variants and
// options; main.cpp adds the rest. All ranks of a run have the same.
#pragma once

#include <string>

#include "common/lbm/solver.hpp"

namespace boltzmark::mpi {

/// local: opencl or cuda. Collective. Throws Error (unavailable) for opencl if the program was built without it.
ProgramOf<lbm::Variant> device_engine(const std::string& local);

}  // namespace boltzmark::mpi
