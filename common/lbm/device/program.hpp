// The lattice Boltzmann program of a device API: the variants that each API has, and which one is the default where.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/device/device.hpp"
#include "common/lbm/solver.hpp"

namespace boltzmark::lbm {

extern const Variant published, two_grid, in_place, wavefront, time_block, persistent;

/// The same where launches can be recorded, many as one graph.
Variant recorded(Variant variant);

/// Of these variants. for_processors: those of them that are the fastest on a device that is one, the best first.
Program device_program(
    Variants variants,
    const std::function<std::vector<std::string>(const device::ComputeDevice&)>& for_processors = {});

/// Whether `persistent` can run this problem with these options.
bool persistent_fits(const device::ComputeDevice& device, const Problem& problem, const Options& asked);

}  // namespace boltzmark::lbm
