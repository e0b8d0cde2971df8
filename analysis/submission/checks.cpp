#include "analysis/submission/checks.hpp"

#include <array>
#include <cmath>
#include <tuple>

#include "analysis/roofline/difference.hpp"
#include "analysis/roofline/figures.hpp"
#include "analysis/roofline/words.hpp"
#include "analysis/support/confined.hpp"
#include "analysis/support/json.hpp"
#include "analysis/support/process.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/digest.hpp"
#include "common/base/error.hpp"
#include "common/run/record.hpp"

namespace boltzmark {

BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(CheckRow, folder, kind, case_name, steps, verdict, reason, deviation, deviation_at,
                                  tolerance, seconds, seconds_printed, seconds_best, repeats, runs, wall_seconds,
                                  speed_up, share, bound, notes, allowed_seconds, ran_out, log, all_seconds)

namespace {

using nlohmann::json;

/// A verdict, in a table for one folder and for several, and the advice to the student.
struct VerdictWords {
  const char *verdict, *one, *several, *advice;
};
constexpr std::array all_verdicts = {
    VerdictWords{verdict::right, "right", "right",
                 "Usual next steps: the compiler's optimisation flags (-O3 -march=native); one loop over the grid "
                 "instead of one per phase; two grids that change roles; a structure of arrays; vectors; threads. The "
                 "ladder in docs/guide/teaching.md has a file for each."},
    VerdictWords{verdict::wrong, "wrong", "wrong",
                 "Look at the cell or step named above first. A deviation in few cells mostly comes from walls, "
                 "obstacles or the periodic border; one in all cells from weights, the collision or the order of the "
                 "phases of a step. A result that differs from run to run comes from a race, or from memory that is "
                 "read before it is written."},
    VerdictWords{verdict::nan, "not a number", "not a number",
                 "Find the first step with such a value. Usual causes are a division by a density of zero and memory "
                 "that is read before it is written."},
    VerdictWords{verdict::steps, "wrong number of steps", "wrong number of steps",
                 "av_vels.dat must have one line for each step of the parameter file."},
    VerdictWords{verdict::lines, "wrong number of cells", "wrong number of cells",
                 "final_state.dat must have one line for each cell, obstacles included."},
    VerdictWords{verdict::format, "malformed results", "malformed results",
                 "Write the result files in the format of the program that was handed out."},
    VerdictWords{verdict::missing, "no results", "no results",
                 "The program must write final_state.dat and av_vels.dat into the folder where it is started."},
    VerdictWords{no_problem, "unusable problem", "unusable problems", ""},
    VerdictWords{nothing_to_build, "nothing to build", "nothing to build", "Hand in a Makefile with the sources."},
    VerdictWords{verdict::build, "does not build", "do not build",
                 "Unpack what you handed in into an empty folder, and build it there."},
    VerdictWords{verdict::crashed, "crashed", "crashed",
                 "Build with -g -fsanitize=address and run it again: this mostly names the line."},
    VerdictWords{verdict::failed, "failed", "failed", "The program ended with an exit status other than 0."},
    VerdictWords{verdict::timeout, "out of time", "out of time",
                 "Try fewer steps. If these take long as well, look for a loop or a wait that does not end."},
    VerdictWords{verdict::memory, "out of memory", "out of memory",
                 "Free memory that is allocated in each step, or allocate it once."},
    VerdictWords{verdict::output, "printed too much", "printed too much", "Print nothing in the loop over steps."},
    VerdictWords{verdict::processes, "too many processes", "too many processes",
                 "Start as many threads and processes as there are cores."},
    VerdictWords{verdict::too_large, "files too large", "files too large",
                 "Write the two result files only, and hand in sources only."}};

const VerdictWords* words_of(const std::string& verdict) {
  return find_where(all_verdicts, [&](const VerdictWords& one) { return one.verdict == verdict; });
}

/// A figure of a right row, its form in a file of marks, and in words with its smallest value.
struct MarkedFigure {
  const char *name, *form, *words;
};
constexpr std::array figures = {MarkedFigure{"speed-up", "70 speed-up 4", "a speed-up of {:.4g}"},
                                MarkedFigure{"share", "80 share 30%", "{:.4g} % of the bound"},
                                MarkedFigure{"rank", "90 rank 3", "rank {:.4g}"}};
const MarkedFigure* figure_of(const std::string& name) {
  return find_where(figures, [&](const MarkedFigure& one) { return one.name == name; });
}

/// The number of such a line: a share has its sign, a rank is whole.
std::optional<double> figure_in(const std::vector<std::string>& words, const MarkedFigure& figure) {
  if (words.size() != 3) return {};
  std::string text = words[2];
  if (figure.name == std::string("rank")) {
    const auto rank = parse_number<int>(text);
    return rank > 0 ? std::optional<double>(rank) : std::nullopt;
  }
  if (figure.name == std::string("share")) {
    if (!text.ends_with('%')) return {};
    text.pop_back();
  }
  const auto number = parse_number<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

/// The last component of each row's path, or the whole path if two rows share it.
std::vector<std::string> short_names(const std::vector<CheckRow>& rows) {
  const auto name_of = [](const CheckRow& row) { return fs::path(row.folder).filename().string(); };
  const auto names = each(rows, name_of);
  std::set<std::string> distinct(names.begin(), names.end());
  distinct.insert("");  // of "..", of a path that ends in a slash
  return distinct.size() == rows.size() + 1 ? names : each(rows, &CheckRow::folder);
}

std::string mark_text(double mark) { return fmt::format("{:.6g}", mark); }

std::string escaped(const std::string& text) {
  return replaced(one_line(text, "\n\t"), {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
}

/// Each line once: a failed build is tried again, and then reports the same errors.
std::string without_repeated_lines(const std::string& text) {
  std::set<std::string> seen;
  std::string kept;
  for (const std::string& line : split(text, '\n'))
    if (seen.insert(line).second) kept += line + '\n';
  return kept;
}

/// Enough runs, in a time that can be compared.
bool can_rank(const CheckRow& row) { return row.speed_up && row.all_seconds.size() >= rounds_to_rank; }

/// By the test of rounds; also if they do not overlap and their medians are far apart, whatever the test says.
bool is_slower(const CheckRow& row, const CheckRow& other) {
  constexpr double far = 1.2;
  if (standing_of(other.all_seconds, row.all_seconds) == Standing::behind) return true;
  return *row.seconds > far * *other.seconds && std::ranges::min(row.all_seconds) > std::ranges::max(other.all_seconds);
}

/// "2=" if others have the same rank.
std::string rank_text(const CheckRow& row) {
  return fmt::format("{}{} of {}", row.rank, row.is_tied ? "=" : "", row.ranked);
}

/// Ranks of rows with the same problem and steps.
void rank_group(std::vector<CheckRow*> rows) {
  std::ranges::stable_sort(rows, {}, [](const CheckRow* row) { return *row->seconds; });
  std::size_t first = 0;  // with the rank of the row before
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto is_apart = [&](std::size_t other) { return is_slower(*rows[i], *rows[other]); };
    if (std::ranges::any_of(std::views::iota(first, i), is_apart)) first = i;
    rows[i]->rank = static_cast<int>(first) + 1;
    rows[i]->ranked = static_cast<int>(rows.size());
    rows[i]->is_tied = rows[first]->is_tied = first < i;
  }
}

/// The page of one of these rows.
std::string page_of(const CheckRow& row, const std::string& name, const std::optional<Marking>& marking) {
  std::string facts;
  const auto add = [&facts](const char* what, const std::string& text) {
    if (!text.empty()) facts += fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", what, escaped(text));
  };
  add("Result", verdict_words(row.verdict));
  if (row.mark) {
    const std::string next = marking->next(row);
    add("Mark", mark_text(*row.mark) + (next.empty() ? "" : " (" + next + ")"));
  }
  add("Problem", row.case_name.empty() ? "" : fmt::format("{}, {}", row.case_name, counted(row.steps, "step")));
  if (row.deviation)
    add("Largest deviation",
        fmt::format("{:.2g} in {} (allowed: {:.2g})", *row.deviation, row.deviation_at, row.tolerance));
  add("Reason", row.reason);
  if (row.seconds)
    add("Time", fmt::format("{} s{}", significant(*row.seconds, 4),
                            row.runs > 1 ? fmt::format(", median of {} runs", row.runs) : ""));
  if (row.speed_up) add("Speed-up", significant(*row.speed_up, 3) + " times as fast as serial's textbook program");
  if (row.rank > 0) add("Rank", rank_text(row));
  if (row.share) add("Share of its bound", fmt::format("{} ({})", share_words(*row.share), row.bound));
  add("Notes", row.notes);
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{0}</title>\n"
      "<style>body {{ font: 16px/1.5 sans-serif; max-width: 52em; margin: 2em auto; padding: 0 1em; }} th {{ text-align: "
      "left; vertical-align: top; padding-right: 1.5em; font-weight: 600; }} pre {{ background: #f3f4f5; padding: 1em; "
      "overflow: auto; }}</style>\n</head>\n<body>\n<h1>{0}</h1>\n<table>\n{1}</table>\n",
      escaped(name), facts);
  constexpr double near_bound = 0.5;
  const bool has_reached = row.verdict == verdict::right && row.share >= near_bound;
  if (const VerdictWords* const words = words_of(row.verdict); words && *words->advice != '\0' && !has_reached)
    text += fmt::format("<p>{}</p>\n", escaped(words->advice));
  constexpr std::size_t most_shown = 4000;
  std::string log = row.verdict == verdict::right || row.log.empty() ? "" : tail_of(row.log, most_shown);
  if (row.verdict == verdict::build) log = without_repeated_lines(log);
  if (log.find_first_not_of(blanks) != log.npos)
    text += fmt::format("<h2>What the build or the program printed last</h2>\n<pre>{}</pre>\n", escaped(log));
  return text + "</body>\n</html>\n";
}

}  // namespace

std::string verdict_words(const std::string& verdict) {
  const VerdictWords* const words = words_of(verdict);
  return words ? words->one : verdict;
}

std::string more_than_rounding(const Check& check) {
  constexpr double most_by_rounding = 1e-3;  // plain single precision: 6e-4 over a full standard run
  if (!check.passed.value_or(false) || !(check.worst().value > most_by_rounding)) return {};
  return fmt::format("deviates by more than rounding in single precision ({:.0e}): more steps show whether it is wrong",
                     most_by_rounding);
}

Marking::Marking(const fs::path& file, int repeats) : text_(read_regular(file, "a file of marks")) {
  int number = 0;
  for (std::string line : split(text_, '\n')) {
    ++number;
    const auto words = words_in(line.substr(0, line.find('#')));
    if (words.empty()) continue;
    const auto fail = [&](const std::string& expected) {
      throw bad_input("{}:{}: expected {}, found {}", file.string(), number, expected, boltzmark::quoted(line));
    };
    const auto mark = parse_number<double>(words.front());
    const MarkedFigure* const figure = words.size() > 1 ? figure_of(words[1]) : nullptr;
    Line read = {.what = figure ? figure->name : join({words.begin() + 1, words.end()}, " ")};
    if (!mark || !std::isfinite(*mark) || (!figure && !words_of(read.what)))
      fail(fmt::format("a mark and a verdict (\"40 right\"), or a mark and a figure ({})",
                       joined(figures, ", ", [](const auto& one) { return fmt::format("\"{}\"", one.form); })));
    read.mark = *mark;
    if (figure) read.least = figure_in(words, *figure).value_or(-1.0);
    if (read.least < 0.0) fail(fmt::format("a line such as \"{}\"", figure->form));
    if (read.what == "rank" && static_cast<std::size_t>(repeats) < rounds_to_rank)
      fail(fmt::format("ranks only with --repeats {} or more", rounds_to_rank));
    lines_.push_back(read);
  }
  if (lines_.empty())
    throw bad_input("{}: expected a line for each mark, such as \"40 right\", found none", file.string());
}

bool Marking::fits(const Line& line, const CheckRow& row) {
  if (row.verdict == line.what) return true;
  if (row.verdict != verdict::right) return false;
  if (line.what == "speed-up") return row.speed_up >= line.least;
  if (line.what == "share") return row.share && 100.0 * *row.share >= line.least;
  return line.what == "rank" && row.rank > 0 && row.rank <= line.least;
}

double Marking::of(const CheckRow& row) const {
  std::optional<double> mark;
  for (const Line& line : lines_)
    if (fits(line, row)) mark = std::max(mark.value_or(line.mark), line.mark);
  return mark.value_or(0.0);
}

std::string Marking::next(const CheckRow& row) const {
  const double mark = of(row);
  const Line* next = nullptr;
  for (const Line& line : lines_)
    if (row.verdict == verdict::right && line.mark > mark && figure_of(line.what) && (!next || line.mark < next->mark))
      next = &line;
  if (!next) return "";
  return fmt::format("{} from {} on", mark_text(next->mark),
                     fmt::format(fmt::runtime(figure_of(next->what)->words), next->least));
}

std::vector<CheckRow> ranked(std::vector<CheckRow> rows, const std::optional<Marking>& marks) {
  std::map<std::pair<std::string, int>, std::vector<CheckRow*>> groups;
  for (CheckRow& row : rows)
    if (can_rank(row)) groups[{row.problem, row.steps}].push_back(&row);
  for (const auto& [problem, group] : groups) rank_group(group);
  if (marks)
    for (CheckRow& row : rows) row.mark = marks->of(row);
  return rows;
}

std::string check_table(std::vector<CheckRow> rows, int width) {
  std::ranges::stable_sort(rows, {}, [](const CheckRow& row) {
    return std::tuple(row.verdict != verdict::right, -row.speed_up.value_or(0.0));
  });
  const auto has = [&rows](const auto of) {
    return std::ranges::any_of(rows, [&](const CheckRow& row) { return (row.*of).has_value(); });
  };
  const bool has_share = has(&CheckRow::share), has_mark = has(&CheckRow::mark);
  std::vector<Column> columns = {cut("folder"),    left("verdict"), right("largest\ndeviation"),
                                 left("where", 1), right("s"),      right("x serial\ntextbook")};
  if (has_share) columns.push_back(right("% of\nbound"));
  columns.push_back(right("rank"));
  if (has_mark) columns.push_back(right("mark"));
  Table table(columns);
  const auto names = short_names(rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const CheckRow& row = rows[i];
    std::vector<Cell> cells = {names[i],         verdict_words(row.verdict),  number_cell(row.deviation, 2),
                               row.deviation_at, number_cell(row.seconds, 4), number_cell(row.speed_up, 3)};
    if (has_share) cells.push_back(row.share ? fmt::format("{:.0f}", 100.0 * *row.share) : "-");
    cells.push_back(row.rank > 0 ? rank_text(row) : "-");
    if (has_mark) cells.push_back(mark_text(row.mark.value_or(0.0)));
    table.add_row(std::move(cells));
    for (const std::string& why : {row.reason, row.notes})
      if (!why.empty()) table.add_below(why);
  }
  return table.text(width);
}

std::string check_counts(const std::vector<CheckRow>& rows) {
  const auto count_of = [&](const std::string& verdict) {
    return std::ranges::count(rows, verdict, &CheckRow::verdict);
  };
  std::string text = fmt::format("{} of {} right", count_of(verdict::right), counted(std::ssize(rows), "folder"));
  for (const VerdictWords& words : all_verdicts)
    if (const auto count = count_of(words.verdict); count > 0 && words.verdict != std::string(verdict::right))
      text += fmt::format(", {} {}", count, count == 1 ? words.one : words.several);
  return text;
}

std::string check_csv(const std::vector<CheckRow>& rows) {
  std::vector<json> lines;
  for (const CheckRow& row : rows) {
    json& line = lines.emplace_back(row);
    line.update({{"case", row.case_name},
                 {"right", row.verdict == verdict::right},
                 {"meaning", verdict_words(row.verdict)},
                 {"speed_up_over_textbook", row.speed_up},
                 {"share_of_bound", row.share},
                 {"rank", row.rank},
                 {"mark", row.mark}});
    for (const char* if_above_zero : {"steps", "tolerance", "runs", "rank"})
      if (!is_above(line[if_above_zero], 0.0)) line.erase(if_above_zero);
  }
  constexpr std::string_view names =
      "folder kind case steps verdict right deviation deviation_at tolerance seconds seconds_printed seconds_best runs "
      "wall_seconds speed_up_over_textbook rank reason notes meaning share_of_bound bound mark";
  std::vector<FigureColumn<json>> columns;
  for (const std::string& name : words_in(names)) columns.emplace_back(name);
  return csv_of(columns, lines);
}

void write_feedback(const std::vector<CheckRow>& rows, const std::optional<Marking>& marks, const fs::path& folder) {
  prepare_folder(folder);
  const auto names = short_names(rows), files = each(names, file_name_of);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool is_shared = std::ranges::count(files, files[i]) > 1;
    const std::string file = files[i] + (is_shared ? '-' + digest_of(rows[i].folder).substr(0, 8) : "");
    write_whole(folder / (file + ".html"), page_of(rows[i], names[i], marks));
  }
}

}  // namespace boltzmark
