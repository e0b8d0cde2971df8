// The OpenMP variants.
#pragma once

#include <memory>
#include <optional>

#include "common/lbm/solver.hpp"

namespace boltzmark::openmp {

/// Array of structs, one parallel loop per function, as a student of OpenMP writes it. Threads and Error as below.
std::unique_ptr<lbm::Solver> make_textbook(const lbm::Problem& problem, Precision precision,
                                           std::optional<int> threads);

/// Structure of arrays, two grids, one pass per step; each thread owns a block of rows.
/// Without `threads` the runtime decides (OMP_NUM_THREADS and the like). Throws Error (unavailable) when
/// the runtime gives fewer threads than asked for.
std::unique_ptr<lbm::Solver> make_fused(const lbm::Problem& problem, Precision precision,
                                        std::optional<int> threads);

/// One grid updated in place by threads that own blocks of rows, `time_block` steps in one sweep over them
/// (1: the in-place variant; unset: from the cache sizes), in vectors of `lanes` cells (unset: the widest of
/// the processor). Throws Error as row_kernels() and, from init, as above.
std::unique_ptr<lbm::Solver> make_in_place(Precision precision, std::optional<int> threads,
                                           std::optional<int> lanes, std::optional<int> time_block);

/// The same in three dimensions, over planes of which every thread has a block of rows.
std::unique_ptr<lbm::Solver> make_in_place_3d(Precision precision, std::optional<int> threads,
                                              std::optional<int> lanes, std::optional<int> time_block);

}  // namespace boltzmark::openmp
