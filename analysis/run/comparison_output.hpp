// The comparison as the user reads it: on the terminal, as Markdown and as CSV.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "analysis/run/comparison.hpp"

namespace boltzmark {

/// Where the figures come from; all empty when nothing ran.
struct Footer {
  std::string devices;  ///< full names, which the table may cut, and the models they are of
  std::string machine;  ///< host, processor, cores, system
  std::string built;    ///< compilers and flags, revision
};

/// "Intel Xeon 8259CL": a device's name without what says nothing.
std::string plain_device(std::string name);
/// Ranks by threads, "2x4"; "-" for what the device decides.
std::string workers_of(int ranks, int threads);
std::string workers_of(const ComparisonRow& row);
/// Variant and setting: "fused 32x4".
std::string variant_of(const ComparisonRow& row);
/// The same for tables: "fused 32x4 (tuned)" where it took tuned options by itself.
std::string variant_shown(const ComparisonRow& row);
/// What these were: "opencl fused: tuned options were used: work-group 64x4"; "" without.
std::string tuned_line(const ComparisonRow& row);
/// Why a row is not right: "openmp fused: timeout (round 2): because".
std::string status_line(const ComparisonRow& row);
/// The distinct values, each with the models it holds for where there are several.
std::string by_model(const std::vector<std::pair<std::string, std::string>>& model_and_value);

/// Out of the records' provenance; says so where they differ.
Footer make_footer(const std::vector<RunEntry>& entries);

/// For each problem: like for like; the best variant of each model where that is another one; everything else
/// that was run; and a line for each row that is not right.
/// `width` is that of the terminal.
std::string comparison_text(const Comparison& comparison, const Footer& footer, int width = 120);
std::string comparison_markdown(const Comparison& comparison, const Footer& footer);

/// One line a row, unrounded, with the machine-readable status and reason.
std::string comparison_csv(const Comparison& comparison);

}  // namespace boltzmark
