#include "opencl/runtime/options.hpp"

#include <array>
#include <charconv>
#include <climits>

#include "common/base/error.hpp"

namespace boltzmark {
namespace {

/// In the order of the enumeration.
constexpr std::array<const char*, 7> reduction_names = {"linear",  "tree",    "halves",  "hybrid2",
                                                        "hybrid4", "hybrid8", "subgroup"};

Reduction read_reduction(const std::string& text) {
  for (std::size_t i = 0; i < reduction_names.size(); ++i)
    if (text == reduction_names[i]) return static_cast<Reduction>(i);
  throw bad_input("--reduction: expected one that --help names, found \"{}\"", text);
}

int read_delay(const std::string& text) {
  if (text == "all") return INT_MAX;
  int steps = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, steps);
  if (read.ec != std::errc{} || read.ptr != end || steps < 1)
    throw bad_input("--delay: expected a number of steps, at least 1, or all, found \"{}\"", text);
  return steps;
}

}  // namespace

std::string to_string(Reduction reduction) { return reduction_names[static_cast<std::size_t>(reduction)]; }

std::string delay_text(int delay) { return delay == INT_MAX ? "all" : std::to_string(delay); }

std::vector<ModelOption> own_options() {
  return {
      {.name = "storage",
       .value = "f32|f16",
       .help = "how populations lie in memory in single precision; f16: half the bytes, three digits",
       .choices = {"f32", "f16"}},
      {.name = "reduction",
       .value = "NAME",
       .help = "how a work-group adds up; default: the fastest on the device",
       .choices = {reduction_names.begin(), reduction_names.end()}},
      {.name = "delay",
       .value = "N|all",
       .help = "time steps between two reads of the average velocities; default: all, one read at the end",
       .worth_trying = {"1", "200", "all"}},
      {.name = "transposed",
       .value = "",
       .help = "map the first index of work-items across the rows, to show what uncoalesced access costs"},
      {.name = "cl-options",
       .value = "\"OPTION ...\"",
       .help = "more options for the device's compiler, e.g. -cl-fast-relaxed-math",
       .in_every_variant = true},
      {.name = "no-kernel-cache",
       .value = "",
       .help = "build the kernels anew and keep no binary of them",
       .in_every_variant = true}};
}

OpenclOptions read_options(const Options& options) {
  OpenclOptions read;
  read.precision = options.precision;
  read.work_group = options.work_group;
  read.time_block = options.time_block;
  read.lanes = options.vvl;
  for (const auto& [name, text] : options.own) {
    if (name == "reduction") read.reduction = read_reduction(text);
    if (name == "storage") read.half_storage = text == "f16";
    if (name == "transposed") read.transposed = true;
    if (name == "delay") read.delay = read_delay(text);
    if (name == "cl-options") read.compiler = text;
    if (name == "no-kernel-cache") read.kernel_cache = false;
  }
  return read;
}

}  // namespace boltzmark
