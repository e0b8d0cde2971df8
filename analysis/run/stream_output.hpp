// STREAM runs as the user reads them: a table of models by kernels, apart from the comparison.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/run/comparison.hpp"
#include "analysis/run/run_entry.hpp"

namespace boltzmark {

/// Seconds of one kernel over all rounds, and the bytes it moves in each execution as STREAM counts.
struct StreamFigures {
  std::vector<double> seconds;
  double bytes = 0.0;

  /// At the shortest execution, as STREAM reports; none when there was no execution.
  std::optional<double> gb_per_s() const;
  /// At the median.
  std::optional<double> gb_per_s_median() const;
};

/// All rounds of one configuration.
struct StreamRow {
  ComparisonRow run;  ///< who ran where and how it ended; without figures
  std::string precision;
  std::int64_t elements = 0;  ///< of each array; 0 when nothing ran
  double bytes_per_array = 0.0;
  std::vector<StreamFigures> kernels;  ///< in the order of stream_kernels
};

/// Rows of entries in any order of rounds, in the order of their first entries.
std::vector<StreamRow> make_stream_rows(const std::vector<RunEntry>& entries);

/// What one record says of a kernel ("triad"), none when it does not.
std::optional<double> stream_gb_per_s(const nlohmann::json& record, const std::string& kernel);

/// A heading, the table, and a line for each row that is not right; empty without rows.
std::string stream_text(const std::vector<StreamRow>& rows, int width = 120);
std::string stream_markdown(const std::vector<StreamRow>& rows);
/// One line a row and kernel, unrounded.
std::string stream_csv(const std::vector<StreamRow>& rows);

}  // namespace boltzmark
