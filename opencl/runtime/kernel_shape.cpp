// What kernels are told of their shape, whatever compiles them.
#include <fmt/core.h>

#include "opencl/runtime/kernel_build.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {

std::string common_defines(const BuildOptions& options, const KernelShape& shape) {
  std::string text = fmt::format(
      "-D REDUCTION={} -D GROUP_X={} -D GROUP_Y={} -D GROUP_Z={} -D LANES={} -D VECTORS={}",
      to_string(shape.reduction), shape.group.x, shape.group.y, shape.group.z, shape.lanes, shape.vectors);
  if (options.precision == Precision::f64) text += " -D DOUBLES";
  if (!shape.resident_kernel.empty()) text += fmt::format(" -D RESIDENT_GROUPS={}", shape.resident_groups);
  return text;
}

std::string with_more(std::string text, const BuildOptions& options, const KernelShape& shape) {
  for (const std::string& more : {shape.defines, options.compiler})
    if (!more.empty()) text += " " + more;
  return text;
}

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
