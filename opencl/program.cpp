#include "opencl/program.hpp"

#include <fmt/format.h>

#include "opencl/error.hpp"

namespace boltzmark {

cl::Program build_program(const cl::Context& context, const OpenclDevice& device, std::string_view source,
                          const std::string& options) {
  const std::string all_options = "-cl-std=CL1.2 " + options;
  cl::Program program =
      attempt("read the OpenCL kernels", [&] { return cl::Program(context, std::string(source)); });
  try {
    program.build(device.handle, all_options.c_str());
  } catch (const cl::Error& error) {
    throw unavailable("cannot build the OpenCL kernels for {} ({}, {}): {}\n{}", device.name, device.driver,
                      all_options, status_name(error.err()),
                      program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device.handle));
  }
  return program;
}

cl::Program build_program(const cl::Context& context, const OpenclDevice& device, std::string_view source,
                          const KernelShape& shape) {
  // Ahead of the flow that spreads from the driven row, populations fade through the denormal numbers, on
  // which many CPUs calculate several times more slowly.
  return build_program(
      context, device, source,
      fmt::format("-cl-denorms-are-zero -D LANES={} -D VECTORS={} -D GROUP_X={} -D GROUP_Y={}{}", shape.lanes,
                  shape.vectors, shape.group.x, shape.group.y,
                  shape.precision == Precision::f64 ? " -D DOUBLES" : ""));
}

}  // namespace boltzmark
