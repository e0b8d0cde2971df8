// Kernels: what they are compiled for, and building them with a cache.
#pragma once

#include <string>
#include <string_view>

#include "opencl/runtime/api.hpp"
#include "opencl/runtime/device.hpp"
#include "opencl/runtime/kernel_cache.hpp"
#include "opencl/runtime/options.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {

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
  /// more. NVIDIA devices alone can be told so; "" where the compiler may choose.
  std::string resident_kernel = "";
  int resident_groups = 1;
};

/// What all compilers are told, as -D NAME=VALUE; behind what is particular to each come the shape's own and the user's
/// (with_more).
std::string common_defines(const BuildOptions& options, const KernelShape& shape);
std::string with_more(std::string text, const BuildOptions& options, const KernelShape& shape);

/// The compiler's options for these kernels, the user's last.
std::string compiler_options(const ComputeDevice& device, const BuildOptions& options,
                             const KernelShape& shape);

/// A built program, and whether it was built from a binary.
struct BuiltProgram {
  cl::Program program;
  bool is_from_binary = false;
};

/// Builds a source for one device, from the cache's binary where it has a good one. Throws Error
/// (unavailable) with the compiler's log when it does not build.
BuiltProgram build_cached(const cl::Context& context, const ComputeDevice& device, std::string_view source,
                          const std::string& compiler_options, const KernelShape& shape,
                          const KernelCache& cache);

/// Keeps a program's binary for the next run; false where that was not possible.
bool keep_binary(const cl::Program& program, const ComputeDevice& device, std::string_view source,
                 const std::string& compiler_options, const KernelCache& cache);

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
