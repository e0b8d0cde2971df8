// Two results, row by row: which rows of the second are slower or faster than the first by more than noise.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/roofline/difference.hpp"
#include "analysis/roofline/figures.hpp"
#include "analysis/roofline/tables.hpp"
#include "analysis/summary/summary.hpp"

namespace boltzmark {

/// Rows of the same work on either side; only one if the other side has none.
struct RowPair {
  const Row* reference = nullptr;
  const Row* other = nullptr;
  std::optional<Difference> difference;  ///< of the seconds of a step, if both are right and of one case
  std::optional<double> p;               ///< of that, corrected for all the pairs; none with too few rounds for any
  /// Slower by more than the allowed share, beyond noise; or no longer right, no longer checked, or missing in NEW
  /// although both ran the same plan.
  bool is_too_slow = false;
  std::string verdict;  ///< "slower", "faster", "within noise", "too few rounds", "failed in NEW", "only in REF", ...

  const Row& any() const { return reference ? *reference : *other; }
};

/// A tuner's trials are left out. Rows belong together when workload, case, steps, precision, model, variant, setting,
/// part and type of device are the same; among several candidates rows with the same device are paired first, then rows
/// with as many workers, and last rows that differ only in their steps, whose rates are compared. A run without a
/// record belongs to all rows, with all their parts, that were requested in the same words. The rows must outlive the
/// pairs.
std::vector<RowPair> pair_rows(const std::vector<Row>& reference, const std::vector<Row>& other);

/// Fills in the rest. `slower_than`: 0.05 allows five per cent; a row is too slow if the test against rounds of the
/// reference slowed by that share, corrected for all pairs, shows it at 5 %.
void judge(std::vector<RowPair>& pairs, double slower_than);

/// Both.
std::vector<RowPair> compare_results(const std::vector<Row>& reference, const std::vector<Row>& other,
                                     double slower_than = 0.0);

/// comparison_of() two machines by these pairs of their rows: a figure is won where all of its rows are judged so. Those
/// that are not among the pairs are judged by themselves: the fastest run of a problem can be another program's.
std::string scoreboard(const Machine& a, const Machine& b, std::vector<RowPair> pairs, int width);

/// Writes comparison.csv into a folder.
const FigureColumns<RowPair>& comparison_columns();
inline constexpr const char* comparison_file = "comparison.csv";
FileWords comparison_words();
void write_comparison(const std::vector<RowPair>& pairs, const fs::path& folder);

inline constexpr const char* too_few_rounds = "too few rounds";

/// Names of the two sides.
struct SideNames {
  std::string reference, other;
};
TableData pair_table(const std::vector<RowPair>& pairs, const SideNames& sides);
/// The table of common rows, or of those that are too slow, and the number of each verdict.
std::string comparison_text(const std::vector<RowPair>& pairs, bool only_too_slow, int width);

/// All of one side that a page shows.
struct ComparedSide {
  std::string folder;
  std::vector<Row> rows;
  std::vector<PeakRow> peaks;
};
/// Runs, kernels, peaks and provenance of A and B for a page.
std::vector<TableData> comparison_tables(const std::vector<RowPair>& pairs, const ComparedSide& a,
                                         const ComparedSide& b);
/// The answer in a few sentences.
std::vector<std::string> comparison_lines(const std::vector<RowPair>& pairs);

/// Names of the formats.
inline constexpr const char *gbench = "gbench", *bmf = "bmf", *babelstream = "babelstream";

/// The right rows of the table of figures in other programs' formats, without rows of tuning. gbench: Google
/// Benchmark's JSON, a repetition per round. bmf: Bencher Metric Format, https://bencher.dev: `latency` in ns and
/// `throughput` in updates per second, with the ends of the median's interval. babelstream: the eight columns of
/// BabelStream's CSV, then columns that identify the run.
std::string figures_as(const std::string& format, const Results& results, const std::vector<Row>& rows);

}  // namespace boltzmark
