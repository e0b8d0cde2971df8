// The serial variants.
#pragma once

#include <memory>
#include <optional>

#include "common/lbm/solver.hpp"

namespace boltzmark::serial {

/// Array of structs, one loop per function, as the method is written down: the baseline of every speed-up.
std::unique_ptr<lbm::Solver> make_textbook(const lbm::Problem& problem, Precision precision);

/// Structure of arrays, two grids, one pass per step, in vectors.
std::unique_ptr<lbm::Solver> make_fused(const lbm::Problem& problem, Precision precision);

/// One grid updated in place, `time_block` steps in one sweep over the rows (1: the in-place variant; unset:
/// from the cache sizes), in vectors of `lanes` cells (unset: the widest of the processor). Throws Error as
/// row_kernels() does.
std::unique_ptr<lbm::Solver> make_in_place(Precision precision, std::optional<int> lanes,
                                           std::optional<int> time_block);

/// The same in three dimensions, over planes.
std::unique_ptr<lbm::Solver> make_in_place_3d(Precision precision, std::optional<int> lanes,
                                              std::optional<int> time_block);

}  // namespace boltzmark::serial
