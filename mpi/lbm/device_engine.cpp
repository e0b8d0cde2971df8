// Ranks that compute with a device of OpenCL or CUDA each: a strip of rows, for its steps see strip_run.hpp, and the
// list of variants.
#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "common/device/device.hpp"
#include "common/device/session.hpp"
#include "common/lbm/cell.h"
#include "common/lbm/device/block_plans.hpp"
#include "common/lbm/device/strip.hpp"
#include "mpi/device_ranks.hpp"
#include "mpi/halo_transfers.hpp"
#include "mpi/lbm/block_solver.hpp"
#include "mpi/nccl_ranks.hpp"
#include "mpi/neighbours.hpp"
#include "mpi/strip_run.hpp"
#include "mpi/team.hpp"

namespace boltzmark::mpi {

using namespace device;
using namespace lbm;
namespace {

/// The strip of a variant, as in strip.hpp.
using MakeStrip = std::unique_ptr<DeviceStrip>(const ComputeDevice&, const LbmOptions&);

/// Parameters for the number of launches that hide an exchange of N halo rows, which takes latency + N row bytes / halo
/// bandwidth. One line per measured machine; so far there is only one.
struct ExchangeCosts {
  double latency;           ///< seconds
  double halo_bandwidth;    ///< bytes per second, from device to device
  double device_bandwidth;  ///< bytes per second, of a device's own memory
  int most_launches;        ///< if no number of launches hides it
};
// Two H200s of one host, through pinned memory and Open MPI 4.1 in shared memory, 2026-11-22. The latency is 40e-6
// without other work. If nothing hides an exchange, rates for 8 to 32 launches differed by less than their noise.
constexpr ExchangeCosts through_hosts = {
    .latency = 100e-6, .halo_bandwidth = 2.2e9, .device_bandwidth = 3.6e12, .most_launches = 16};
// From device to device over NVLink. An estimate, not measured: a few commands in sequence, and the rate of a copy.
constexpr ExchangeCosts between_devices = {
    .latency = 25e-6, .halo_bandwidth = 150e9, .device_bandwidth = 3.6e12, .most_launches = 16};
// The same by NCCL, whose kernel for an exchange costs more than two copies. An estimate, not measured.
constexpr ExchangeCosts by_nccl = {
    .latency = 40e-6, .halo_bandwidth = 150e9, .device_bandwidth = 3.6e12, .most_launches = 16};

const ExchangeCosts& costs_of(const std::string& halo) {
  return halo == "host" ? through_hosts : halo == "ipc" ? between_devices : by_nccl;
}

/// Launches, of one step each, that hide an exchange of as many halo rows of a strip of `rows` rows.
int launches_that_hide(const ExchangeCosts& costs, double row_bytes, int rows) {
  const double halo_row = row_bytes / costs.halo_bandwidth;
  const double launch = 2 * row_bytes * rows / costs.device_bandwidth;
  if (launch <= halo_row) return costs.most_launches;
  return static_cast<int>(std::min<double>(std::ceil(costs.latency / (launch - halo_row)), costs.most_launches));
}

class DeviceSolver final : public RankSolver {
 public:
  DeviceSolver(const Problem& problem, const Options& options, int local_rank, MakeStrip make)
      : RankSolver(api().model, "none"),
        asked_(options),
        time_block_(options.number("time-block")),
        value_bytes_(bytes_of(options.precision)),
        device_(device_of_rank(options, local_rank)),
        strip_(make(device_, read_options(options, problem.parameters.dimension))) {}

