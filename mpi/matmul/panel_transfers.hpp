// How panels get from their owner's device to those of a row or a column of the grid of ranks.
//
//   host   read into pinned memory of the owner's host, MPI_Ibcast, written from there; the host waits for all but the
//          products, which go on meanwhile
//   nccl   broadcast by NVIDIA's library from device to device; the host waits for nothing (nccl_panels.cpp)
#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "common/device/session.hpp"
#include "mpi/types.hpp"

namespace boltzmark::mpi {

/// Of a panel's memory on the device.
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
  /// Begins broadcasts, which overwrite panels of others when `free` is done, if it is one. Gives when they are there;
  /// none: when it returns. Throws Failure.
  virtual device::Event start(const std::vector<Broadcast>& broadcasts, const device::Event& free) = 0;
  /// Returns when what this rank sends has gone. Throws Failure.
  virtual void finish() {}
};

/// The transfers by NCCL between the ranks of each of these communicators, which they outlive; nothing where another
/// rank fails. Collective. The session must outlive it. Throws Error (unavailable).
std::unique_ptr<PanelTransfers> make_nccl_panels(device::Session& session, const std::vector<MPI_Comm>& groups);

}  // namespace boltzmark::mpi
