// A strip of rows on each rank's device of OpenCL or CUDA.
//
// Halo rows are exchanged before every block of steps, as many as the block has, and updated too, one fewer
// at either end with each step. On a device each step of a block is two launches: the rows inside, which need no halo
// row, and the rows at both ends, which do (HaloPlan draws which).
//
//   queue of the inside  ... inside(t+1) ............................ inside(t+2) ...................
//   queue of the ends    ends(t)                            ends(t+1)                          ends(t+2)
//   queue of transfers          read                 write           read                write
//   host                            MPI exchange                         MPI exchange
//
// `ends` waits for the halo rows and the inside a step before, `inside` for nothing but the step before, so
// the device works while rows travel: as drawn from device to pinned memory of the host, MPI, pinned memory, device,
// where the host waits for the small read alone and launches are always ahead of the device; or from device to device,
// where the host has no part in it (halo_transfers.hpp). So the ends can fill the units that the last groups of the
// inside leave, which pays where a launch is long; blocks of several launches are for short ones, and there all go to
// one queue.
#pragma once

#include <memory>

#include "common/lbm/device/strip.hpp"

namespace boltzmark::mpi {

/// The strip of a variant, as strip.hpp has them.
using MakeStrip = std::unique_ptr<lbm::DeviceStrip>(const device::ComputeDevice&, const lbm::LbmOptions&);

/// local_rank: this rank's number among those on its machine; they take the devices that --device names in turn.
/// Throws Error (unavailable) and Error (bad_input) as choose_devices() and `make` do.
std::unique_ptr<lbm::Solver> make_device_solver(const lbm::Problem& problem, const Options& options, int local_rank,
                                                MakeStrip make);

/// The part of the program that --local chooses if each rank computes with a device (device_engine.cpp): variants and
/// options for the device API in use; run_on_local() adds the rest. All ranks of a run have the same. Collective.
ProgramOf<lbm::Variant> device_engine();

}  // namespace boltzmark::mpi
