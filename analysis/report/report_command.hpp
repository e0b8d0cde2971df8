// `boltzmark report`: from results to tables, plots and one page.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace boltzmark {

struct ReportOptions {
  std::filesystem::path results = "results";  ///< a results folder, or a file of records
  std::filesystem::path out;         ///< "": a folder `report` in the results folder, or one beside the file
  std::vector<std::string> compare;  ///< two results to set side by side; empty: report on `results`
  bool no_plots = false;             ///< tables and page only
  bool quiet = false;                ///< print only where the report is
};

/// Runs the subcommand; returns the exit status. Throws Error.
int report_command(const ReportOptions& options);

}  // namespace boltzmark
