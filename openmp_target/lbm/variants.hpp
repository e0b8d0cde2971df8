// The OpenMP target variants and their STREAM kernels.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "common/lbm/solver.hpp"
#include "openmp_target/runtime/device.hpp"

namespace boltzmark::openmp_target {

/// The model for a variant of main.cpp's list. Without `threads` (of a team) the device's own number is used.
/// Throws Error (unavailable) from init when the device gives other threads than asked for, or has too little
/// memory, and from run when teams waited in vain for one another.
std::unique_ptr<lbm::Solver> make_model(const std::string& variant, Precision precision,
                                  const OffloadDevice& device, std::optional<int> threads);

/// The variant that is fastest for this problem on this device.
std::string fastest_variant(const lbm::Problem& problem, Precision precision, const OffloadDevice& device);

/// The STREAM kernels; threads and Error as above.
std::unique_ptr<Stream> make_stream(Precision precision, const OffloadDevice& device,
                                    std::optional<int> threads);

}  // namespace boltzmark::openmp_target
