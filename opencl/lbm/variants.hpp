// The variants of lbm-opencl.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/lbm/solver.hpp"
#include "opencl/lbm/options.hpp"
#include "opencl/runtime/device.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
using namespace lbm;

/// The steps of the published ladder, in its order.
std::vector<Variant> ladder_variants();

/// One kernel of D3Q19 as published, not tuned.
Variant published_variant();

/// Those that run on strips (device_strip.hpp): along rows, or several steps in a launch.
std::vector<Variant> strip_variants();

/// Whether `persistent` can run this grid.
bool persistent_fits(const ComputeDevice& device, const LbmOptions& options, const Parameters& grid);

/// Make a variant; nothing for a name that is not among those above. Both throw Error (bad_input) for a work-group the
/// device cannot run, Error (unavailable) for a reduction that needs what it lacks.
std::unique_ptr<Solver> make_ladder_step(const std::string& name, const ComputeDevice& device,
                                         const LbmOptions& options);
std::unique_ptr<Solver> make_published(const Problem& problem, const ComputeDevice& device,
                                       const LbmOptions& options);
std::unique_ptr<Solver> make_strip_variant(const std::string& name, const Problem& problem,
                                           const ComputeDevice& device, const LbmOptions& options);

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
