// A strip of rows on each rank's device of OpenCL or CUDA, whose steps strip_run.hpp has.
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
Program device_engine();

}  // namespace boltzmark::mpi
