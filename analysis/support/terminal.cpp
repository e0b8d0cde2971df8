#include "analysis/support/terminal.hpp"

#include <locale.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <cwchar>
#include <limits>
#include <numeric>
#include <sstream>

#include "common/base/error.hpp"
#include "common/base/print.hpp"

namespace boltzmark {
namespace {

constexpr int gap = 2;        // between columns
constexpr int narrowest = 8;  // of a column that can shrink
constexpr const char* ellipsis = "\u2026";

/// The first character of a UTF-8 text; an invalid byte counts as one.
struct Character {
  int width;
  std::size_t bytes;
};
Character first_character(std::string_view text) {
  static const locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  const locale_t before = uselocale(utf8);
  wchar_t code = 0;
  std::mbstate_t state{};
  const std::size_t bytes = std::mbrtowc(&code, text.data(), text.size(), &state);
  const int width = wcwidth(code);
  uselocale(before);
  if (bytes == 0 || bytes > text.size()) return {1, 1};
  return {std::max(width, 0), bytes};
}

std::string padded(const std::string& text, int width, Align align) {
  const std::string blanks(static_cast<std::size_t>(std::max(0, width - display_width(text))), ' ');
  return align == Align::left ? text + blanks : blanks + text;
}

/// Columns of the terminal behind a file descriptor, or `otherwise` if it is no terminal.
int terminal_width(int descriptor, int otherwise) {
  winsize size{};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : otherwise;
}

/// A line of cells, without blanks at its end.
std::string aligned_line(const std::vector<Cell>& cells, const std::vector<Column>& columns,
                         const std::vector<int>& widths) {
  std::string line;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (c > 0) line.append(gap, ' ');
    line += padded(shortened(cells[c], widths[c]), widths[c], columns[c].align);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

}  // namespace

int display_width(std::string_view text) {
  int width = 0;
  while (!text.empty()) {
    const Character character = first_character(text);
    width += character.width;
    text.remove_prefix(character.bytes);
  }
  return width;
}

std::string shortened(const std::string& text, int width) {
  if (display_width(text) <= width) return text;
  std::string_view rest = text;
  std::string kept;
  for (int used = 0; !rest.empty();) {
    const Character character = first_character(rest);
    used += character.width;
    if (used > width - 1) break;
    kept += rest.substr(0, character.bytes);
    rest.remove_prefix(character.bytes);
  }
  return kept + ellipsis;
}

std::string significant(double value, int digits) {
  if (!std::isfinite(value)) return "-";
  if (value == 0.0) return "0";
  const double size = std::abs(value);
  if (size < 1e-3) return fmt::format("{:.{}e}", value, digits - 1);
  // Digits after the point; the power of ten is that of the rounded number, because 9.996 becomes 10.00.
  const std::string scientific = fmt::format("{:.{}e}", size, digits - 1);
  const int power = std::stoi(scientific.substr(scientific.find('e') + 1));
  return fmt::format("{:.{}f}", value, std::max(0, digits - 1 - power));
}

std::string sized(std::int64_t bytes) {
  constexpr double kib = 1 << 10, mib = 1 << 20, gib = 1 << 30;
  const auto size = static_cast<double>(bytes);
  if (size < kib) return std::to_string(bytes) + " B";
  if (size < mib) return significant(size / kib, 3) + " KiB";
  return size < gib ? significant(size / mib, 3) + " MiB" : significant(size / gib, 3) + " GiB";
}

std::string wrapped(const std::string& text, int width, int indent) {
  std::istringstream words(text);
  std::string lines, line;
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  for (std::string word; words >> word;) {
    if (!line.empty() && display_width(line) + 1 + display_width(word) > width) {
      lines += line + '\n';
      line = margin + word;
    } else {
      line += (line.empty() ? "" : " ") + word;
    }
  }
  return line.empty() ? lines : lines + line + '\n';
}

Cell number_cell(std::optional<double> value, int digits) { return value ? significant(*value, digits) : "-"; }

void Table::add_row(std::vector<Cell> cells) {
  cells.resize(columns_.size());
  for (Cell& cell : cells) cell = one_line(std::move(cell));  // names of devices and files may contain anything
  rows_.push_back(std::move(cells));
}

std::vector<int> Table::widths(int limit) const {
  std::vector<int> widths(columns_.size(), 0);
  int total = -gap;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    for (const auto& line : split(columns_[c].header, '\n')) widths[c] = std::max(widths[c], display_width(line));
    for (const auto& row : rows_) widths[c] = std::max(widths[c], display_width(row[c]));
    total += widths[c] + gap;
  }
  for (; total > limit; --total) {  // the widest shrinks first
    int* widest = nullptr;
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (columns_[c].shrinks && widths[c] > narrowest && (!widest || widths[c] > *widest)) widest = &widths[c];
    if (!widest) break;
    --*widest;
  }
  return widths;
}

std::vector<std::vector<Cell>> Table::header_rows() const {
  std::vector<std::vector<Cell>> rows;  // from the last to the first: headers are aligned at the bottom
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const auto lines = split(columns_[c].header, '\n');
    rows.resize(std::max(rows.size(), lines.size()), std::vector<Cell>(columns_.size()));
    for (std::size_t line = 0; line < lines.size(); ++line) rows[line][c] = lines[lines.size() - 1 - line];
  }
  std::ranges::reverse(rows);
  return rows;
}

