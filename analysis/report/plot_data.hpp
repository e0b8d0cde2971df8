// The plots' part of report.json.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "analysis/report/report_data.hpp"

namespace boltzmark {

/// What is drawn: the object `plots` of REPORT.md. Flow fields are written into `folder`/data; an answer that
/// cannot be read is complained about and left out.
nlohmann::json plot_data(const Results& results, const Published& published,
                         const std::vector<AnalysedRow>& rows, const std::filesystem::path& folder,
                         std::vector<std::string>& complaints);

}  // namespace boltzmark
