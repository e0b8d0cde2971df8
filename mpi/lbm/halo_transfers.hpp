// How halo rows get from a rank's device to those of its neighbours: what differs between the halo methods of devices.
//
//   host   read into pinned memory of the host, MPI, written from there; the host waits for the device and for MPI
//   ipc    copied into memory of the neighbour's device, which knows by a number in its memory that they are there; the
//          host waits for nothing (peer_transfers.hpp)
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "mpi/lbm/exchange.hpp"
#include "opencl/lbm/device_strip.hpp"
#include "opencl/runtime/pinned_memory.hpp"

namespace boltzmark::mpi::BOLTZMARK_DEVICE_API {
using namespace boltzmark::BOLTZMARK_DEVICE_API;

inline constexpr std::array both_ways = {HaloDirection::northward, HaloDirection::southward};

/// Of one exchange after the other, send() and then receive(). Throws cl::Error.
class HaloTransfers {
 public:
  virtual ~HaloTransfers() = default;

  /// Enqueues the sending of what the neighbours need of this state, when `after` is done.
  virtual void send(int state, const std::vector<cl::Event>& after) = 0;
  /// Enqueues the writes of what they sent to the halo rows of this state. Gives the events of these.
  virtual std::vector<cl::Event> receive(int state) = 0;
  /// When these are done, the rows that were sent last may be written over.
  const std::vector<cl::Event>& sent() const { return sent_; }

 protected:
  std::vector<cl::Event> sent_ = std::vector<cl::Event>(both_ways.size());
  std::vector<cl::Event> written_ = std::vector<cl::Event>(both_ways.size());
};

/// Through the memory of the hosts and MPI.
class HostTransfers final : public HaloTransfers {
 public:
  /// The strip must outlive it. Throws Error (unavailable).
  HostTransfers(DeviceStrip& strip, const RankPair& ranks, HaloMethod method);

  void send(int state, const std::vector<cl::Event>& after) override;
  std::vector<cl::Event> receive(int state) override;

 private:
  struct Memory {
    std::optional<PinnedMemory> out, in;
  };

  DeviceStrip& strip_;
  cl::CommandQueue queue_;
  std::array<Memory, 2> memory_;
  std::optional<Exchange> exchange_;
};

}  // namespace boltzmark::mpi::BOLTZMARK_DEVICE_API
