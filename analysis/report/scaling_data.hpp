// The data of the plots of scaling over threads or ranks.
#pragma once

#include <nlohmann/json.hpp>

#include "analysis/run/comparison.hpp"

namespace boltzmark {

/// The list `scaling` of REPORT.md, out of scaling_groups().
nlohmann::json scaling_data(const Comparison& comparison);

}  // namespace boltzmark
