// Kernels: what they are compiled for, and building them with a cache.
#pragma once

#include <string>
#include <string_view>

#include "opencl/runtime/api.hpp"
#include "opencl/runtime/device.hpp"
#include "opencl/runtime/kernel_cache.hpp"
#include "opencl/runtime/options.hpp"

namespace boltzmark::opencl {

/// What the kernels are compiled for.
struct KernelShape {
  WorkGroup group;
  Reduction reduction = Reduction::halves;
  int lanes = 1;             ///< cells or elements a work-item updates at once: 1, 2, 4, 8 or 16
  int vectors = 1;           ///< times a work-item does so in each step, along a row
  std::string defines = "";  ///< more options, e.g. "-D MASKED"
  bool native_math = false;  ///< the device's own root and reciprocal, where they are good enough
  /// Of the kernel of this name a compute unit must hold so many groups at once: registers enough for that and no
  /// more. NVIDIA devices alone can be told so; "" where the compiler may choose.
  std::string resident_kernel = "";
  int resident_groups = 1;
};

/// The compiler's options for these kernels behind -cl-std, the user's last.
std::string compiler_options(const OpenclDevice& device, const BuildOptions& options,
                             const KernelShape& shape);

/// A built program, and whether it was built from a binary.
struct BuiltProgram {
  cl::Program program;
  bool is_from_binary = false;
};

/// PTX in which the kernel of this name is told to leave room for so many groups of it; the same PTX where it has no
/// such kernel with a fixed work-group.
std::string with_resident_groups(std::string ptx, const std::string& kernel, int groups);

/// Builds a source for one device, from the cache's binary where it has a good one. Throws Error
/// (unavailable) with the compiler's log when it does not build.
BuiltProgram build_cached(const cl::Context& context, const OpenclDevice& device, std::string_view source,
                          const std::string& compiler_options, const KernelShape& shape,
                          const KernelCache& cache);

/// Keeps a program's binary for the next run; false where that was not possible.
bool keep_binary(const cl::Program& program, const OpenclDevice& device, std::string_view source,
                 const std::string& compiler_options, const KernelCache& cache);

}  // namespace boltzmark::opencl
