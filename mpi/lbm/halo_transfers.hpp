// How halo rows get from a rank's device to those of its neighbours: what differs between the halo methods of devices.
//
//   host   read into pinned memory of the host, MPI, written from there; the host waits for the device and for MPI
//   ipc    copied into memory of the neighbour's device, where a number says that they are there; the
//          host waits for nothing (peer_transfers.hpp)
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "common/lbm/device/strip.hpp"
#include "mpi/lbm/exchange.hpp"

namespace boltzmark::mpi {

using lbm::DeviceStrip, lbm::HaloDirection;

inline constexpr std::array both_ways = {HaloDirection::northward, HaloDirection::southward};

/// Of one exchange after the other, send() and then receive(). Throws Failure.
class HaloTransfers {
 public:
  virtual ~HaloTransfers() = default;

  /// Enqueues the sending of what the neighbours need of this state, when `after` is done.
  virtual void send(int state, device::Events after) = 0;
  /// Enqueues the writes of what they sent to the halo rows of this state. Gives the events of these.
  virtual std::vector<device::Event> receive(int state) = 0;
  /// When these are done, the rows that were sent last may be written over.
  const std::vector<device::Event>& sent() const { return sent_; }

 protected:
  std::vector<device::Event> sent_ = std::vector<device::Event>(both_ways.size());
  std::vector<device::Event> written_ = std::vector<device::Event>(both_ways.size());
};

/// Through the memory of the hosts and MPI.
class HostTransfers final : public HaloTransfers {
 public:
  /// The strip must outlive it. Throws Error (unavailable).
  HostTransfers(DeviceStrip& strip, const RankPair& ranks, HaloMethod method);

  void send(int state, device::Events after) override;
  std::vector<device::Event> receive(int state) override;

 private:
  struct Memory {
    device::Buffer out, in;
  };

  DeviceStrip& strip_;
  device::Queue queue_;
  std::array<Memory, 2> memory_;
  std::optional<Exchange> exchange_;
};

}  // namespace boltzmark::mpi
