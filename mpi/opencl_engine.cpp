// Strips on OpenCL devices.
#include <fmt/format.h>

#include "mpi/engines.hpp"
#include "mpi/neighbours.hpp"
#include "mpi/opencl_model.hpp"
#include "opencl/device.hpp"
#include "opencl/options.hpp"

namespace boltzmark::mpi {
namespace {

/// Those of the OpenCL model's own options that mean something here.
std::vector<ModelOption> options_for_strips() {
  std::vector<ModelOption> options;
  for (const ModelOption& option : own_options())
    if (option.in_every_variant || option.name == "reduction") options.push_back(option);
  return options;
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
  engine.default_variant = [](const Problem&, const Options&) { return "two-grid"; };
  engine.devices = list_devices;
  engine.device_limits = [](const Options& options) { return limits_of(choose_device(options.device)); };
  engine.warning = [local_ranks](const Options& options) { return crowded_devices(options, local_ranks); };
  engine.make = [local_rank](const Options& options) { return make_opencl(options, local_rank); };
  return engine;
}

}  // namespace boltzmark::mpi
