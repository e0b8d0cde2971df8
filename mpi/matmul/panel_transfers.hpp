// Transfer of panels from their owner's device to those of a row or a column of the grid of ranks.
//
//   host   read into pinned memory of the owner's host, MPI_Ibcast, written from there; the host waits for all commands
//   except the products, which continue meanwhile
//   nccl   broadcast by NVIDIA's library from device to device; the host waits for nothing (nccl_panels.cpp)
#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "common/device/session.hpp"
#include "mpi/types.hpp"

namespace boltzmark::mpi {

/// For a panel's memory on the device.
struct Broadcast {
  device::Buffer panel;
  std::size_t rows, row_bytes;
  MPI_Comm ranks;  ///< more than one
  int owner;       ///< among these
  std::size_t bytes() const { return rows * row_bytes; }
  bool is_own() const { return rank_in(ranks) == owner; }
};

class PanelTransfers {
 public:
  virtual ~PanelTransfers() = default;
  /// Begins broadcasts, which overwrite panels of others after `free`, if given. Returns the events of their arrival;
  /// empty: they have arrived on return. Throws Failure.
  virtual device::Event start(const std::vector<Broadcast>& broadcasts, const device::Event& free) = 0;
  /// Returns when this rank's data have been sent. Throws Failure.
  virtual void finish() {}
};

/// The transfers by NCCL between the ranks of each of these communicators, which they outlive; empty if another rank
/// fails. Collective. The session must outlive it. Throws Error (unavailable).
std::unique_ptr<PanelTransfers> make_nccl_panels(device::Session& session, const std::vector<MPI_Comm>& groups);

}  // namespace boltzmark::mpi
