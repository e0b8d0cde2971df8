#include "opencl/runtime/kernel_build.hpp"

#include <fmt/core.h>

#include "opencl/runtime/error.hpp"
#include "opencl/runtime/program.hpp"
#include "opencl/runtime/resident_groups.hpp"

namespace boltzmark::opencl {
namespace {

/// Everything that a binary depends on.
std::string cache_key(const ComputeDevice& device, std::string_view source, const std::string& options) {
  return fmt::format("{}\n{}\n{}\n{}", device.name, device.driver, options, source);
}

/// Nothing when there is no binary in the cache, or none that the driver takes.
std::optional<cl::Program> build_from_binary(const cl::Context& context, const ComputeDevice& device,
                                             const std::string& options, const std::string& key,
                                             const KernelCache& cache) {
  const auto binary = cache.find(key);
  if (!binary) return {};
  try {
    cl::Program program(context, {device.handle}, {*binary});
    program.build(device.handle, options.c_str());
    return program;
  } catch (const cl::Error&) {
    return {};
  }
}

}  // namespace

std::string compiler_options(const ComputeDevice& device, const BuildOptions& options,
                             const KernelShape& shape) {
  const bool wants_sub_groups = shape.reduction == Reduction::subgroup;
  const bool standard = wants_sub_groups && device.sub_groups == SubGroups::standard;
  // Ahead of the flow that spreads from the driven row, populations fade through the denormal numbers, on
  // which many CPUs calculate several times more slowly.
  std::string text =
      fmt::format("-cl-std={} -cl-denorms-are-zero {}", standard ? device.sub_group_language : "CL1.2",
                  common_defines(options, shape));
  if (wants_sub_groups) text += standard ? " -D SUB_GROUPS" : " -D WARP_SHUFFLES";
  // Those of NVIDIA are good to a unit in the last place or two; of others nothing is promised.
  if (shape.native_math && device.sub_groups == SubGroups::warps) text += " -D NATIVE_MATH";
  if (shape.most_registers > 0) text += fmt::format(" -cl-nv-maxrregcount={}", shape.most_registers);
  return with_more(text, options, shape);
}

std::string with_resident_groups(std::string ptx, const std::string& kernel, int groups) {
  const auto entry = ptx.find(".entry " + kernel);
  const auto group_size = ptx.find(".reqntid", entry);
  const auto body = ptx.find('{', entry);
  if (entry == ptx.npos || group_size == ptx.npos || group_size > body) return ptx;
  return ptx.insert(ptx.find('\n', group_size), fmt::format("\n.minnctapersm {}", groups));
}

BuiltProgram build_cached(const cl::Context& context, const ComputeDevice& device, std::string_view source,
                          const std::string& compiler_options, const KernelShape& shape,
                          const KernelCache& cache) {
  const std::string key = cache_key(device, source, compiler_options);
  if (const auto program = build_from_binary(context, device, compiler_options, key, cache))
    return {*program, true};
  cl::Program program = build_program(context, device, source, compiler_options);
  if (shape.resident_kernel.empty() || device.sub_groups != SubGroups::warps) return {program, false};
  return attempt("build kernels from PTX", [&]() -> BuiltProgram {
    const auto binary = program.getInfo<CL_PROGRAM_BINARIES>().at(0);
    const std::string ptx =
        with_resident_groups({binary.begin(), binary.end()}, shape.resident_kernel, shape.resident_groups);
    cl::Program rebuilt(context, {device.handle}, {std::vector<unsigned char>(ptx.begin(), ptx.end())});
    rebuilt.build(device.handle, compiler_options.c_str());
    return {rebuilt, false};
  });
}

bool keep_binary(const cl::Program& program, const ComputeDevice& device, std::string_view source,
                 const std::string& compiler_options, const KernelCache& cache) {
  if (!cache.can_store()) return false;  // before PoCL compiles every kernel once more for its binary
  try {
    const auto binaries = program.getInfo<CL_PROGRAM_BINARIES>();
    return !binaries.empty() && cache.store(cache_key(device, source, compiler_options), binaries[0]);
  } catch (const cl::Error&) {
    return false;
  }
}

}  // namespace boltzmark::opencl
