// boltzmark-peaks-mpi: times of messages between ranks, messages per second of a pair, and an allreduce. Started by an
// MPI launcher. The first rank runs the benchmarks and broadcasts the next task to the others; the time of a batch is
// that of the slowest rank in it.
//
//   one      a message there and one back; half of that time
//   both     a message each way at once
//   halo     two messages each way at once, as ranks with a neighbour on either side exchange their halos
//   behind   the same with work between start and end that lasts longer: what of it the work does not hide
//   polled   likewise, with tests of the messages within the work
//
// halo and behind send segments with gaps between them, as the directions that leave a strip are; libraries send those
// another way. A deep halo, which polled is for, is of whole rows. The work is an amount and not a time, and its time
// without messages is measured, too: otherwise the system's handling of messages during the work would count as work.
#include <mpi.h>
#include <sched.h>

#include <cmath>
#include <fstream>
#include <set>

#include "analysis/peaks/figures.hpp"
#include "analysis/peaks/harness.hpp"
#include "analysis/peaks/mpi/places.hpp"
#include "analysis/roofline/network.hpp"
#include "common/base/clock.hpp"
#include "common/base/error.hpp"
#include "common/cpu/progress.hpp"
#include "mpi/neighbours.hpp"
#include "mpi/team.hpp"
#include "mpi/types.hpp"

using namespace boltzmark;

namespace {

constexpr std::int64_t least_bytes = 8, most_bytes = 64 << 20, most_halo_bytes = 2 << 20;
constexpr long least_polls = 16;        // within the work
constexpr long bytes_of_poll = 8192;    // of a longer message: a test for each, as wavefront does per this many rows
constexpr std::int64_t segment = 1024;  // bytes; as much is left out before the next one
constexpr long passes_in_sweep = 8;     // of polled, whose work is a sweep of several steps
constexpr double long_seconds = 0.25;   // of a message: it is left out
constexpr double hides_it = 2.0;        // times as long as the exchange is the work
constexpr double least_visible = 1e-8;  // seconds; an exchange that is hidden altogether still has a rate

enum class What { stop, one, both, halo, behind, polled, work, rate, allreduce };
constexpr const char* ways[] = {"", "one", "both", "halo", "behind", "polled"};

/// The socket of the processor that this rank is on; launchers bind ranks within one.
int socket_here() {
  int socket = 0;
  std::ifstream(fmt::format("/sys/devices/system/cpu/cpu{}/topology/physical_package_id", sched_getcpu())) >> socket;
  return socket;
}

/// The first rank on each node names it.
int node_here() {
  MPI_Comm node;
  int first = mpi::rank_in(MPI_COMM_WORLD);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, first, MPI_INFO_NULL, &node);
  MPI_Bcast(&first, 1, MPI_INT, 0, node);
  MPI_Comm_free(&node);
  return first;
}

/// Those of MPI_COMM_WORLD.
class PlacesOfRanks {
 public:
  /// Collective.
  PlacesOfRanks() : rank_(mpi::rank_in(MPI_COMM_WORLD)) {
    seats_.resize(static_cast<std::size_t>(mpi::size_of(MPI_COMM_WORLD)));
    const Seat mine = {node_here(), socket_here()};
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, seats_.data(), sizeof mine, MPI_BYTE, MPI_COMM_WORLD);
    for (const Place place : every_place) pairs_[static_cast<std::size_t>(place)] = pairs_at(place, seats_);
  }

  int rank() const { return rank_; }
  int ranks() const { return static_cast<int>(seats_.size()); }
  int hosts() const {
    std::set<int> nodes;
    for (const Seat& seat : seats_) nodes.insert(seat.node);
    return static_cast<int>(nodes.size());
  }
  int pairs(Place place) const { return static_cast<int>(pairs_[static_cast<std::size_t>(place)].size()); }
  /// This rank's partner and the number of their pair; -1 if it has none.
  std::pair<int, int> partner(Place place) const {
    const auto& pairs = pairs_[static_cast<std::size_t>(place)];
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (pairs[i].first == rank_) return {pairs[i].second, static_cast<int>(i)};
      if (pairs[i].second == rank_) return {pairs[i].first, static_cast<int>(i)};
    }
    return {-1, -1};
  }

 private:
  int rank_;
  std::vector<Seat> seats_;
  std::array<std::vector<std::pair<int, int>>, 3> pairs_;
};

/// Tests of a message within the work.
long polls_of(std::int64_t bytes) { return std::max<long>(least_polls, bytes / bytes_of_poll); }

/// The next task of all ranks.
struct Task {
  What what = What::stop;
  int place = 0, most_pairs = 1;
  std::int64_t bytes = least_bytes;
  long rounds = 1;
  long work = 0;    ///< chunks of it between start and end
  long passes = 1;  ///< over each piece of the data before the next one
};

/// This rank's part of a task.
class Messages {
 public:
  explicit Messages(const PlacesOfRanks& places) : places_(places) {}

