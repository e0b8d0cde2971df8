#include "opencl/runtime/options.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "common/base/error.hpp"
#include "opencl/runtime/api.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
namespace {

/// In the order of the enumeration.
constexpr std::array<const char*, 7> names = {"linear",  "tree",    "halves",  "hybrid2",
                                              "hybrid4", "hybrid8", "subgroup"};

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
          .compiler = options.text(compiler_option_name),
          .kernel_cache = !options.has("no-kernel-cache")};
}

void refuse_for_library(const Options& options, const char* name) {
  if (options.has(name))
    throw bad_input("--{}: {} does not take it, for its kernels are a library's", name, options.variant);
}

ModelOption compiler_option() {
  return {.name = compiler_option_name,
          .value = "\"OPTION ...\"",
          .help = fmt::format("more options for the device's compiler, e.g. {}", compiler_option_example),
          .in_every_variant = true};
}

ModelOption no_cache_option() {
  return {.name = "no-kernel-cache",
          .value = "",
          .help = "build the kernels anew and keep no binary of them",
          .in_every_variant = true};
}

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
