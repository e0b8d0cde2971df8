#include "mpi/lbm/device_solver.hpp"

#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "common/device/session.hpp"
#include "common/lbm/cell.h"
#include "mpi/device_ranks.hpp"
#include "mpi/lbm/halo_transfers.hpp"
#include "mpi/lbm/rank_solver.hpp"
#include "mpi/team.hpp"

namespace boltzmark::mpi {

using namespace device;
using namespace lbm;
namespace {

/// What decides how many launches hide an exchange of N halo rows, which takes latency + N row bytes / halo
/// bandwidth. One line per machine that it was measured on; there is no other yet.
struct ExchangeCosts {
  double latency;           ///< seconds
  double halo_bandwidth;    ///< bytes per second, from device to device
  double device_bandwidth;  ///< bytes per second, of a device's own memory
  int most_launches;        ///< where no number of launches hides it
};
// Two H200s of one host, through pinned memory and Open MPI 4.1 in shared memory, 2026-11-22. The latency is 40e-6
// where nothing comes between. Where nothing hides an exchange, rates from 8 to 32 launches differed by less than they
// varied.
constexpr ExchangeCosts through_hosts = {
    .latency = 100e-6, .halo_bandwidth = 2.2e9, .device_bandwidth = 3.6e12, .most_launches = 16};
// From device to device over NVLink. An estimate, not measured: a few commands one after the other, and a copy's rate.
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

/// Which rows of a device's strip each launch between two exchanges of halo rows updates.
///
/// A strip of 8 rows with 4 halo rows at either end, exchanged before every 4 steps, in launches of one step:
///
///               halo        rows of the strip       halo
///   launch 0   [ . e e e ]  [ e e e e e e e e ]  [ e e e . ]     e: at the ends, which need halo rows
///   launch 1   [ . . e e ]  [ e e e e e e e e ]  [ e e . . ]
///   launch 2   [ . . . e ]  [ e e e e e e e e ]  [ e . . . ]
///   launch 3   [ . . . . ]  [ e e e e e e e e ]  [ . . . . ]
///
/// and of 12 rows with 2:
///
///   launch 0       [ . e ]  [ e i i i i i i i i i i e ]  [ e . ]     i: inside, which need none
///   launch 1       [ . . ]  [ e e i i i i i i i i e e ]  [ . . ]
///
/// Each launch does one row fewer at either end than the one before. A launch of the rows inside and one of the ends
/// never touch what the other needs, because the rows inside begin a row further in each time.
///
/// A block of fewer launches, at the end of a run, does the last ones of the plan.
struct HaloPlan {
  int halo = 0;               ///< rows at either end, and steps between two exchanges; 0 without exchanges
  std::vector<Bands> inside;  ///< of each launch; none where the strip is too low
  std::vector<Bands> ends;    ///< of each launch: all other rows that it updates
  bool overlapped = false;    ///< the ends have a queue of their own, and run together with the next rows inside

  HaloPlan() = default;
  /// rows: of the strip. launches: between two exchanges, each of launch_steps steps.
  HaloPlan(int rows, int launches, int launch_steps, bool exchanges) : halo(exchanges ? launches * launch_steps : 0) {
    const bool has_inside = exchanges && rows > 2 * halo;
    for (int launch = 0; launch < launches; ++launch) {
      const int margin = launch_steps * (launch + 1), beyond = launches * launch_steps - margin;
      const int south = halo - beyond, at_end = beyond + margin;
      if (has_inside) {
        inside.push_back({.south = halo + margin, .south_rows = rows - 2 * margin, .north = 0, .north_rows = 0});
        ends.push_back({.south = south, .south_rows = at_end, .north = halo + rows - margin, .north_rows = at_end});
      } else {
        ends.push_back({.south = south, .south_rows = rows + 2 * beyond, .north = 0, .north_rows = 0});
      }
    }
    overlapped = has_inside && launches == 1;
  }

  int launches() const { return static_cast<int>(ends.size()); }
  bool has_inside() const { return !inside.empty(); }
};

/// Steps between two exchanges.
struct StepBlock {
  int first_step, steps;  ///< in the run
  int first_sum;          ///< of the partial sums, for the first of them
};

class DeviceSolver final : public RankSolver {
 public:
  DeviceSolver(const Problem& problem, const Options& options, int local_rank, MakeStrip make)
      : RankSolver(api().model, "none"),
        halo_method_(options.has("halo") ? options.text("halo") : ""),
        time_block_(options.number("time-block")),
        value_bytes_(bytes_of(options.precision)),
        device_(device_of_rank(options, local_rank)),
        strip_(make(device_, read_options(options, problem.parameters.dimension))) {}

