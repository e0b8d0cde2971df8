#include "opencl/lbm/options.hpp"

#include <climits>

#include "common/base/error.hpp"
#include "common/base/text.hpp"
#include "opencl/runtime/work_group.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
namespace {

int read_delay(const std::string& text) {
  if (text == "all") return INT_MAX;
  const auto steps = parse_number<int>(text);
  if (!steps || *steps < 1)
    throw bad_input("--delay: expected a number of steps, at least 1, or all, found \"{}\"", text);
  return *steps;
}

}  // namespace

std::string delay_text(int delay) { return delay == INT_MAX ? "all" : std::to_string(delay); }

std::vector<ModelOption> lbm_options() {
  std::vector<ModelOption> options = {
      work_group_option(),
      vector_length_option(),
      time_block_option({"2", "4", "6", "8"}),
      {.name = "groups",
       .value = "N",
       .help = "work-groups of one work-item, each with a band of rows; default: one a compute unit",
       .range = {{1, 65536}}},
      {.name = "storage",
       .value = "f32|f16",
       .help = "how populations lie in memory in single precision; f16: half the bytes, three digits",
       .choices = {"f32", "f16"}},
      {.name = "reduction",
       .value = "NAME",
       .help = "how a work-group adds up; default: the fastest on the device",
       .choices = reduction_names()},
      {.name = "delay",
       .value = "N|all",
       .help = "time steps between two reads of the average velocities; default: all, one read at the end",
       .worth_trying = {"1", "200", "all"}},
      {.name = "transposed",
       .value = "",
       .help = "map the first index of work-items across the rows, to show what uncoalesced access costs"},
      compiler_option(),
      no_cache_option()};
  if (Repeated::is_recorded)
    options.push_back({.name = "launches",
                       .value = "graphs|single",
                       .help = "whether launches are recorded, many of them as one graph; default: graphs",
                       .choices = {"graphs", "single"}});
  return options;
}

LbmOptions read_options(const Options& options) {
  LbmOptions read;
  static_cast<BuildOptions&>(read) = build_options(options);
  read.work_group = options.shape("work-group");
  read.lanes = options.number("vvl");
  read.half_storage = options.text("storage") == "f16";
  read.time_block = options.number("time-block");
  read.groups = options.number("groups");
  if (options.has("reduction")) read.reduction = read_reduction(options.text("reduction"));
  read.has_single_launches = !Repeated::is_recorded || options.text("launches") == "single";
  read.transposed = options.has("transposed");
  if (options.has("delay")) read.delay = read_delay(options.text("delay"));
  return read;
}

void check_flat(const LbmOptions& options) {
  if (options.work_group && options.work_group->z > 1)
    throw bad_input("--work-group: expected XxY for a problem in two dimensions, found {}",
                    to_string(*options.work_group));
}

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
