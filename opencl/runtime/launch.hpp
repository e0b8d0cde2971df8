// Kernels with their arguments.
#pragma once

#include <string>

#include "opencl/runtime/api.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {

/// Sets the arguments of a kernel in the order of its parameters: all, or only the first ones, which are those that change
/// from launch to launch.
template <class... Arguments>
void set_arguments(cl::Kernel& kernel, const Arguments&... arguments) {
  cl_uint position = 0;
  (kernel.setArg(position++, arguments), ...);
}

/// The kernel of this name with all its arguments.
template <class... Arguments>
cl::Kernel call_of(const cl::Program& program, const char* kernel, const Arguments&... arguments) {
  cl::Kernel call(program, kernel);
  set_arguments(call, arguments...);
  return call;
}

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
