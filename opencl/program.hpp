// The kernels' source, and building it for a device.
#pragma once

#include <string>
#include <string_view>

#include "common/options.hpp"
#include "opencl/api.hpp"
#include "opencl/device.hpp"

namespace boltzmark {

/// kernels/fused.cl with everything that it includes.
extern const std::string_view fused_source;
/// kernels/stream.cl likewise.
extern const std::string_view stream_source;

/// What the kernels are compiled for.
struct KernelShape {
  Precision precision = Precision::f32;
  int lanes = 1;    ///< cells or elements that a work-item updates at once: 1, 2, 4, 8 or 16
  int vectors = 1;  ///< times a work-item does so in a launch
  WorkGroup group;
};

/// Compiles a source for one device, with these options after -cl-std=CL1.2. Throws Error (unavailable) with
/// the compiler's log when it does not build.
cl::Program build_program(const cl::Context& context, const OpenclDevice& device, std::string_view source,
                          const std::string& options);

/// The same for kernels of that shape.
cl::Program build_program(const cl::Context& context, const OpenclDevice& device, std::string_view source,
                          const KernelShape& shape);

}  // namespace boltzmark
