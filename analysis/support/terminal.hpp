// Output for a terminal: tables of texts and numbers, and progress lines.
#pragma once

#include <map>
#include <optional>
#include <string_view>

#include "analysis/support/process.hpp"

namespace boltzmark {

enum class Align { left, right };

struct Column {
  std::string header;  ///< may have several lines ('\n')
  Align align = Align::left;
  bool shrinks = false;  ///< its cells may be cut ("...") if no column is left to drop
  int spare = 0;         ///< dropped if the table is too wide for a terminal, the highest first; 0 and below: never
};
inline Column left(const std::string& header, int spare = 0) { return {header, Align::left, false, spare}; }
inline Column right(const std::string& header, int spare = 0) { return {header, Align::right, false, spare}; }
/// Left-aligned; may be cut.
inline Column cut(const std::string& header, int spare = 0) { return {header, Align::left, true, spare}; }

using Cell = std::string;  ///< one line of UTF-8

/// As significant(); "-" if there is none.
Cell number_cell(std::optional<double> value, int digits);

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// One cell per column; missing ones are empty.
  void add_row(std::vector<Cell> cells);
  /// Words below the newest row, indented.
  void add_below(const std::string& words) { below_.emplace(rows_.size(), words); }
  bool empty() const { return rows_.empty(); }
  std::size_t size() const { return rows_.size(); }

  /// Under a header and a rule, each line ended; at most `width` wide as far as columns can shrink or be dropped.
  std::string text(int width = 120) const;
  /// Without the columns of this `spare`.
  Table without(int spare) const;
  /// Only the lines of rows, each after `indent` blanks.
  std::string body(int indent) const;

 private:
  std::vector<int> widths(int limit) const;
  std::vector<std::vector<Cell>> header_rows() const;

  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
  std::multimap<std::size_t, std::string> below_;  ///< by number of a row, from 1
};

/// Columns for tables on standard output: from COLUMNS or the terminal, between 80 and 120.
int table_width();

/// Columns of a UTF-8 text on a terminal: combining characters take none, East Asian wide ones and pictures two.
int display_width(std::string_view text);

/// Cut to a display width, with an ellipsis as its last character.
std::string shortened(const std::string& text, int width);

/// In lines of at most `width` columns, broken at blanks, each ended; all but the first are indented.
std::string wrapped(const std::string& text, int width, int indent = 0);

/// A number with that many significant digits (all digits before the point are kept): 35.21, 0.06120, 124356; below
/// 1e-3 with an exponent: 1.3e-06. NaN or infinity: "-".
std::string significant(double value, int digits);

/// "8 B", "32.0 KiB", "12.0 MiB", "1.50 GiB".
std::string sized(std::int64_t bytes);

/// "8 s", "2:05 min", "1:02:03 h".
std::string duration(double seconds);

/// Writes to standard error, so that standard output contains only the results.
class Progress {
 public:
  explicit Progress(bool quiet);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }

  /// A permanent line, with or without quiet.
  void say(const std::string& line);
  /// A line that the next one replaces; only on a terminal. If it is too long, the end of `line` is cut, not `last`.
  void show(const std::string& line, const std::string& last = "");
  /// A callback that shows `what` and its seconds, after those of `before`.
  Tick timer(const std::string& what, const std::string& last = "", double before = 0.0) {
    return [=, this](double elapsed) { show(what + ": " + duration(before + elapsed), last); };
  }
  /// A finished step: a line that stays in a log and is replaced on a terminal.
  void done(const std::string& line);
  void clear();

 private:
  enum class Style { quiet, lines, terminal } style_;
  bool showing_ = false;
};

/// The call was stopped: erases the progress line, says so, and returns the exit status.
int end_stopped(Progress& progress, const SignalWatch& signals, const std::string& line);

/// The body of main(): an exception, or lost output, becomes one line on standard error and the exit status.
int guarded_main(const std::string& program, const std::function<int()>& run);

}  // namespace boltzmark
