// Transfer of halo rows from a rank's device to its neighbours' devices: the interface of the halo methods of devices;
// and the time that a device waits for them.
//
//   host   read into pinned memory of the host, MPI, written from there; the host waits for the device and for MPI
//   ipc    copied into memory of the neighbour's device, where a number marks their arrival; the host waits for nothing
//   (peer_transfers.cpp). Launches that can write them there themselves, from their second on
//   nccl   sent and received by NVIDIA's library between devices, also of several machines; the host
//          waits for nothing (nccl_transfers.cpp)
#pragma once

#include <algorithm>
#include <array>
#include <climits>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/base/error.hpp"
#include "common/device/halo_strip.hpp"
#include "common/run/options.hpp"
#include "mpi/exchange.hpp"

namespace boltzmark::mpi {

using namespace device;

inline constexpr std::array both_ways = {HaloDirection::northward, HaloDirection::southward};

/// For each exchange send(), then receive(). Throws Failure.
class HaloTransfers {
 public:
  /// ranks: MPI_PROC_NULL if there is no neighbour. The strip must outlive it.
  HaloTransfers(HaloStrip& strip, const RankPair& ranks)
      : strip_(strip), comm_(ranks.comm), to_{ranks.north, ranks.south}, from_{ranks.south, ranks.north} {}
  virtual ~HaloTransfers() = default;

  /// Enqueues, after `after`, the sending of the rows of this state that the neighbours need.
  virtual void send(int state, Events after) = 0;
  /// Enqueues the writes of the received rows to the halo rows of this state. Returns the events of these.
  virtual std::vector<Event> receive(int state) = 0;
  /// When these are done, the rows sent last may be overwritten.
  const std::vector<Event>& sent() const { return sent_; }

 protected:
  bool has_receiver(std::size_t way) const { return to_[way] != MPI_PROC_NULL; }
  bool has_sender(std::size_t way) const { return from_[way] != MPI_PROC_NULL; }
  /// Enqueues the read of the rows leaving in this direction to `host`; for sent().
  void read_out(const Queue& queue, std::size_t way, int state, void* host, Events after) {
    strip_.start_read(queue, both_ways[way], state, host, after, sent_.emplace_back());
  }
  /// Enqueues the write of the rows received in this direction from `host`; receive() returns its event.
  void write_in(const Queue& queue, std::size_t way, int state, const void* host) {
    strip_.start_write(queue, both_ways[way], state, host, written_.emplace_back());
  }

  HaloStrip& strip_;
  MPI_Comm comm_;
  std::array<int, 2> to_, from_;  ///< ranks, for both directions
  std::vector<Event> sent_, written_;
};

/// Through the memory of the hosts and MPI.
class HostTransfers final : public HaloTransfers {
 public:
  /// Throws Error (unavailable).
  HostTransfers(HaloStrip& strip, const RankPair& ranks)
      : HaloTransfers(strip, ranks), queue_(strip.session().another_queue()) {
    const auto face = [&](HaloDirection direction) {
      const std::size_t bytes = strip_.halo_bytes(direction);
      if (bytes > INT_MAX)
        throw unavailable("expected halo rows of at most {} bytes for a message, found {}", INT_MAX, bytes);
      auto& [out, in] = memory_[static_cast<std::size_t>(direction)];
      out = strip_.session().pinned(bytes);
      in = strip_.session().pinned(bytes);
      return Face{out.host(), in.host(), OwnedType(static_cast<int>(bytes), MPI_BYTE)};
    };
    exchange_ = make_exchange("persistent", ranks, 0, face(HaloDirection::northward), face(HaloDirection::southward));
  }

  void send(int state, Events after) override {
    sent_.clear();
    for (std::size_t i = 0; i < both_ways.size(); ++i)
      if (has_receiver(i)) read_out(queue_, i, state, memory_[i].out.host(), after);
    queue_->flush();
  }

  std::vector<Event> receive(int state) override {
    for (const Event& event : sent_) event->wait();
    exchange_->start();
    exchange_->finish();
    written_.clear();
    for (std::size_t i = 0; i < both_ways.size(); ++i)
      if (has_sender(i)) write_in(queue_, i, state, memory_[i].in.host());
    queue_->flush();
    return written_;
  }

 private:
  struct Memory {
    Buffer out, in;
  };

