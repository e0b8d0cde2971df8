// Halo rows from device to device on one machine (CUDA IPC); CUDA alone has it, see device::Api::has_peers.
//
// Each rank has a buffer that its neighbours write to, for each direction two slots for halo rows and a number: that of
// the newest exchange whose rows are there. A rank copies its rows into the neighbour's slot number n % 2 and then
// writes n; the neighbour's queue waits until n is there, and copies the slot to the halo rows:
//
//   rank 0, queue northward   rows -> slot of rank 1 | n -> rank 1        wait for n | slot -> halo rows
//   rank 1, queue northward                   wait for n | slot -> halo rows
//
// No host waits within a run: all of it is enqueued ahead. That can come to no halt: on each rank what exchange n sends
// is enqueued before anything that waits for n, and it waits for launches alone that waited for numbers up to n - 1; so
// even if all queues of a device were one, the command that all others wait for could go on.
//
// Two slots are enough. Rows of exchange n + 2 are sent after the launches that needed the halo rows of n + 1 from both
// sides, so after the neighbour wrote n + 1; it did that when its launches were done that needed the rows of n, which
// were therefore copied out of their slot.
#pragma once

#include <memory>
#include <string>

#include "common/device/device.hpp"
#include "mpi/lbm/halo_transfers.hpp"

namespace boltzmark::mpi {

/// Whether all ranks' devices can write to those of their neighbours; tried out, with a word each.
struct Peers {
  bool are_reached = false;    ///< the same on all ranks
  std::string why_not;         ///< of this rank; empty where others alone fail
  std::shared_ptr<void> open;  ///< the device, which takes long to open again
};
/// Collective.
Peers find_peers(const device::ComputeDevice& device, const RankPair& ranks);

/// Collective, and so is its end. Nothing where another rank fails. The strip must outlive it. Throws Error
/// (unavailable).
std::unique_ptr<HaloTransfers> make_peer_transfers(DeviceStrip& strip, const RankPair& ranks);

}  // namespace boltzmark::mpi
