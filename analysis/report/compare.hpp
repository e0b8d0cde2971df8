// Two results side by side: what differs in where they come from, in their runs and in their machines' peaks.
#pragma once

#include <string>

#include "analysis/roofline/results.hpp"

namespace boltzmark {

/// As text, tables of at most `width` columns where their words allow it.
std::string compare_results(const Results& a, const Results& b, int width);

}  // namespace boltzmark
