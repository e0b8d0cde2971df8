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

/// One grid updated in place by threads that own blocks of rows, `time_block` steps in one sweep over them
/// (1: the in-place variant; unset: from the cache sizes), in vectors of `lanes` cells (unset: the widest of
/// the processor). Throws Error as row_kernels() and, from init, as above.
std::unique_ptr<Model> make_in_place(Precision precision, std::optional<int> threads,
                                     std::optional<int> lanes, std::optional<int> time_block);

/// The STREAM kernels; threads as above, and as Error.
std::unique_ptr<Stream> make_stream(Precision precision, std::optional<int> threads);

}  // namespace boltzmark::openmp
