// The options that every program of OpenCL and CUDA has.
#pragma once

#include <string>
#include <vector>

#include "common/run/options.hpp"
#include "opencl/runtime/api.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {

/// How a work-group adds up its work-items' values; kernels/reduction.h says how each does it.
enum class Reduction { linear, tree, halves, hybrid2, hybrid4, hybrid8, subgroup };
std::string to_string(Reduction reduction);
std::vector<std::string> reduction_names();
/// One of those names. Throws Error (bad_input).
Reduction read_reduction(const std::string& name);

/// What kernels are built for and how.
struct BuildOptions {
  Precision precision = Precision::f32;
  std::string compiler = "";  ///< more options for the device's compiler
  bool kernel_cache = true;
};
BuildOptions build_options(const Options& options);

/// Throws Error (bad_input) where they have this one, of a variant whose kernels are a library's.
void refuse_for_library(const Options& options, const char* name);

/// --cl-options, or --nvrtc-options, and --no-kernel-cache.
ModelOption compiler_option();
ModelOption no_cache_option();

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
