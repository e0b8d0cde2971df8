// The lattice Boltzmann program of a device API: the variants of each API, and the choice of the default.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/device/device.hpp"
#include "common/lbm/solver.hpp"

namespace boltzmark::lbm {

extern const Variant published, two_grid, in_place, wavefront, time_block, persistent;

/// The same for APIs that record many launches as one graph.
Variant recorded(Variant variant);

/// The program of these variants. for_processors: those that are fastest on processors, the best first.
Program device_program(
    Variants variants,
    const std::function<std::vector<std::string>(const device::ComputeDevice&)>& for_processors = {});

/// Whether `persistent` can run this problem with these options.
bool persistent_fits(const device::ComputeDevice& device, const Problem& problem, const Options& asked);

}  // namespace boltzmark::lbm