  /// Seconds of all rounds on the slowest rank, on rank 0. Collective.
  double run(const Task& task) {
    const auto [partner, number] = places_.partner(static_cast<Place>(task.place));
    const bool is_in = task.what == What::allreduce || (partner >= 0 && number < task.most_pairs);
    if (is_in) prepare(task, partner);
    MPI_Barrier(MPI_COMM_WORLD);
    const auto begin = std::chrono::steady_clock::now();
    // Two exchanges a round: ranks that start apart take long ones and short ones in turn.
    const long rounds = task.rounds * (is_exchange(task.what) || task.what == What::work ? 2 : 1);
    for (long round = 0; is_in && round < rounds; ++round) do_round(task, partner);
    const double mine = is_in ? seconds_since(begin) : 0.0;
    for (MPI_Request& request : requests_) MPI_Request_free(&request);
    requests_.clear();
    double slowest = 0.0;
    MPI_Reduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return slowest;
  }

 private:
  static bool is_exchange(What what) { return what == What::both || what == What::polled || has_segments(what); }
  static bool has_segments(What what) { return what == What::halo || what == What::behind; }

  void prepare(const Task& task, int partner) {
    const int messages = is_exchange(task.what) && task.what != What::both ? 2 : 1;
    const std::int64_t length = has_segments(task.what) ? std::min(segment, task.bytes) : task.bytes,
                       segments = task.bytes / length;
    const auto size = static_cast<std::size_t>(2 * task.bytes * messages);
    if (sent_.size() < size) sent_.assign(size, 1), received_.assign(size, 1);
    const mpi::OwnedType part(static_cast<int>(length), MPI_BYTE),
        type(static_cast<int>(segments), static_cast<std::size_t>(2 * length), part);
    for (int i = 0; is_exchange(task.what) && i < messages; ++i) {
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Recv_init(received_.data() + 2 * i * task.bytes, 1, type.type(), partner, i, MPI_COMM_WORLD, &request);
      requests_.push_back(request);
      MPI_Send_init(sent_.data() + 2 * i * task.bytes, 1, type.type(), partner, i, MPI_COMM_WORLD, &request);
      requests_.push_back(request);
    }
  }

