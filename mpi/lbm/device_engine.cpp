// Strips on devices of OpenCL or CUDA.
#include <fmt/core.h>

#include "common/base/text.hpp"
#include "common/lbm/lattice.hpp"
#include "mpi/lbm/device_solver.hpp"
#include "mpi/lbm/engines.hpp"
#include "mpi/neighbours.hpp"
#include "mpi/team.hpp"
#include "opencl/lbm/block_plans.hpp"
#include "opencl/runtime/device.hpp"

namespace boltzmark::mpi::BOLTZMARK_DEVICE_API {
using namespace lbm;
using namespace boltzmark::BOLTZMARK_DEVICE_API;
namespace {

/// Those of the model's options on one device that mean something on strips.
std::vector<ModelOption> strip_options() {
  std::vector<ModelOption> options = {device_option(), work_group_option(),
                                      time_block_option({"2", "4", "8", "16"})};
  options[1].in_every_variant = true;
  options.push_back(
      {.name = "halo",
       .value = has_peer_memory ? "ipc|host" : "host",
       .help = has_peer_memory ? "how halo rows travel: from device to device, or through the host and MPI; "
                                 "default: ipc where it works on all ranks"
                               : "how halo rows travel: through the host and MPI, the only way with OpenCL",
       .choices =
           has_peer_memory ? std::vector<std::string>{"ipc", "host"} : std::vector<std::string>{"host"},
       .in_every_variant = true});
  for (const ModelOption& option : lbm_options())
    if (option.in_every_variant || option.name == "reduction") options.push_back(option);
  return options;
}

/// Several steps per launch, where the devices have the kernel for it and strips the rows. Its exchanges take
/// longer than such a launch on a small strip: there two-grid can put more steps between two of them.
const char* fastest(const Problem& problem, const Options& options) {
  if (problem.parameters.dimension == 3) return "two-grid";
  constexpr int steps_per_launch = 4;
  constexpr std::int64_t enough_cells = std::int64_t{1} << 22;
  const bool has_kernel = choose_device(options.text("device")).sub_groups == SubGroups::warps &&
                          options.precision == Precision::f32 && !options.has("reduction");
  const int ranks = MpiTeam().size(), steps = options.number("time-block").value_or(steps_per_launch);
  const bool is_possible =
      has_kernel && steps % 2 == 0 && steps <= most_launch_steps && problem.parameters.ny / ranks >= steps;
  return is_possible && (ranks == 1 || problem.cells() / ranks >= enough_cells) ? "time-block" : "two-grid";
}

std::string crowded_devices(const Options& options, int local_ranks) {
  const auto devices = choose_devices(options.text("device"));
  if (local_ranks <= static_cast<int>(devices.size())) return "";
  return fmt::format("{} of this machine share {}: {}", counted(local_ranks, "rank"),
                     counted(static_cast<std::int64_t>(devices.size()), fmt::format("{} device", api_name)),
                     devices.front().name);
}

}  // namespace

lbm::Program device_engine() {
  const Neighbours neighbours;
  const int local_rank = neighbours.rank(), local_ranks = neighbours.count();
  lbm::Program engine;
  engine.variants = {
      {.name = "two-grid",
       .summary =
           "two grids on each rank's device, one launch per step for the rows or planes inside and one for the ends",
       .options = {"time-block", "reduction"},
       .role = Role::like_for_like,
       .kinds = {D3Q19::name}},
      {.name = "time-block",
       .summary = "several steps per launch, a wavefront in registers, and as many halo rows: NVIDIA devices",
       .precisions = {Precision::f32},
       .options = {"time-block"}}};
  engine.options = strip_options();
  engine.default_variant = fastest;
  engine.devices = list_devices;
  engine.device_limits = boltzmark::BOLTZMARK_DEVICE_API::device_limits;
  engine.warning = [local_ranks](const Options& options) { return crowded_devices(options, local_ranks); };
  engine.make = [local_rank](const Problem&, const Options& options) {
    return make_device_solver(options, local_rank);
  };
  return engine;
}

}  // namespace boltzmark::mpi::BOLTZMARK_DEVICE_API
