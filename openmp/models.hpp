// The OpenMP variants.
#pragma once

#include <memory>
#include <optional>

#include "common/model.hpp"

namespace boltzmark::openmp {

/// Structure of arrays, two grids, one pass a step; each thread owns a block of rows.
/// Without `threads` the runtime decides (OMP_NUM_THREADS and its kin). Throws Error (unavailable) when
/// the runtime gives fewer threads than asked for.
std::unique_ptr<Model> make_fused(Precision precision, std::optional<int> threads);

/// The STREAM kernels; threads as above, and as Error.
std::unique_ptr<Stream> make_stream(Precision precision, std::optional<int> threads);

}  // namespace boltzmark::openmp