  Queue queue_;
  std::array<Memory, 2> memory_;
  std::unique_ptr<Exchange> exchange_;
};

/// Time that a device waits for halo rows, by its own clock. It times reads of one word, in separate queues and not in
/// every exchange: NVIDIA's driver adds microseconds between the commands of a timed queue, and gives markers no times.
class HaloClock {
 public:
  /// The session must outlive it. Throws Error (unavailable).
  explicit HaloClock(Session& session)
      : queues_{session.another_queue(QueueKind::timed), session.another_queue(QueueKind::timed)},
        copies_(session.pinned(queues_.size() * sizeof(std::uint32_t))) {
    session.allocate({{&word_, sizeof(std::uint32_t)}});
  }

  /// For each exchange: from the end of the last launch that needs no halo rows, if there is one, until the rows have
  /// arrived. Both have been flushed to the device. Throws Failure.
  void begin(const Event& last_work) {
    const bool is_first = exchanges_ < stride;
    is_timing_ = last_work && (is_first || exchanges_ % stride == 0);
    ++exchanges_;
    if (!is_timing_) return;
    waits_.push_back({{}, is_first ? 1 : stride});
    read_word(0, Events(&last_work, 1));
  }
  void end(const std::vector<Event>& written) {
    if (!is_timing_) return;
    read_word(1, written);
    while (waits_.size() > 1 && is_over(waits_.front())) add_oldest();  // events are memory of the driver
  }

  /// Seconds that the device waited since the last call, in all exchanges; returns when the last one is over.
  /// Throws Failure.
  double take_seconds() {
    for (const Queue& queue : queues_) queue->finish();
    if (!waits_.empty()) {  // the last one may stand for fewer exchanges than the others
      const auto followed = static_cast<int>((exchanges_ - 1) % stride) + 1;
      waits_.back().exchanges = std::min(waits_.back().exchanges, followed);
    }
    while (!waits_.empty()) add_oldest();
    exchanges_ = 0;
    return std::exchange(seconds_, 0.0);
  }

 private:
  static constexpr int stride = 8;  ///< one exchange in this many is timed, at first this many in a row

  struct Wait {
    std::array<Event, 2> ends;  ///< of the work, and of the wait
    int exchanges;              ///< that it represents
  };

  void read_word(int which, Events after) {
    queues_[which]->start_read(word_, {0, sizeof(std::uint32_t)}, static_cast<std::uint32_t*>(copies_.host()) + which,
                               after, &waits_.back().ends[which]);
    queues_[which]->flush();
  }
  static bool is_over(const Wait& wait) {
    return std::all_of(wait.ends.begin(), wait.ends.end(), [](const Event& event) { return event->is_complete(); });
  }
  /// Adds up the oldest one, which is over.
  void add_oldest() {
    const Wait& wait = waits_.front();
    const std::uint64_t from = wait.ends[0]->nanoseconds()[1], to = wait.ends[1]->nanoseconds()[1];
    if (to > from) seconds_ += 1e-9 * static_cast<double>(to - from) * wait.exchanges;
    waits_.pop_front();
  }

  std::array<Queue, 2> queues_;
  Buffer word_, copies_;
  std::int64_t exchanges_ = 0;
  bool is_timing_ = false;
  std::deque<Wait> waits_;
  double seconds_ = 0.0;
};

/// --halo, with the methods of the API in use.
ModelOption device_halo_option();

/// A method of transferring halo rows.
struct HaloWay {
  std::string name;                   ///< ipc, nccl or host
  std::shared_ptr<void> open_device;  ///< which takes long to open again
};
/// The requested method, else one that bypasses the hosts if each rank has a device and it works. Empty if another rank
/// cannot use the requested one and reports that. Collective. Throws Error (unavailable).
std::optional<HaloWay> choose_halo(const Options& asked, const ComputeDevice& device, const RankPair& ranks);
/// Transfers by that method. Collective, and so is the destructor. Empty if another rank fails. The strip must outlive
/// it. Throws Error (unavailable).
std::unique_ptr<HaloTransfers> make_transfers(const HaloWay& way, HaloStrip& strip, const RankPair& ranks);

/// Whether all ranks' devices can write to those of their neighbours; tested with one word each.
struct Peers {
  bool are_reached = false;    ///< the same on all ranks
  std::string why_not;         ///< of this rank; empty if only others fail
  std::shared_ptr<void> open;  ///< the device, which takes long to reopen
};
/// Collective.
Peers find_peers(const ComputeDevice& device, const RankPair& ranks);

/// Like make_transfers().
std::unique_ptr<HaloTransfers> make_peer_transfers(HaloStrip& strip, const RankPair& ranks);
std::unique_ptr<HaloTransfers> make_nccl_transfers(HaloStrip& strip, const RankPair& ranks);

}  // namespace boltzmark::mpi
