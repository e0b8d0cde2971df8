// report.json: every figure of the report in one file (REPORT.md of this folder), for the page and the plots.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "analysis/report/published.hpp"
#include "analysis/report/report_table.hpp"
#include "analysis/report/results.hpp"
#include "analysis/roofline/roofline.hpp"

namespace boltzmark {

/// Version of report.json.
inline constexpr int report_format = 1;

/// A row of the comparison with its place on the roofline.
struct AnalysedRow {
  const ProblemComparison* problem = nullptr;
  const ComparisonRow* row = nullptr;
  std::string id;                            ///< unique in a report
  std::optional<RooflineAnalysis> roofline;  ///< none for a run without figures
};

/// Every row of the comparison, in its order. The results must outlive it.
std::vector<AnalysedRow> analyse_rows(const Results& results);

/// Writes `folder`/report.json and the flow fields it names; returns complaints about answers that could not
/// be read, which are in the file too. Throws Error (bad_input) when it cannot write.
std::vector<std::string> write_report_data(const std::filesystem::path& folder, const Results& results,
                                           const Published& published,
                                           const std::vector<ReportTable>& tables);

}  // namespace boltzmark