Table Table::without(int spare) const {
  Table rest({});
  rest.below_ = below_;
  rest.rows_.resize(rows_.size());
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (columns_[c].spare == spare) continue;
    rest.columns_.push_back(columns_[c]);
    for (std::size_t r = 0; r < rows_.size(); ++r) rest.rows_[r].push_back(rows_[r][c]);
  }
  return rest;
}

std::string Table::text(int width) const {
  const auto whole_widths = widths(std::numeric_limits<int>::max());
  const int gaps = gap * (static_cast<int>(columns_.size()) - 1);
  const int spare = columns_.empty() ? 0 : std::ranges::max(columns_, {}, &Column::spare).spare;
  if (std::accumulate(whole_widths.begin(), whole_widths.end(), gaps) > width && spare > 0)
    return without(spare).text(width);
  const auto column_widths = widths(width);
  std::string text;
  for (const auto& row : header_rows()) text += aligned_line(row, columns_, column_widths);
  std::vector<Cell> rules;
  for (const int w : column_widths) rules.emplace_back(std::string(static_cast<std::size_t>(w), '-'));
  text += aligned_line(rules, columns_, column_widths);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    text += aligned_line(rows_[r], columns_, column_widths);
    for (auto [at, last] = below_.equal_range(r + 1); at != last; ++at)
      text += "    " + wrapped(one_line(at->second), width - 4, 4);
  }
  return text;
}

std::string Table::body(int indent) const {
  std::string text;
  for (const auto& row : rows_)
    text += std::string(static_cast<std::size_t>(indent), ' ') + aligned_line(row, columns_, widths(120));
  return text;
}

int table_width() {
  constexpr int narrowest_table = 80, widest = 120;
  const char* const columns = std::getenv("COLUMNS");
  const auto asked = columns ? parse_number<int>(columns) : std::nullopt;
  return std::clamp(asked.value_or(terminal_width(STDOUT_FILENO, widest)), narrowest_table, widest);
}

Progress::Progress(bool quiet)
    : style_(quiet                   ? Style::quiet
             : isatty(STDERR_FILENO) ? Style::terminal
                                     : Style::lines) {}

void Progress::say(const std::string& line) {
  if (style_ == Style::quiet) return;
  clear();
  print_text(stderr, one_line(line) + '\n');
}

void Progress::show(const std::string& line, const std::string& last) {
  if (style_ != Style::terminal) return;
  // A wrapped line could not be erased.
  const int width = terminal_width(STDERR_FILENO, 80) - 1 - display_width(last);
  print_text(stderr, '\r' + shortened(one_line(line), std::max(width, 1)) + last + "\x1b[K");
  std::fflush(stderr);
  showing_ = true;
}

void Progress::done(const std::string& line) {
  if (style_ == Style::lines) say(line);
  if (style_ == Style::terminal) show(line);
}

void Progress::clear() {
  if (!showing_) return;
  print_text(stderr, "\r\x1b[K");
  std::fflush(stderr);
  showing_ = false;
}

int end_stopped(Progress& progress, const SignalWatch& signals, const std::string& line) {
  progress.clear();
  print_note("boltzmark", line);
  return 128 + signals.stopped_by();
}

int guarded_main(const std::string& program, const std::function<int()>& run) {
  const auto fail = [&program](ExitStatus status, const char* line) {
    print_error(program, line);
    return static_cast<int>(status);
  };
  int status = 0;
  try {
    status = run();
  } catch (const Error& error) {
    status = fail(error.status(), error.what());
  } catch (const std::exception& error) {
    status = fail(ExitStatus::bad_input, error.what());
  }
  if (flush_output()) return status;
  return std::max(
      status, fail(ExitStatus::bad_input, "standard output: expected to write all of it, found that some was lost"));
}

std::string duration(double seconds) {
  const long s = std::lround(seconds);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{}:{:02} min", s / 60, s % 60);
  return fmt::format("{}:{:02}:{:02} h", s / 3600, s / 60 % 60, s % 60);
}

}  // namespace boltzmark
