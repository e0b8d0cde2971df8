// Two results side by side: of two machines, or of two revisions.
#pragma once

#include <vector>

#include "analysis/report/report_table.hpp"
#include "analysis/report/results.hpp"

namespace boltzmark {

/// What differs between the sides in provenance; every run with seconds, rate, ratio and whether the noise of
/// the repeats (noise.hpp) leaves a difference; STREAM; peaks. Runs belong together by problem, steps,
/// precision, model, variant and setting, then by device and workers where several are left; what only one
/// side has is listed as such.
std::vector<ReportTable> compare_results(const Results& a, const Results& b);

}  // namespace boltzmark
