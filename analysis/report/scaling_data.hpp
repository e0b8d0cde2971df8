// The data of the plots of scaling over threads or ranks.
#pragma once

#include <nlohmann/json.hpp>

#include "analysis/run/comparison.hpp"

namespace boltzmark {

/// The list `scaling` of REPORT.md. Strong: runs of one problem that differ in the number of threads or ranks
/// only. Weak: runs on grids of one width that have the same number of rows for each thread or rank. Two
/// points make a line; runs with both threads and ranks are in none.
nlohmann::json scaling_data(const Comparison& comparison);

}  // namespace boltzmark