  bool have_arrived() {
    int done = 0;
    MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE);
    return done != 0;
  }

  void do_round(const Task& task, int partner) {
    if (is_exchange(task.what)) {
      MPI_Startall(static_cast<int>(requests_.size()), requests_.data());
      if (task.what == What::behind) work(task.work, task.passes);
      const long polls = polls_of(task.bytes);
      for (long i = 0; task.what == What::polled && i < polls; ++i) {
        work(task.work * (i + 1) / polls - task.work * i / polls, task.passes);
        have_arrived();
      }
      spin_until([this] { return have_arrived(); }, 200);
    } else if (task.what == What::work) {
      work(task.work, task.passes);
    } else if (task.what == What::allreduce) {
      double value = 1.0;
      MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    } else if (task.what == What::rate) {
      send_many(partner);
    } else {
      const int count = static_cast<int>(task.bytes);
      const bool is_first = places_.rank() < partner;
      if (is_first) MPI_Send(sent_.data(), count, MPI_BYTE, partner, 0, MPI_COMM_WORLD);
      MPI_Recv(received_.data(), count, MPI_BYTE, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (!is_first) MPI_Send(sent_.data(), count, MPI_BYTE, partner, 0, MPI_COMM_WORLD);
    }
  }

  /// From the first of the pair to the other one, which answers after receiving all.
  void send_many(int partner) {
    std::array<MPI_Request, messages_at_once> requests;
    const bool sends = places_.rank() < partner;
    for (MPI_Request& request : requests)
      sends ? MPI_Isend(sent_.data(), 8, MPI_BYTE, partner, 0, MPI_COMM_WORLD, &request)
            : MPI_Irecv(received_.data(), 8, MPI_BYTE, partner, 0, MPI_COMM_WORLD, &request);
    MPI_Waitall(messages_at_once, requests.data(), MPI_STATUSES_IGNORE);
    sends ? MPI_Recv(received_.data(), 1, MPI_BYTE, partner, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
          : MPI_Send(sent_.data(), 1, MPI_BYTE, partner, 1, MPI_COMM_WORLD);
  }

  /// Passes through the caches like a solver's work, so that data needed by MPI and the system must be reloaded.
  void work(long chunks, long passes) {
    constexpr std::size_t chunk = 256;
    for (; chunks > 0; --chunks) {
      for (std::size_t i = at_; i < at_ + chunk; ++i) worked_on_[i] += 1.0f;
      if (++pass_ < passes) continue;
      pass_ = 0;
      at_ = (at_ + chunk) % worked_on_.size();
    }
  }

  const PlacesOfRanks& places_;
  std::vector<char> sent_, received_;
  std::vector<float> worked_on_ = std::vector<float>(1 << 18);
  std::size_t at_ = 0;
  long pass_ = 0;
  std::vector<MPI_Request> requests_;
};

/// All ranks, as the first one sees them.
class Network {
 public:
  Network() : messages_(places_) {}

  /// On the first rank: makes all ranks do a task.
  double order(Task task) {
    MPI_Bcast(&task, sizeof task, MPI_BYTE, 0, MPI_COMM_WORLD);
    return task.what == What::stop ? 0.0 : messages_.run(task);
  }
  /// On the others: does the first rank's tasks until it stops.
  void serve() {
    for (Task task;;) {
      MPI_Bcast(&task, sizeof task, MPI_BYTE, 0, MPI_COMM_WORLD);
      if (task.what == What::stop) return;
      messages_.run(task);
    }
  }

  Peaks describe() const {
    Peaks peaks;
    NetworkPeaks& network = peaks.network;
    network.ranks = places_.ranks();
    network.hosts = places_.hosts();
    network.library = mpi::library_version();
    std::string missing;
    for (const Place place : every_place)
      if (places_.pairs(place) == 0) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", described(place));
    if (!missing.empty()) network.notes.push_back(fmt::format("not here: pairs of ranks {}", missing));
    if (network.ranks < 2) throw unavailable("expected at least two ranks, found one");
    return peaks;
  }

  void add_benchmarks() {
    for (const Place place : every_place) {
      const int all = places_.pairs(place);
      if (all == 0) continue;
      std::vector<int> numbers = {1};
      if (all > 1) numbers.push_back(all);
      for (const int pairs : numbers) {
        for (const What what : {What::one, What::both}) add_messages(place, what, pairs, most_bytes, 4);
        add_rate(place, pairs);
      }
      for (const What what : {What::halo, What::behind, What::polled})
        add_messages(place, what, all, most_halo_bytes, 2);
    }
    add_benchmark("allreduce/bytes:8", [this] {
      return TimedWork{.items_a_round = 1.0, .run = [this](long rounds) {
                         return Batch{order({.what = What::allreduce, .rounds = rounds})};
                       }};
    });
  }

 private:
  static std::string name_of(const char* kind, Place place, int pairs,
                             std::vector<std::pair<std::string, std::string>> more) {
    more.insert(more.begin(), {{"place", name_of_place(place)}, {"pairs", std::to_string(pairs)}});
    return benchmark_name(kind, more);
  }

  void add_messages(Place place, What what, int pairs, std::int64_t most, int factor) {
    for (std::int64_t bytes = least_bytes; bytes <= most;
         bytes = bytes < most ? std::min(most, bytes * factor) : most + 1) {
      const Task task = {.what = what, .place = static_cast<int>(place), .most_pairs = pairs, .bytes = bytes};
      const std::string name = name_of(
          "message", place, pairs, {{"way", ways[static_cast<std::size_t>(what)]}, {"bytes", std::to_string(bytes)}});
      add_benchmark(name, [this, task] { return timed(task); });
    }
  }

  TimedWork timed(Task task) {
    Task plain = task;
    plain.what = task.what == What::one ? What::one : task.what == What::both ? What::both : What::halo;
    order(plain);  // the first message opens a connection
    const double once = order(plain);
    if (once > long_seconds) throw unavailable("left out, for it takes {:.2g} s", once);
    plain.rounds = once > 1e-3 ? 3 : 20;
    const bool hides = task.what == What::behind || task.what == What::polled;
    if (task.what == What::polled) task.passes = plain.passes = passes_in_sweep;
    Task alone = plain;
    alone.what = What::work;
    if (hides) {
      const double wanted = hides_it * order(plain);
      double took = 0.0;
      for (alone.work = polls_of(task.bytes); (took = order(alone)) < 0.5 * wanted;) alone.work *= 2;
      task.work = alone.work = std::max(alone.work / 2, std::lround(wanted / took * static_cast<double>(alone.work)));
    }
    return {.items_a_round = 2.0, .run = [this, task, alone](long rounds) mutable {
              task.rounds = alone.rounds = rounds;
              if (task.work == 0) return Batch{.seconds = order(task)};
              const double of_work = order(alone), all = order(task), n = 2.0 * static_cast<double>(rounds);
              return Batch{.seconds = all, .visible_seconds = 0.5 * std::max(all - of_work, n * least_visible)};
            }};
  }

  void add_rate(Place place, int pairs) {
    const Task task = {.what = What::rate, .place = static_cast<int>(place), .most_pairs = pairs};
    add_benchmark(name_of("messages", place, pairs, {}), [this, task] {
      return TimedWork{.items_a_round = messages_at_once, .run = [this, task](long rounds) {
                         Task now = task;
                         now.rounds = rounds;
                         return Batch{order(now)};
                       }};
    });
  }

  PlacesOfRanks places_;
  Messages messages_;
};

}  // namespace

int main(int argc, char** argv) {
  return mpi::run_on_ranks(argc, argv, [&](int, char**, Team& team) {
    Network network;
    if (team.rank() > 0) return network.serve(), 0;
    const int status = measuring_main(argc, argv,
                                      {.name = "boltzmark-peaks-mpi",
                                       .describe = [&] { return network.describe(); },
                                       .add_benchmarks = [&] { network.add_benchmarks(); }});
    network.order({.what = What::stop});
    return status;
  });
}
