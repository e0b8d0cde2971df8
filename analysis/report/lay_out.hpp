// What the commands that draw have in common: the figures for the Python that draws, and its call.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "analysis/roofline/rows.hpp"
#include "analysis/support/commands.hpp"

namespace boltzmark {

/// The figures of results, and the tables that a page lays out: tables.json. `rows`: of these results.
void write_page_data(const Results& results, const std::vector<Row>& rows, const std::filesystem::path& folder);

/// Runs main.py with the first Python that has what it needs; what it prints is passed on. Its exit status, or none and
/// `missing` where no page can be made.
std::optional<int> lay_out(const ReportOptions& options, const std::filesystem::path& out,
                           std::vector<std::string> arguments, std::string& missing);

}  // namespace boltzmark
