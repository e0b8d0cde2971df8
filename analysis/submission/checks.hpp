// The outcomes of `boltzmark check`, a row per folder: as a table, a CSV file, marks, and a page for each student.
#pragma once

#include <filesystem>
#include <map>
#include <vector>

#include "common/run/json.hpp"

namespace boltzmark {

struct Check;

namespace fs = std::filesystem;

/// Verdicts of a folder from which nothing was run.
inline constexpr const char *no_problem = "problem", *nothing_to_build = "nothing to build";

struct CheckRow {
  std::string folder;     ///< as it was named
  std::string kind;       ///< "sources" or "results"; "" if it has neither
  std::string case_name;  ///< of its problem
  int steps = 0;
  std::string verdict;              ///< one of namespace verdict, or one of those above
  std::string reason;               ///< one line; "" if it is right
  std::optional<double> deviation;  ///< the worst, relative
  std::string deviation_at;         ///< quantity and place of that deviation
  double tolerance = 0.0;
  int repeats = 0;                        ///< runs that were right
  std::optional<double> seconds_printed;  ///< by the program; the median of several runs
  std::optional<double> seconds;          ///< that count (take_seconds()), likewise
  std::optional<double> seconds_best;     ///< of several runs
  int runs = 0;                           ///< that were timed
  std::vector<double> all_seconds;        ///< of each of these
  std::optional<double> wall_seconds;     ///< from its start to its end
  std::optional<double> speed_up;         ///< over serial's textbook variant; only if it is right
  std::optional<double> share;            ///< share of these seconds that its bound takes, if roofs are measured
  std::string bound;                      ///< that bound, in words
  std::string notes;
  double allowed_seconds = 0.0;  ///< the time limit
  bool ran_out = false;          ///< the time was the reason: more of it may change the verdict
  std::string log;               ///< file of the output of build and program
  // Among the rows of a table, not kept.
  std::string problem;         ///< its digest
  int rank = 0;                ///< among rows of the same problem and steps; 0: too few runs to rank it
  int ranked = 0;              ///< number of these rows with a rank
  bool is_tied = false;        ///< shares its rank
  std::optional<double> mark;  ///< if marks are given
};
BOLTZMARK_JSON(CheckRow)

/// A verdict as users read it: "wrong number of steps".
std::string verdict_words(const std::string& verdict);

/// A remark on a right result that rounding in single precision does not explain (few steps may hide an error), or "".
std::string more_than_rounding(const Check& check);

/// Marks from a file: each line has a mark and its condition.
class Marking {
 public:
  /// `repeats` of each program: ranks need several. Throws Error (bad_input).
  Marking(const fs::path& file, int repeats);

  /// The highest mark whose line fits this ranked row; else 0.
  double of(const CheckRow& row) const;
  /// "70 from a speed-up of 4 on": the next mark for a faster program; "" at the highest.
  std::string next(const CheckRow& row) const;
  /// Of the file.
  const std::string& text() const { return text_; }

 private:
  struct Line {
    double mark = 0.0;
    std::string what;  ///< a verdict, or one of `figures`
    double least = 0.0;
  };
  static bool fits(const Line& line, const CheckRow& row);

  std::string text_;
  std::vector<Line> lines_;
};

/// Ranks follow the seconds; a row shares the rank of the one before if no test tells it from any with that rank.
std::vector<CheckRow> ranked(std::vector<CheckRow> rows, const std::optional<Marking>& marks);

/// The fastest first, then right results without a time, then the others.
std::string check_table(std::vector<CheckRow> rows, int width);
/// "12 of 18 folders right, 2 wrong, 4 do not build".
std::string check_counts(const std::vector<CheckRow>& rows);
std::string check_csv(const std::vector<CheckRow>& rows);

/// "expected a Makefile, found d2q9-bgk.c; try --build "gcc ..."": a command that suits the headers that the sources
/// include and the number of programs. "" if there are no sources.
std::string makefile_missing(const fs::path& folder);

/// A page for each row. Throws Error (bad_input).
void write_feedback(const std::vector<CheckRow>& rows, const std::optional<Marking>& marks, const fs::path& folder);

}  // namespace boltzmark
