// Where every run stands on the roofline, as a table.
#pragma once

#include <vector>

#include "analysis/report/report_data.hpp"
#include "analysis/report/report_table.hpp"

namespace boltzmark {

/// Bandwidth, operational intensity, GFLOP/s, shares of the roofs, and what limits each run; the reasons as
/// notes.
ReportTable roofline_table(const Results& results, const std::vector<AnalysedRow>& rows);

}  // namespace boltzmark
