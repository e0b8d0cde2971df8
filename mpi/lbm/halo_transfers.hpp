// How halo rows get from a rank's device to those of its neighbours: what differs between the halo methods of devices.
//
//   host   read into pinned memory of the host, MPI, written from there; the host waits for the device and for MPI
//   ipc    copied into memory of the neighbour's device, where a number says that they are there; the
//          host waits for nothing (peer_transfers.cpp)
#pragma once

#include <array>
#include <climits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/base/error.hpp"
#include "common/lbm/device/strip.hpp"
#include "mpi/lbm/exchange.hpp"

namespace boltzmark::mpi {

using namespace device;
using lbm::DeviceStrip, lbm::HaloDirection;

inline constexpr std::array both_ways = {HaloDirection::northward, HaloDirection::southward};

/// Of one exchange after the other, send() and then receive(). Throws Failure.
class HaloTransfers {
 public:
  virtual ~HaloTransfers() = default;

  /// Enqueues the sending of what the neighbours need of this state, when `after` is done.
  virtual void send(int state, Events after) = 0;
  /// Enqueues the writes of what they sent to the halo rows of this state. Gives the events of these.
  virtual std::vector<Event> receive(int state) = 0;
  /// When these are done, the rows that were sent last may be written over.
  const std::vector<Event>& sent() const { return sent_; }

 protected:
  std::vector<Event> sent_ = std::vector<Event>(both_ways.size());
  std::vector<Event> written_ = std::vector<Event>(both_ways.size());
};

/// Through the memory of the hosts and MPI.
class HostTransfers final : public HaloTransfers {
 public:
  /// The strip must outlive it. Throws Error (unavailable).
  HostTransfers(DeviceStrip& strip, const RankPair& ranks, HaloMethod method)
      : strip_(strip), queue_(strip.session().another_queue()) {
    const auto face = [&](HaloDirection direction) {
      const std::size_t bytes = strip_.halo_bytes(direction);
      if (bytes > INT_MAX)
        throw unavailable("expected halo rows of at most {} bytes for a message, found {}", INT_MAX, bytes);
      auto& [out, in] = memory_[static_cast<std::size_t>(direction)];
      out = strip_.session().pinned(bytes);
      in = strip_.session().pinned(bytes);
      return Face{out.host(), in.host(), OwnedType(static_cast<int>(bytes), MPI_BYTE)};
    };
    exchange_.emplace(method, ranks, 0, face(HaloDirection::northward), face(HaloDirection::southward));
  }

  void send(int state, Events after) override {
    for (std::size_t i = 0; i < both_ways.size(); ++i)
      strip_.start_read(queue_, both_ways[i], state, memory_[i].out.host(), after, sent_[i]);
    queue_->flush();
  }

  std::vector<Event> receive(int state) override {
    for (const Event& event : sent_) event->wait();
    exchange_->start();
    exchange_->finish();
    for (std::size_t i = 0; i < both_ways.size(); ++i)
      strip_.start_write(queue_, both_ways[i], state, memory_[i].in.host(), written_[i]);
    queue_->flush();
    return written_;
  }

 private:
  struct Memory {
    Buffer out, in;
  };

  DeviceStrip& strip_;
  Queue queue_;
  std::array<Memory, 2> memory_;
  std::optional<Exchange> exchange_;
};

/// Whether all ranks' devices can write to those of their neighbours; tried out, with a word each.
struct Peers {
  bool are_reached = false;    ///< the same on all ranks
  std::string why_not;         ///< of this rank; empty where others alone fail
  std::shared_ptr<void> open;  ///< the device, which takes long to open again
};
/// Collective.
Peers find_peers(const ComputeDevice& device, const RankPair& ranks);

/// Collective, and so is its end. Nothing where another rank fails. The strip must outlive it. Throws Error
/// (unavailable).
std::unique_ptr<HaloTransfers> make_peer_transfers(DeviceStrip& strip, const RankPair& ranks);

}  // namespace boltzmark::mpi