  void init(const Problem& problem) override {
    // A layer costs the same whatever is in it: solid cells are masks.
    partition(problem, std::vector<std::int64_t>(static_cast<std::size_t>(problem.parameters.layers()), 1));
    devices_ = names_of_devices(device_);
    agree();
    // A rank that is alone has no neighbour but itself, and exchanges halo rows only if it is told how many.
    const bool exchanges = ranks().size() > 1 || (time_block_ && strip_->launch_steps() == 1);
    if (exchanges && !choose_halo()) return;
    const int launches = exchanges ? choose_launches(problem.parameters) : 1;
    plan_ = HaloPlan(ranks().layers(), launches, strip_->launch_steps(), exchanges);
    std::vector<Bands> largest = {plan_.ends.front()};
    if (plan_.has_inside()) largest.insert(largest.begin(), plan_.inside.front());
    const Window window = {.first_row = ranks().first_layer(), .rows = ranks().layers(), .halo = plan_.halo};
    const bool all_can = on_all(ranks().neighbours().comm, [&] {
      strip_->init(problem, window, largest);
      Session& session = strip_->session();
      ends_queue_ = plan_.overlapped ? session.another_queue() : session.queue();
      if (plan_.halo > 0) clock_.emplace(session);
    });
    if (!all_can || plan_.halo == 0) return;
    if (halo() == "ipc")
      transfers_ = make_peer_transfers(*strip_, ranks().neighbours());
    else if (halo() == "nccl")
      transfers_ = make_nccl_transfers(*strip_, ranks().neighbours());
    else
      transfers_ = std::make_unique<HostTransfers>(*strip_, ranks().neighbours());
  }

  void run(int steps, std::span<double> av_vels) override {
    state_ = 0;
    ends_done_ = {};
    inside_done_ = {};
    steps_ = steps;
    if (plan_.halo > 0) attempt("send the first halo rows", [&] { send_ends(); });
    strip_->run_steps(
        steps,
        [this](int step, int count, int first_sum) {
          do_block({step, count, first_sum});
        },
        av_vels);
    double waited = 0.0;
    if (plan_.halo > 0) attempt("read the time that halo rows took", [&] { waited = clock_->take_seconds(); });
    add_up_ranks(av_vels);
    report_halo(waited);
  }

  void collect_strip(Fields fields) override { strip_->collect(fields); }

  RunFacts facts() const override {
    RunFacts facts = strip_->facts();
    add_facts(facts);
    facts.driver += ", " + library_version();
    if (halo() == "nccl") facts.driver += ", " + nccl_version();
    facts.settings["time_block"] = plan_.launches() * strip_->launch_steps();
    facts.settings["halo_rows"] = plan_.halo;
    facts.settings["devices"] = devices_;
    return facts;
  }

 private:
  /// How halo rows travel: as was asked for, else past the hosts where each rank has a device and that works. False
  /// where another rank cannot what was asked for, and says so.
  bool choose_halo() {
    set_halo("host");
    if (!api().has_peers || halo_method_ == "host") return true;
    bool shared = !Neighbours().is_first_with(device_.pci_address);
    if (halo_method_ == "nccl") {
      set_halo("nccl");
      return on_all(ranks().neighbours().comm, [&] { expect_nccl(shared); });
    }
    // Contexts on one device are time-sliced; a kernel that polls holds its slice: three ranks on two H200s took four
    // to seven times as long device to device as through the host.
    shared = over_ranks(shared, MPI_LOR, ranks().neighbours().comm);
    if (shared && halo_method_ != "ipc") return true;
    const Peers peers = find_peers(device_, ranks().neighbours());
    open_device_ = peers.open;
    if (peers.are_reached) set_halo("ipc");
    if (peers.are_reached || halo_method_ != "ipc") return true;
    if (!peers.why_not.empty()) throw unavailable("--halo ipc: {}", peers.why_not);
    return false;
  }

  /// Throws Error (unavailable) where it is missing, or would refuse two ranks on one device.
  void expect_nccl(bool is_shared) const {
    attempt("ask NCCL for its version", [] { nccl_version(); });
    if (is_shared)
      throw unavailable("--halo nccl: expected a device for each rank, found rank {} on one that another has, {}",
                        rank_in(ranks().neighbours().comm), device_.name);
  }

  /// Launches between two exchanges: what the user wants, one where each does several steps, and one on a
  /// CPU, where halo rows that are updated twice cost core time; never more than the shortest strip has rows.
  /// The same on every rank.
  int choose_launches(const Parameters& p) const {
    const int steps = strip_->launch_steps(), fewest = ranks().fewest_layers();
    if (steps > 1) return 1;
    // Deeper halos of planes would be exchanged whole, four times the bytes of what crosses one.
    const double row_bytes = static_cast<double>(D2Q9::directions) * p.nx * value_bytes_;
    const int best = device_.type == DeviceType::cpu || p.dimension == 3
                         ? 1
                         : launches_that_hide(costs_of(halo()), row_bytes, ranks().most_layers());
    return over_ranks(std::min(time_block_.value_or(best), fewest), MPI_MIN);
  }

