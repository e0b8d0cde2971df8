// Everything that a report is made from: finished runs, STREAM figures and peaks of one machine.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "analysis/roofline/peaks.hpp"
#include "analysis/run/comparison.hpp"

namespace boltzmark {

/// One of the five STREAM kernels, over all its executions.
struct StreamKernelResult {
  std::string name;       ///< "copy", "mul", "add", "triad", "dot"
  double gb_per_s = 0.0;  ///< at the shortest execution, as STREAM defines it
  double gb_per_s_median = 0.0;
  double min_seconds = 0.0, median_seconds = 0.0, max_seconds = 0.0;
};

/// A model's STREAM run, see common/RECORD.md.
struct StreamResult {
  std::string model, precision, device, device_type;
  int threads = 0, ranks = 0;
  std::int64_t elements = 0;  ///< of each array
  std::vector<StreamKernelResult> kernels;
  bool passed = false;
  nlohmann::json provenance;

  /// The kernel of that name, or nullptr.
  const StreamKernelResult* find(const std::string& kernel) const;
};

struct Results {
  std::filesystem::path folder;   ///< or the file of records
  std::vector<RunEntry> entries;  ///< finished LBM runs: of each configuration those of its latest build
  Comparison comparison;          ///< of them
  Comparison tuning;              ///< what a tuner tried: here the lowest of a row's runs is its median
  std::vector<StreamResult> streams;
  std::optional<Peaks> peaks;
  std::vector<std::string>
      complaints;  ///< one line for each line that could not be used: file, line, expected, found
};

/// Reads a results folder (runs.jsonl, tuning.jsonl, peaks.json) or a file of run records, one JSON object a
/// line. What cannot be used is complained about and left out. Throws Error (bad_input) when there is nothing
/// at all to report on, with the command that makes results.
Results read_results(const std::filesystem::path& folder_or_file);

}  // namespace boltzmark
