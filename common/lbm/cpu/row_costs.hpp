// What rows of a grid cost to update, and how to divide them into parts of equal work.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "common/lbm/problem.hpp"

namespace boltzmark::lbm {

/// The cost of every row of `vectors` vectors, in three dimensions plane after plane, in units of a hundredth of a
/// vector without obstacles; `vector_of` says which one holds a column. A row that is all solid costs next to nothing,
/// and a vector with solid cells a fifth more than one without (measured on Zen 4, at 256x256).
std::vector<std::int64_t> row_costs(const Problem& problem, int vectors, const std::function<int(int x)>& vector_of);

/// Divides rows into `parts` contiguous parts of about equal cost: entry p is where part p begins, the
/// last one the number of rows. Every part has a row at least, so there must be as many rows as parts.
std::vector<int> partition_rows(std::span<const std::int64_t> costs, int parts);

}  // namespace boltzmark::lbm
