// What every program of devices says of itself.
#pragma once

#include <fmt/core.h>

#include <string>
#include <utility>
#include <vector>

#include "opencl/runtime/device.hpp"
#include "opencl/runtime/options.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {

/// Model, build and devices of a workload's program, which does `what` "on a device of OpenCL".
template <class Program>
void describe(Program& program, const std::string& what) {
  program.model = model_name;
  program.summary = fmt::format("{} on a device of {}", what, api_name);
  program.compiles_kernels = true;
  program.build = BOLTZMARK_BUILD_INFO;
  program.devices = list_devices;
  program.device_limits = device_limits;
}

/// --device, `own`, and those of the compiler.
inline std::vector<ModelOption> device_options(std::vector<ModelOption> own = {}) {
  own.insert(own.begin(), device_option());
  own.push_back(compiler_option());
  own.push_back(no_cache_option());
  return own;
}

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
