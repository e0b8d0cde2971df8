// The OpenMP target variants.
#pragma once

#include <memory>
#include <optional>

#include "common/model.hpp"
#include "openmp_target/device.hpp"

namespace boltzmark::openmp_target {

/// Structure of arrays, two grids, one target region a step. Without `threads` (of a team) the device's own
/// number is used. Throws Error (unavailable) from init when the device gives other threads than asked for,
/// or has too little memory.
std::unique_ptr<Model> make_fused(Precision precision, const OffloadDevice& device,
                                  std::optional<int> threads);

/// The STREAM kernels; threads and Error as above.
std::unique_ptr<Stream> make_stream(Precision precision, const OffloadDevice& device,
                                    std::optional<int> threads);

}  // namespace boltzmark::openmp_target
