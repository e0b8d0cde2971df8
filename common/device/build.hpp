// What kernels are built for and how.
#pragma once

#include <string>
#include <vector>

#include "common/run/options.hpp"

namespace boltzmark::device {

/// How a work-group adds up its work-items' values; opencl/runtime/kernels/reduction.h says how each does it.
enum class Reduction { linear, tree, halves, hybrid2, hybrid4, hybrid8, subgroup };
std::string to_string(Reduction reduction);
std::vector<std::string> reduction_names();
/// One of those names. Throws Error (bad_input).
Reduction read_reduction(const std::string& name);

struct BuildOptions {
  Precision precision = Precision::f32;
  std::string compiler = "";  ///< more options for the device's compiler
  bool kernel_cache = true;
};
BuildOptions build_options(const Options& options);

/// --vvl of kernels that are built for vectors of 1, 2, 4, 8 and 16 values.
ModelOption lanes_option();

/// Throws Error (bad_input) where they have this one, of a variant whose kernels are a library's.
void refuse_for_library(const Options& options, const char* name);

/// What the kernels are compiled for.
struct KernelShape {
  WorkGroup group;
  Reduction reduction = Reduction::halves;
  int lanes = 1;             ///< cells or elements a work-item updates at once: 1, 2, 4, 8 or 16
  int vectors = 1;           ///< times a work-item does so in each step, along a row
  std::string defines = "";  ///< more options, e.g. "-D MASKED"
  int most_registers = 0;    ///< of a work-item, NVIDIA devices alone; 0: as the compiler sees fit
  bool native_math = false;  ///< the device's own root and reciprocal, where they are good enough
  /// Of the kernel of this name a compute unit must hold so many groups at once: registers enough for that and no
  /// more. NVIDIA's OpenCL alone can be told so; "" where the compiler may choose.
  std::string resident_kernel = "";
  int resident_groups = 1;
};

/// What all compilers are told, as -D NAME=VALUE; after an API's own options come the shape's and the user's
/// (with_more).
std::string common_defines(const BuildOptions& options, const KernelShape& shape);
std::string with_more(std::string text, const BuildOptions& options, const KernelShape& shape);

}  // namespace boltzmark::device
