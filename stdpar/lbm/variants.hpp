// The variants in standard parallel algorithms.
#pragma once

#include <memory>
#include <optional>

#include "common/lbm/solver.hpp"

namespace boltzmark::stdpar {

/// Array of structs, one algorithm per function, as a student of the standard library writes it.
std::unique_ptr<lbm::Solver> make_textbook(const lbm::Problem& problem, Precision precision);

/// Structure of arrays, two grids, one algorithm per step, whose elements are layers (rows, or planes).
std::unique_ptr<lbm::Solver> make_fused(const lbm::Problem& problem, Precision precision);

/// One grid updated in place, one algorithm per step, whose elements are rows; in vectors of `lanes` cells (unset: the
/// widest of the processor). Throws Error as row_kernels().
std::unique_ptr<lbm::Solver> make_in_place(const lbm::Problem& problem, Precision precision,
                                           std::optional<int> lanes);

}  // namespace boltzmark::stdpar
