// Strips on OpenCL devices.
#include <fmt/format.h>

#include "mpi/lbm/engines.hpp"
#include "mpi/neighbours.hpp"
#include "mpi/lbm/opencl_model.hpp"
#include "mpi/team.hpp"
#include "opencl/lbm/blocks.hpp"
#include "opencl/runtime/device.hpp"
#include "opencl/runtime/options.hpp"

namespace boltzmark::mpi {
using namespace lbm;
namespace {

/// Those of the OpenCL model's own options that mean something here.
std::vector<ModelOption> options_for_strips() {
  std::vector<ModelOption> options;
  for (const ModelOption& option : own_options())
    if (option.in_every_variant || option.name == "reduction") options.push_back(option);
  return options;
}

/// Several steps a launch, where the devices have the kernel for it and strips the rows. Its exchanges take
/// longer than such a launch on a small strip: there two-grid can put more steps between two of them
/// (mpi/README.md has figures).
const char* fastest(const Problem& problem, const Options& options) {
  constexpr int steps_a_launch = 4;
  constexpr std::int64_t enough_cells = std::int64_t{1} << 22;
  const bool has_kernel = choose_device(options.device).sub_groups == SubGroups::warps &&
                          options.precision == Precision::f32 && !options.own.contains("reduction");
  const int ranks = MpiTeam().size(), steps = options.time_block.value_or(steps_a_launch);
  const bool is_possible =
      has_kernel && steps % 2 == 0 && steps <= most_launch_steps && problem.parameters.ny / ranks >= steps;
  return is_possible && (ranks == 1 || problem.cells() / ranks >= enough_cells) ? "time-block" : "two-grid";
}

std::string crowded_devices(const Options& options, int local_ranks) {
  const auto devices = choose_devices(options.device);
  if (local_ranks <= static_cast<int>(devices.size())) return "";
  return fmt::format("{} ranks of this machine share {} OpenCL device{}: {}", local_ranks, devices.size(),
                     devices.size() == 1 ? "" : "s", devices.front().name);
}

}  // namespace

Backend opencl_engine() {
  const Neighbours neighbours;
  const int local_rank = neighbours.rank(), local_ranks = neighbours.count();
  Backend engine;
  engine.variants = {
      {.name = "two-grid",
       .summary = "two grids on each rank's device, a launch a step for the rows inside and one for the ends",
       .precisions = {Precision::f32, Precision::f64},
       .takes_time_block = true,
       .time_blocks = {1, 2, 4, 8, 16},
       .options = {"reduction"}},
      {.name = "time-block",
       .summary = "several steps a launch, a wavefront in registers, and as many halo rows: NVIDIA devices",
       .precisions = {Precision::f32},
       .takes_time_block = true,
       .time_blocks = {2, 4, 6, 8},
       .options = {}}};
  engine.takes_device = true;
  engine.takes_work_group = true;
  engine.options = options_for_strips();
  engine.default_variant = fastest;
  engine.devices = list_devices;
  engine.device_limits = [](const Options& options) { return limits_of(choose_device(options.device)); };
  engine.warning = [local_ranks](const Options& options) { return crowded_devices(options, local_ranks); };
  engine.make = [local_rank](const Options& options) { return make_opencl(options, local_rank); };
  return engine;
}

}  // namespace boltzmark::mpi
