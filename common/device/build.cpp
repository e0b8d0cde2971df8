#include "common/device/build.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "common/base/error.hpp"
#include "common/device/api.hpp"

namespace boltzmark::device {
namespace {

/// In the order of the enumeration.
constexpr std::array<const char*, 7> names = {"linear", "tree", "halves", "hybrid2", "hybrid4", "hybrid8", "subgroup"};

}  // namespace

std::string to_string(Reduction reduction) { return names[static_cast<std::size_t>(reduction)]; }

std::vector<std::string> reduction_names() { return {names.begin(), names.end()}; }

Reduction read_reduction(const std::string& name) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) throw bad_input("--reduction: expected one that --help names, found \"{}\"", name);
  return static_cast<Reduction>(at - names.begin());
}

BuildOptions build_options(const Options& options) {
  return {.precision = options.precision,
          .compiler = options.text(api().compiler_option),
          .kernel_cache = !options.has("no-kernel-cache")};
}

ModelOption lanes_option() {
  ModelOption lanes = vector_length_option();
  lanes.range.reset();
  lanes.choices = {"1", "2", "4", "8", "16"};
  return lanes;
}

void refuse_for_library(const Options& options, const char* name) {
  if (options.has(name))
    throw bad_input("--{}: {} does not take it, for its kernels are a library's", name, options.variant);
}

std::string common_defines(const BuildOptions& options, const KernelShape& shape) {
  std::string text =
      fmt::format("-D REDUCTION={} -D GROUP_X={} -D GROUP_Y={} -D GROUP_Z={} -D LANES={} -D VECTORS={}",
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

}  // namespace boltzmark::device
