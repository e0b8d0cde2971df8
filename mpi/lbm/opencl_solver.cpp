#include "mpi/lbm/opencl_model.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <optional>

#include "common/lbm/lattice.hpp"
#include "common/run/provenance.hpp"
#include "mpi/lbm/halo_clock.hpp"
#include "mpi/library.hpp"
#include "mpi/lbm/rank_model.hpp"
#include "opencl/lbm/device_strip.hpp"
#include "opencl/runtime/error.hpp"
#include "opencl/runtime/pinned_memory.hpp"

namespace boltzmark::mpi {
using namespace lbm;
namespace {

/// The one of the devices that are wanted that is this rank's turn.
OpenclDevice device_of_rank(const Options& options, int local_rank) {
  const auto devices = choose_devices(options.device);
  const OpenclDevice& device = devices[static_cast<std::size_t>(local_rank) % devices.size()];
  if (options.precision == Precision::f64 && !device.has_doubles)
    throw unavailable("--precision: {} has no double precision", device.name);
  return device;
}

class OpenclModel final : public RankModel {
 public:
  OpenclModel(const Options& options, int local_rank)
      : RankModel("opencl", "persistent"),
        time_block_(options.time_block),
        value_bytes_(bytes_of(options.precision)),
        device_(device_of_rank(options, local_rank)),
        strip_(make_strip(options.variant, device_, read_options(options))) {}

  void init(const Problem& problem) override {
    // A row costs the same whatever is in it: obstacles are masks.
    deal(problem, std::vector<std::int64_t>(static_cast<std::size_t>(problem.parameters.ny), 1));
    devices_ = gather_names();
    agree();
    const int rows = ranks().rows();
    // A rank that is alone has no neighbour but itself, and exchanges halo rows only if it is told how many.
    const bool exchanges = ranks().size() > 1 || (time_block_ && strip_->launch_steps() == 1);
    levels_ = exchanges ? choose_levels(problem.parameters.nx) : 1;
    halo_ = exchanges ? levels_ * strip_->launch_steps() : 0;
    has_inside_ = halo_ > 0 && rows > 2 * halo_;
    ends_apart_ = has_inside_ && levels_ == 1;
    std::vector<Bands> launches = {ends(0, levels_)};
    if (has_inside_) launches.insert(launches.begin(), inside(0));
    strip_->init(problem, {.first_row = ranks().first_row(), .rows = rows, .halo = halo_}, launches);
    ends_queue_ = ends_apart_ ? strip_->session().another_queue() : strip_->session().queue();
    if (halo_ > 0) set_up_exchange();
  }

  void set_up_exchange() {
    Session& session = strip_->session();
    transfers_ = session.another_queue();
    clock_.emplace(session);
    for (const Passing passing : both_ways) {
      const std::size_t bytes = strip_->passing_bytes(passing);
      if (bytes > INT_MAX)
        throw unavailable("expected halo rows of at most {} bytes for a message, found {}", INT_MAX, bytes);
      ways_[index(passing)].out.emplace(session, bytes);
      ways_[index(passing)].in.emplace(session, bytes);
    }
    exchange_.emplace(method(), ranks(), 0, passage(Passing::northward), passage(Passing::southward));
  }

  void run(int steps, std::span<double> av_vels) override {
    state_ = 0;
    ends_done_ = {};
    inside_done_ = {};
    steps_ = steps;
    if (halo_ > 0) attempt("read the first halo rows", [&] { read_ends(); });
    strip_->run(
        steps, [this](int step, int count, int first_sum) { do_block(step, count, first_sum); }, av_vels);
    double waited = 0.0;
    if (halo_ > 0) attempt("read the time that halo rows took", [&] { waited = clock_->take_seconds(); });
    ranks().add_up(av_vels);
    report_halo(waited);
  }

  void collect(State& state) override {
    ranks().gather(state, [this](std::span<double> ux, std::span<double> uy, std::span<double> density) {
      strip_->collect({ux, uy, density});
    });
  }

  RunFacts facts() const override {
    RunFacts facts = strip_->facts();
    add_facts(facts);
    facts.driver += ", " + library_version();
    facts.settings["time_block"] = levels_ * strip_->launch_steps();
    facts.settings["halo_rows"] = halo_;
    facts.settings["devices"] = devices_;
    return facts;
  }

