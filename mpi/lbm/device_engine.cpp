// The list of variants if each rank computes with a device of OpenCL or CUDA.
#include <fmt/core.h>

#include "common/device/device.hpp"
#include "common/lbm/cell.h"
#include "common/lbm/device/block_plans.hpp"
#include "mpi/device_ranks.hpp"
#include "mpi/halo_transfers.hpp"
#include "mpi/lbm/device_solver.hpp"
#include "mpi/neighbours.hpp"
#include "mpi/team.hpp"

namespace boltzmark::mpi {

using namespace device;
using namespace lbm;
namespace {

ModelOption depth_option() { return time_block_option({"2", "4", "8", "16"}); }

const Variant two_grid_strips = {
    .name = "two-grid",
    .summary =
        "two grids on each rank's device; per step one launch for the inner rows or planes and one for the outer",
    .role = Role::like_for_like,
    .kinds = {D3Q19::name},
    .options = {depth_option(), reduction_option()}};

int launch_steps(const Options& asked) {
  return asked.number("time-block").value_or(usual_wavefront_steps(asked.precision));
}

const Variant time_block_strips = {
    .name = "time-block",
    .summary = "for NVIDIA: several steps per launch, a wavefront in registers, and as many halo rows",
    .options = {depth_option().within(2, most_launch_steps, 2)},
    .fits = [](const Problem& problem, const Options& asked) -> std::string {
      const int steps = launch_steps(asked), ranks = MpiTeam().size();
      const int fewest = problem.parameters.layers() / ranks;
      if (ranks == 1 || steps <= fewest) return "";
      return fmt::format("--time-block: expected no more steps per launch than a rank has rows, found {} and {}", steps,
                         fewest);
    }};

/// Several steps per launch, if the devices have the kernel for it and strips enough rows. An exchange through the
/// hosts takes longer than such a launch on a small strip: there two-grid can do more steps between two exchanges.
std::string fastest(const Problem& problem, const Options& asked, int local_ranks) {
  if (problem.parameters.dimension == 3) return "two-grid";
  constexpr std::int64_t enough_cells = std::int64_t{1} << 22;
  const bool has_kernel = choose_device(asked.text("device")).sub_groups == SubGroups::warps && !asked.has("reduction");
  const int ranks = MpiTeam().size(), steps = launch_steps(asked);
  const bool is_possible = has_kernel && wavefront_pays(problem.cells() / ranks, asked.precision) && steps % 2 == 0 &&
                           steps <= most_launch_steps && problem.parameters.ny / ranks >= steps;
  const bool through_hosts =
      !api().has_peers || asked.text("halo") == "host" || !crowded_devices(asked, local_ranks).empty();
  const bool is_small = ranks > 1 && through_hosts && problem.cells() / ranks < enough_cells;
  return is_possible && !is_small ? "time-block" : "two-grid";
}

Variant variant_of_strips(Variant variant, MakeStrip make, int local_rank) {
  variant.make = [make, local_rank](const Problem& problem, const Options& asked) {
    return make_device_solver(problem, asked, local_rank, make);
  };
  return variant;
}

}  // namespace

Program device_engine() {
  Program engine;
  engine.workload = &workload;
  const Neighbours neighbours;
  engine.variants = {variant_of_strips(two_grid_strips, two_grid_strip, neighbours.rank()),
                     variant_of_strips(time_block_strips, wavefront_strip, neighbours.rank())};
  engine.options = device_options({work_group_option(), device_halo_option()});
  engine.default_variant = [local_ranks = neighbours.count()](const Problem& problem, const Options& asked) {
    return fastest(problem, asked, local_ranks);
  };
  engine.devices = list_devices;
  engine.device_limits = device_limits;
  engine.warning = [local_ranks = neighbours.count()](const Options& asked) {
    return crowded_devices(asked, local_ranks);
  };
  return engine;
}

}  // namespace boltzmark::mpi