  void init(const Problem& problem) override {
    // All layers cost the same, because solid cells are masked.
    partition(problem, std::vector<std::int64_t>(static_cast<std::size_t>(problem.parameters.layers()), 1));
    devices_ = names_of_devices(device_);
    agree();
    // A single rank has no neighbour but itself, and exchanges halo rows only if their number is given.
    const bool exchanges = ranks().size() > 1 || (time_block_ && strip_->launch_steps() == 1);
    const RankPair neighbours = ranks().neighbours();
    if (exchanges) {
      way_ = choose_halo(asked_, device_, neighbours);
      if (!way_) return;
      set_halo(way_->name);
    }
    const int launches = exchanges ? choose_launches(problem.parameters) : 1, steps = strip_->launch_steps();
    plan_ = way_ && way_->name == "ipc" && strip_->let_launches_send()
                ? HaloPlan::of_sending_launches(ranks().layers(), steps)
                : HaloPlan(ranks().layers(), launches, steps, exchanges, exchanges);
    const Window window = {.first_row = ranks().first_layer(), .rows = ranks().layers(), .halo = plan_.halo};
    const bool all_can = on_all(neighbours.comm, [&] {
      strip_->init(problem, window, plan_.largest());
      run_.emplace(*strip_, plan_);
    });
    if (all_can && plan_.halo > 0) run_->connect(*way_, neighbours);
  }

  void run(int steps, std::span<double> av_vels) override {
    const double waited = run_->run(0, steps, av_vels);
    add_up_ranks(av_vels);
    report_halo(waited);
  }

  void collect_strip(Fields fields) override { strip_->collect(fields); }

  RunFacts facts() const override {
    RunFacts facts = strip_->facts();
    add_facts(facts);
    facts.driver += ", " + library_version();
    if (halo() == "nccl") facts.driver += ", " + nccl_version("--halo nccl");
    facts.settings["time_block"] = plan_.launches() * strip_->launch_steps();
    facts.settings["halo_rows"] = plan_.halo;
    if (plan_.is_sent_by_launches) {
      facts.settings["halo_sent_by"] = "launches";
      facts.settings.erase("halo_seconds");  // no clock distinguishes them from the rest of a launch
      facts.settings.erase("halo_seconds_most");
    }
    facts.settings["devices"] = devices_;
    return facts;
  }

 private:
  /// Launches between two exchanges: the user's choice; one if each launch does several steps, and one on a CPU, where
  /// updating halo rows twice costs core time; never more than the rows of the shortest strip. The same on every rank.
  int choose_launches(const Parameters& p) const {
    const int steps = strip_->launch_steps(), fewest = ranks().fewest_layers();
    if (steps > 1) return 1;
    // Deeper halos of planes would be exchanged completely, with four times the bytes that cross one plane.
    const double row_bytes = static_cast<double>(D2Q9::directions) * p.nx * value_bytes_;
    const int best = device_.type == DeviceType::cpu || p.dimension == 3
                         ? 1
                         : launches_that_hide(costs_of(halo()), row_bytes, ranks().most_layers());
    return over_ranks(std::min(time_block_.value_or(best), fewest), MPI_MIN);
  }

  /// Machines may have devices of different kinds, and a variant may be the default on only one of them.
  void agree() const {
    if (over_ranks(strip_->launch_steps(), MPI_MIN) != over_ranks(strip_->launch_steps(), MPI_MAX))
      throw bad_input("expected one variant on all ranks, found several for their devices; name one with --variant");
  }

  // The requested options.
  Options asked_;
  std::optional<int> time_block_;
  int value_bytes_;  ///< of a population
  // Set up once.
  ComputeDevice device_;
  std::optional<HaloWay> way_;
  std::unique_ptr<DeviceStrip> strip_;
  HaloPlan plan_;
  std::optional<StripRun> run_;
  std::vector<std::string> devices_;
};

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
  const bool exchanges_by_hosts =
      !api().has_peers || asked.text("halo") == "host" || !crowded_devices(asked, local_ranks).empty();
  const bool is_small = ranks > 1 && exchanges_by_hosts && problem.cells() / ranks < enough_cells;
  return is_possible && !is_small ? "time-block" : "two-grid";
}

Variant variant_of_strips(Variant variant, MakeStrip make, int local_rank) {
  variant.make = [make, local_rank](const Problem& problem, const Options& asked) {
    return std::make_unique<DeviceSolver>(problem, asked, local_rank, make);
  };
  return variant;
}

}  // namespace

/// The part of the program for --local with devices: variants and options for the device API in use; run_on_local()
/// adds the rest. It is the same on all ranks of a run. Collective.
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