 private:
  static constexpr std::array both_ways = {Passing::northward, Passing::southward};
  static std::size_t index(Passing passing) { return static_cast<std::size_t>(passing); }

  /// What goes one way: memory that is sent from and received in, and the commands that fill it and empty it.
  struct Way {
    std::optional<PinnedMemory> out, in;
    cl::Event read, written;
  };

  /// Launches between two exchanges: what the user wants, one where each does several steps, and one on a
  /// CPU, where halo rows that are done twice are cores' time; never more than the shortest strip has rows.
  /// The same on every rank.
  int choose_levels(int nx) const {
    const int steps = strip_->launch_steps(), fewest = ranks().fewest_rows();
    if (steps > fewest)
      throw bad_input("--time-block: expected no more steps a launch than a rank has rows, found {} and {}",
                      steps, fewest);
    if (steps > 1) return 1;
    const double best = device_.type == DeviceType::cpu ? 1.0 : levels_for_gpu(nx);
    int levels = static_cast<int>(std::min<double>(time_block_.value_or(best), fewest));
    MPI_Allreduce(MPI_IN_PLACE, &levels, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return levels;
  }

  /// An exchange of N halo rows takes a + b N seconds, which N launches of s seconds each hide where s is
  /// more than b. Where no number of them does, rates from 8 to 32 differed by less than they varied.
  double levels_for_gpu(int nx) const {
    constexpr double most = 16, a = 100e-6;  // of H200s in one host: 40 when nothing comes between
    constexpr double halo_bandwidth = 2.2e9, device_bandwidth = 3.6e12;  // theirs, in bytes a second
    const double row_bytes = double(Lattice::directions) * nx * value_bytes_;
    const double b = row_bytes / halo_bandwidth, s = 2 * row_bytes * ranks().most_rows() / device_bandwidth;
    return s > b ? std::min(std::ceil(a / (s - b)), most) : most;
  }

  /// Machines may have devices of different kinds, and a variant may be the default on one of them alone.
  void agree() const {
    int steps[2] = {strip_->launch_steps(), -strip_->launch_steps()};
    MPI_Allreduce(MPI_IN_PLACE, steps, 2, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (steps[0] != -steps[1])
      throw bad_input(
          "expected one variant on all ranks, found several for their devices; name one with --variant");
  }

  Passage passage(Passing passing) {
    Way& way = ways_[index(passing)];
    return {way.out->data(), way.in->data(), static_cast<int>(strip_->passing_bytes(passing)), MPI_BYTE};
  }

  /// `count` steps from number `step` of the run on.
  void do_block(int step, int count, int first_sum) {
    const int at_once = strip_->launch_steps(), levels = (count + at_once - 1) / at_once;
    const auto enqueue = [&](int level, Launch launch) {
      launch.source = (state_ + level) % 2;
      launch.steps = std::min(at_once, count - level * at_once);
      launch.first_sum = first_sum + level * at_once * strip_->sums_a_step();
      launch.is_end = step + level * at_once + launch.steps == steps_;
      strip_->enqueue(launch);
    };
    cl::CommandQueue& queue = strip_->session().queue();
    const cl::Event inside_before = inside_done_;
    if (has_inside_) {
      // The second step writes over the state from which the ends are read, and from the third row on these
      // are inside.
      const std::vector<cl::Event> read = {ways_[0].read, ways_[1].read};
      for (int level = 0; level < levels; ++level)
        enqueue(level, {.bands = inside(level),
                        .after = level == 1 && levels_ > 2 ? &read : nullptr,
                        .done = level == levels - 1 ? &inside_done_ : nullptr});
      queue.flush();
    }
    std::vector<cl::Event> needed;
    if (halo_ > 0) needed = exchange_halo(has_inside_ ? inside_done_ : ends_done_);
    // The first launches of a round of partial sums write over those of the round before, which are added up
    // in front of this inside.
    const cl::Event& before = first_sum == 0 ? inside_done_ : inside_before;
    if (ends_apart_ && before()) needed.push_back(before);
    for (int level = 0; level < levels; ++level)
      enqueue(level, {.number = has_inside_ ? 1 : 0,
                      .bands = ends(level, levels),
                      .queue = &ends_queue_,
                      .after = level == 0 ? &needed : nullptr,
                      .done = halo_ > 0 && level == levels - 1 ? &ends_done_ : nullptr});
    state_ = (state_ + levels) % 2;
    if (halo_ == 0) return;
    ends_queue_.flush();
    if (ends_apart_) {  // the next inside comes after them
      const std::vector<cl::Event> ends = {ends_done_};
      queue.enqueueBarrierWithWaitList(&ends);
    }
    if (step + count < steps_) read_ends();
  }

  /// The rows that level `level` of a block does without halo rows.
  Bands inside(int level) const {
    const int margin = strip_->launch_steps() * (level + 1);
    return {.south = halo_ + margin, .south_rows = ranks().rows() - 2 * margin, .north = 0, .north_rows = 0};
  }

  /// All others that it does, of its own and of others.
  Bands ends(int level, int levels) const {
    const int rows = ranks().rows(), at_once = strip_->launch_steps();
    const int beyond = at_once * (levels - 1 - level), each = at_once * levels;
    if (!has_inside_)
      return {.south = halo_ - beyond, .south_rows = rows + 2 * beyond, .north = 0, .north_rows = 0};
    return {.south = halo_ - beyond,
            .south_rows = each,
            .north = halo_ + rows + beyond - each,
            .north_rows = each};
  }

  /// Enqueues the reads of what the neighbours need next, when the last launch is done.
  void read_ends() {
    std::vector<cl::Event> after;
    if (ends_done_()) after.push_back(ends_done_);
    for (const Passing passing : both_ways) {
      Way& way = ways_[index(passing)];
      strip_->enqueue_read(transfers_, passing, state_, way.out->data(), after, way.read);
    }
    transfers_.flush();
  }

  /// From these reads to the halo rows. last_work: the last launch that does not need them, if there is one.
  /// Gives what the launches that do must wait for.
  std::vector<cl::Event> exchange_halo(const cl::Event& last_work) {
    clock_->begin(last_work);
    cl::Event::waitForEvents({ways_[0].read, ways_[1].read});
    exchange_->start();
    exchange_->finish();
    for (const Passing passing : both_ways) {
      Way& way = ways_[index(passing)];
      strip_->enqueue_write(transfers_, passing, state_, way.in->data(), way.written);
    }
    transfers_.flush();
    const std::vector<cl::Event> written = {ways_[0].written, ways_[1].written};
    clock_->end(written);
    return written;
  }

  /// Machine, number and name of every rank's device, on rank 0.
  std::vector<std::string> gather_names() const {
    std::array<char, 256> mine{};
    fmt::format_to_n(mine.data(), mine.size() - 1, "{} {} {}", provenance_now().host, device_.number,
                     device_.name);
    std::vector<char> all(mine.size() * static_cast<std::size_t>(ranks().size()));
    MPI_Gather(mine.data(), mine.size(), MPI_CHAR, all.data(), mine.size(), MPI_CHAR, 0, MPI_COMM_WORLD);
    std::vector<std::string> names;
    for (std::size_t at = 0; at < all.size(); at += mine.size()) names.emplace_back(&all[at]);
    return names;
  }

  std::optional<int> time_block_;
  int value_bytes_;  ///< of a population
  OpenclDevice device_;
  std::unique_ptr<DeviceStrip> strip_;
  int levels_ = 1;  ///< launches between two exchanges
  int halo_ = 1;    ///< rows at either end, and steps between two exchanges; 0 without exchanges
  bool has_inside_ = false;
  bool ends_apart_ = false;  ///< whether the ends have a queue of their own
  cl::CommandQueue ends_queue_, transfers_;
  std::optional<HaloClock> clock_;
  std::array<Way, 2> ways_;
  std::optional<Exchange> exchange_;
  std::vector<std::string> devices_;

  int steps_ = 0;                      ///< of the run
  int state_ = 0;                      ///< see Launch::source
  cl::Event inside_done_, ends_done_;  ///< the last launches of either kind
};

}  // namespace

std::unique_ptr<Solver> make_opencl(const Options& options, int local_rank) {
  return std::make_unique<OpenclModel>(options, local_rank);
}

}  // namespace boltzmark::mpi
