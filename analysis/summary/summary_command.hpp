// `boltzmark summary`: one machine in a dozen lines, or two side by side.
#pragma once

#include <filesystem>
#include <vector>

namespace boltzmark {

struct SummaryOptions {
  std::filesystem::path results = "results";   ///< folder, or file of records
  std::vector<std::filesystem::path> compare;  ///< two of them instead
};

/// Prints it. Returns the exit status. Throws Error.
int summary_command(const SummaryOptions& options);

}  // namespace boltzmark
