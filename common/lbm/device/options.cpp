#include "common/lbm/device/options.hpp"

#include "common/base/error.hpp"
#include "common/base/text.hpp"
#include "common/lbm/solver.hpp"

namespace boltzmark::lbm {

using namespace device;
namespace {

int read_delay(const std::string& text) {
  if (text == "all") return INT_MAX;
  const auto steps = parse_number<int>(text);
  if (!steps || *steps < 1)
    throw bad_input("--delay: expected a number of steps, at least 1, or all, found \"{}\"", text);
  return *steps;
}

}  // namespace

LbmOptions read_options(const Options& options, int dimension) {
  LbmOptions read;
  static_cast<BuildOptions&>(read) = build_options(options);
  read.work_group = options.shape("work-group");
  if (dimension == 2 && read.work_group && read.work_group->z > 1)
    throw bad_input("--work-group: expected XxY for a problem in two dimensions, found {}",
                    to_string(*read.work_group));
  read.vvl = options.number("vvl");
  read.half_storage = wants_halves(options);
  read.time_block = options.number("time-block");
  read.groups = options.number("groups");
  if (options.has("reduction")) read.reduction = read_reduction(options.text("reduction"));
  read.has_single_launches = !api().records || options.text("launches") == "single";
  read.transposed = options.has("transposed");
  if (options.has("delay")) read.delay = read_delay(options.text("delay"));
  return read;
}

ModelOption reduction_option() {
  return {.name = "reduction",
          .value = "NAME",
          .help = "reduction within a work-group; default: the fastest on the device",
          .choices = reduction_names()};
}

ModelOption delay_option() {
  return {.name = "delay",
          .value = "N|all",
          .help = "time steps between two reads of the average velocities; default: all (one read at the end)",
          .worth_trying = {"1", "200", "all"}};
}

ModelOption launches_option() {
  return {.name = "launches",
          .value = "graphs|single",
          .help = "submit each launch by itself, or record many as one graph; default: graphs",
          .choices = {"graphs", "single"}};
}

}  // namespace boltzmark::lbm
