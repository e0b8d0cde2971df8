#include "opencl/runtime/program.hpp"

#include "opencl/runtime/error.hpp"

namespace boltzmark::opencl {

cl::Program build_program(const cl::Context& context, const ComputeDevice& device, std::string_view source,
                          const std::string& options) {
  const std::string all_options =
      (options.find("-cl-std=") == options.npos ? "-cl-std=CL1.2 " : "") + options;
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

}  // namespace boltzmark::opencl
