// The right rows of the table of figures in the formats of others.
#pragma once

#include <string>

#include "analysis/roofline/rows.hpp"

namespace boltzmark {

/// Names of the formats.
inline constexpr const char *gbench = "gbench", *bmf = "bmf", *babelstream = "babelstream";

/// gbench: Google Benchmark's JSON, a repetition per round. bmf: Bencher Metric Format, https://bencher.dev: `latency`
/// in ns and `throughput` in updates a second, with the ends of the median's interval. babelstream: the CSV of
/// BabelStream's kernels, its eight columns and after them what tells runs apart. Tuning's rows are in none.
std::string figures_as(const std::string& format, const Results& results, const std::vector<Row>& rows);

}  // namespace boltzmark
