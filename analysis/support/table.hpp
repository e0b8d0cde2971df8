// A table of texts, and its three forms: aligned for a terminal, Markdown, CSV.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace boltzmark {

enum class Align { left, right };

struct Column {
  std::string header;  ///< may have several lines ('\n')
  Align align = Align::left;
  bool shrinks = false;  ///< its cells may be cut ("...") when the table gets too wide for a terminal
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// One cell a column; missing ones are empty. A cell is one line of UTF-8.
  void add_row(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }

  /// Columns apart by two blanks under a header and a rule, each line ended; at most `width` columns wide if
  /// the columns that shrink allow it.
  std::string text(int width = 120) const;
  /// A GitHub-flavoured Markdown table.
  std::string markdown() const;
  /// RFC 4180 with \n as line end: cells are quoted where they must be.
  std::string csv() const;

 private:
  std::vector<int> widths(int limit) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// Columns that a UTF-8 text takes on a terminal: combining characters none, East Asian wide ones and
/// pictures two.
int display_width(std::string_view text);

/// The text cut to a display width, its last character then an ellipsis.
std::string shortened(const std::string& text, int width);

/// A number with that many significant digits (before the point never fewer than it has): 35.21, 0.06120,
/// 124356; below 1e-3 with an exponent: 1.3e-06. Not a number or infinite: "-".
std::string significant(double value, int digits);

}  // namespace boltzmark
