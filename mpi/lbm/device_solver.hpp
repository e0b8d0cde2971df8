// A strip of rows on each rank's device of OpenCL or CUDA; for its steps see strip_run.hpp.
#pragma once

#include <memory>

#include "common/lbm/device/strip.hpp"

namespace boltzmark::mpi {

/// The strip of a variant, as in strip.hpp.
using MakeStrip = std::unique_ptr<lbm::DeviceStrip>(const device::ComputeDevice&, const lbm::LbmOptions&);

/// local_rank: this rank's number among those on its machine; the devices that --device names are assigned to them in
/// turn. Throws Error (unavailable) and Error (bad_input) as choose_devices() and `make` do.
std::unique_ptr<lbm::Solver> make_device_solver(const lbm::Problem& problem, const Options& options, int local_rank,
                                                MakeStrip make);

/// The part of the program for --local with devices (device_engine.cpp): variants and options for the device API in
/// use; run_on_local() adds the rest. It is the same on all ranks of a run. Collective.
Program device_engine();

}  // namespace boltzmark::mpi
