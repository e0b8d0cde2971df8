#include "mpi/lbm/device_solver.hpp"

#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "common/device/session.hpp"
#include "common/lbm/cell.h"
#include "mpi/device_ranks.hpp"
#include "mpi/lbm/rank_solver.hpp"
#include "mpi/nccl_ranks.hpp"
#include "mpi/strip_run.hpp"
#include "mpi/team.hpp"

namespace boltzmark::mpi {

using namespace device;
using namespace lbm;
namespace {

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

}  // namespace

std::unique_ptr<Solver> make_device_solver(const Problem& problem, const Options& options, int local_rank,
                                           MakeStrip make) {
  return std::make_unique<DeviceSolver>(problem, options, local_rank, make);
}

}  // namespace boltzmark::mpi