  /// Machines may have devices of different kinds, and a variant may be the default on one of them alone.
  void agree() const {
    if (over_ranks(strip_->launch_steps(), MPI_MIN) != over_ranks(strip_->launch_steps(), MPI_MAX))
      throw bad_input("expected one variant on all ranks, found several for their devices; name one with --variant");
  }

  void do_block(const StepBlock& block) {
    inside_before_ = inside_done_;
    std::vector<Event> halo_rows;
    if (plan_.has_inside()) enqueue_inside(block);
    if (plan_.halo > 0) {  // behind the sending of what the neighbours need
      clock_->begin(plan_.has_inside() ? inside_done_ : ends_done_);
      halo_rows = transfers_->receive(state_);
      clock_->end(halo_rows);
    }
    enqueue_ends(block, std::move(halo_rows));
    state_ = (state_ + launches_of(block)) % 2;
    if (plan_.halo > 0 && block.first_step + block.steps < steps_) send_ends();
  }

  /// The rows inside of all steps of the block, which go on while halo rows travel.
  void enqueue_inside(const StepBlock& block) {
    // The second step writes over the state from which the ends are read, and from the third row on these
    // are inside.
    const int launches = launches_of(block);
    for (int i = 0; i < launches; ++i) {
      StripLaunch launch = launch_of(block, i, plan_.inside);
      if (i == 1 && plan_.launches() > 2) launch.after = transfers_->sent();
      if (i == launches - 1) launch.done = &inside_done_;
      strip_->enqueue(launch);
    }
    strip_->session().queue()->flush();
  }

  /// All other rows, of which the first launch waits for `needed`.
  void enqueue_ends(const StepBlock& block, std::vector<Event> needed) {
    // The first launches of a round of partial sums write over those of the round before, which are added up
    // in front of this inside.
    const Event& inside = block.first_sum == 0 ? inside_done_ : inside_before_;
    if (plan_.overlapped && inside) needed.push_back(inside);
    const int launches = launches_of(block);
    for (int i = 0; i < launches; ++i) {
      StripLaunch launch = launch_of(block, i, plan_.ends);
      launch.number = plan_.has_inside() ? 1 : 0;
      launch.queue = &ends_queue_;
      if (i == 0) launch.after = needed;
      if (i == launches - 1 && plan_.halo > 0) launch.done = &ends_done_;
      strip_->enqueue(launch);
    }
    if (plan_.halo > 0) ends_queue_->flush();
    if (plan_.overlapped) {  // the next inside comes after them
      strip_->session().queue()->wait_for(Events(&ends_done_, 1));
    }
  }

  /// Enqueues the sending of what the neighbours need next, when the last launch is done.
  void send_ends() {
    std::vector<Event> after;
    if (ends_done_) after.push_back(ends_done_);
    transfers_->send(state_, after);
  }

  int launches_of(const StepBlock& block) const {
    const int steps = strip_->launch_steps();
    return (block.steps + steps - 1) / steps;
  }

  /// Launch number i of a block; a block of fewer than the plan has takes the plan's last ones.
  StripLaunch launch_of(const StepBlock& block, int i, const std::vector<Bands>& bands) const {
    const int step = i * strip_->launch_steps();
    StripLaunch launch;
    launch.bands = bands[static_cast<std::size_t>(plan_.launches() - launches_of(block) + i)];
    launch.source = (state_ + i) % 2;
    launch.steps = std::min(strip_->launch_steps(), block.steps - step);
    launch.first_sum = block.first_sum + step * strip_->sums_a_step();
    launch.is_end = block.first_step + step + launch.steps == steps_;
    return launch;
  }

  // What was asked for.
  std::string halo_method_;  ///< empty: the best that works
  std::optional<int> time_block_;
  int value_bytes_;  ///< of a population
  // Set up once.
  ComputeDevice device_;
  std::shared_ptr<void> open_device_;
  std::unique_ptr<DeviceStrip> strip_;
  HaloPlan plan_;
  Queue ends_queue_;
  std::optional<HaloClock> clock_;
  std::unique_ptr<HaloTransfers> transfers_;
  std::vector<std::string> devices_;
  // The run.
  int steps_ = 0;
  int state_ = 0;  ///< see StripLaunch::source
  Event inside_before_, inside_done_,
      ends_done_;  ///< the last launches of either kind, and of the block before
};

}  // namespace

std::unique_ptr<Solver> make_device_solver(const Problem& problem, const Options& options, int local_rank,
                                           MakeStrip make) {
  return std::make_unique<DeviceSolver>(problem, options, local_rank, make);
}

}  // namespace boltzmark::mpi
