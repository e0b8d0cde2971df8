// Rows set against one another: speed-ups, scaling, the best of a model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/roofline/figures.hpp"

namespace boltzmark {

/// Rows of one case can be set side by side: equal where workload, case, steps, precision and part are.
std::string case_of(const Row& row);

/// At the median.
double updates_per_second(const Row& row);

/// Fills in everything that a row has only among others.
void compare_rows(std::vector<Row>& rows);

/// Median seconds of one worker for the same variant of the same case: of its own model, or of the baseline.
std::optional<double> one_worker_seconds(const Row& row, const std::vector<Row>& rows);

}  // namespace boltzmark
