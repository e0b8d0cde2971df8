// The cost of updating rows of a grid, and their division into parts of equal work.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "common/lbm/problem.hpp"

namespace boltzmark::lbm {

/// The cost of every row of `vectors` vectors, in three dimensions plane after plane, in units of a hundredth of a
/// vector without obstacles; `vector_of` gives the vector of a column. A completely solid row costs almost nothing, and
/// a vector with solid cells a fifth more than one without (measured on Zen 4, at 256x256).
std::vector<std::int64_t> row_costs(const Problem& problem, int vectors, const std::function<int(int x)>& vector_of);

/// Divides rows into `parts` contiguous parts of about equal cost: entry p is the start of part p, the last entry the
/// number of rows. Every part has at least one row, so there must be as many rows as parts.
std::vector<int> partition_rows(std::span<const std::int64_t> costs, int parts);

}  // namespace boltzmark::lbm
