// `boltzmark figures`: the table of figures as files.
#pragma once

#include <filesystem>

#include "analysis/roofline/figures.hpp"

namespace boltzmark {

struct FiguresOptions {
  std::filesystem::path results = "results";  ///< a results folder, or a file of records
  std::filesystem::path out;                  ///< "": the results folder, or beside the file
  bool describe = false;
};

int figures_command(const FiguresOptions& options);

/// The folder that figures of these results go to unless another is named.
std::filesystem::path figures_folder(const std::filesystem::path& results);

/// Reads results and writes figures.csv, peaks.csv and complaints.txt; complains on standard error. The rows.
std::vector<Row> write_figures(const std::filesystem::path& results, const std::filesystem::path& folder);

}  // namespace boltzmark
