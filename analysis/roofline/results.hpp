// What a results folder holds: finished runs, what a tuner tried, and the machine's peaks.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "analysis/roofline/peaks.hpp"
#include "analysis/store/store.hpp"

namespace boltzmark {

struct Results {
  fs::path folder;                ///< or the file of records
  std::vector<RunEntry> entries;  ///< of each configuration those of its latest build, the newest of every round
  std::vector<RunEntry> tuning;   ///< what a tuner tried
  std::optional<Peaks> peaks;
  std::vector<std::string> complaints;  ///< one line each: file, line, expected, found

  bool empty() const { return entries.empty() && tuning.empty() && !peaks; }
};

/// Reads a results folder (runs.jsonl, tuning.jsonl, peaks.json), or a file of records written with --json.
/// What cannot be used is complained about and left out. Throws Error (bad_input) where nothing is left.
Results read_results(const fs::path& folder_or_file);

}  // namespace boltzmark
