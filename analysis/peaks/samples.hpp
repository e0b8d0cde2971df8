// What the measuring programs give: benchmarks whose names say what they are, in Google Benchmark's JSON.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace boltzmark {

namespace fs = std::filesystem;

/// One benchmark with its repetitions. Rates that it does not give are empty.
struct Sample {
  std::string kind;                           ///< first part of its name: "bandwidth"
  std::map<std::string, std::string> labels;  ///< the parts that are KEY:VALUE: "pattern" -> "read"
  std::vector<double> bytes_per_second;
  std::vector<double> items_per_second;           ///< FLOPs or kernel launches
  std::vector<double> clock_hz, items_per_cycle;  ///< the second: of each repetition's fastest batch
  std::string error;                              ///< why it could not be measured, "" when it was

  const std::string& label(const std::string& key) const;  ///< throws Error (bad_input) without it
  long number(const std::string& key) const;               ///< a label that is a whole number; throws too
};

/// "bandwidth/pattern:read/cores:1" for ("bandwidth", {{"pattern", "read"}, {"cores", "1"}}).
std::string benchmark_name(const std::string& kind, const std::vector<std::pair<std::string, std::string>>& labels);

/// The benchmarks of a file in its order, each with all its repetitions; means and the like are left out.
/// Throws Error (bad_input) that names file and place when it is no whole file of this kind.
std::vector<Sample> read_samples(const fs::path& file);

}  // namespace boltzmark
