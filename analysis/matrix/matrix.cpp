#include "analysis/matrix/matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <tuple>

#include "analysis/roofline/run_tables.hpp"
#include "analysis/roofline/words.hpp"
#include "analysis/support/commands.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/print.hpp"
#include "common/base/ranges.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

/// In this order, then others in order of appearance.
constexpr std::array models_in_order = {"serial", "stdpar", "openmp", "openmp_target", "mpi",     "opencl", "cuda",
                                        "kokkos", "tbb",    "thrust", "hip",           "openacc", "sycl"};

std::string type_of(const Row& row) { return row.record ? row.record->device_type : ""; }

/// Model and type of device; the type is "" for a model without a recorded run.
using ColumnKey = std::pair<std::string, std::string>;

std::vector<ColumnKey> columns_of(const Rows& rows) {
  std::vector<std::string> models(models_in_order.begin(), models_in_order.end());
  std::map<std::string, std::set<std::string>> types;
  for (const Row* row : rows) {
    add_once(models, row->key.model);
    auto& known = types[row->key.model];
    if (!type_of(*row).empty()) known.insert(type_of(*row));
  }
  std::vector<ColumnKey> columns;
  for (const std::string& model : models) {
    const auto of_model = types.find(model);
    if (of_model == types.end()) continue;
    if (of_model->second.empty()) columns.emplace_back(model, "");
    for (const std::string& type : of_model->second) columns.emplace_back(model, type);
  }
  return columns;
}

/// Sort key of a line: workload (those with parts last), size, precision and part.
struct Problem {
  std::size_t workload = 0;
  double size = 0.0;
  std::string precision, part, case_name;
  Rows rows;
};

/// An impossible run states neither the size of its default problem nor its parts.
std::vector<Problem> problems_of(const Rows& rows) {
  std::map<std::string, std::string> known_case, known_part, last_part;
  std::vector<std::string> workloads;
  for (const Row* row : rows) {
    const std::string& workload = row->key.workload;
    add_once(workloads, workload);
    if (row->case_name != "default") known_case.emplace(workload, row->case_name);
    if (!row->part.empty()) known_part.emplace(workload, row->part);
    last_part[workload] = std::max(last_part[workload], row->part);
  }
  std::ranges::stable_sort(workloads, {}, [&](const std::string& one) { return last_part[one]; });
  const auto case_of_row = [&](const Row& row) {
    const auto known = known_case.find(row.key.workload);
    return row.case_name == "default" && known != known_case.end() ? known->second : row.case_name;
  };
  std::map<std::pair<std::string, std::string>, double> sizes;
  for (const Row* row : rows)
    if (row->record && !row->record->case_.extent.empty()) {
      double size = 1.0;
      for (const std::int64_t length : row->record->case_.extent) size *= static_cast<double>(length);
      double& largest = sizes[{row->key.workload, case_of_row(*row)}];
      largest = std::max(largest, size);
    }
  ByName<Problem> problems;
  for (const Row* row : rows) {
    const std::string& workload = row->key.workload;
    const std::string part = row->part.empty() ? known_part[workload] : row->part, name = case_of_row(*row);
    Problem& problem = problems[fmt::format("{}|{}|{}|{}", workload, name, row->key.precision, part)];
    const auto size = sizes.find({workload, name});
    if (problem.rows.empty())
      problem = {static_cast<std::size_t>(std::ranges::find(workloads, workload) - workloads.begin()),
                 size == sizes.end() ? std::numeric_limits<double>::infinity() : size->second,
                 row->key.precision,
                 part,
                 name,
                 {}};
    problem.rows.push_back(row);
  }
  auto all = each(problems, [](const auto& problem) { return problem.second; });
  std::ranges::stable_sort(
      all, {}, [](const Problem& one) { return std::tuple(one.workload, one.size, one.precision, one.part); });
  return all;
}

MatrixCell cell_of(const Rows& rows, const ColumnKey& column, View view) {
  const bool is_same = view == View::same_algorithm;
  MatrixCell cell;
  for (const Row* row : rows) {
    const std::string type = type_of(*row);
    if (row->key.model != column.first || (!type.empty() && type != column.second)) continue;
    cell.is_wrong |= row->status == RunStatus::wrong;
    const ShareOfFastest& place = is_same ? row->same : row->best;
    const bool is_better = place.share && !cell.is_right();
    if (!cell.row || is_better || (!cell.is_right() && row->status > cell.row->status)) cell.row = row;
    if (is_better) cell.place = place;
  }
  return cell;
}

std::string upper_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

/// A cell on a terminal.
std::string cell_text(const MatrixCell& cell, bool has_roofs) {
  if (cell.is_wrong) return "WRONG";
  if (!cell.row) return "";
  if (!cell.is_right()) return cell.row->status == RunStatus::impossible ? "-" : state_words(*cell.row);
  return fmt::format("{}{:.0f}{}{}", cell.sign(), 100.0 * *cell.place.share, has_roofs ? '/' + cell.bound_words() : "",
                     cell.mark());
}

std::string table_text(const Matrix& matrix, bool all, int width) {
  std::vector<Column> columns = {cut(all ? "problem" : "workload")};
  if (all)
    columns.insert(columns.end(), {cut("fastest", 1), right("rate", 2)});
  else
    columns.push_back(right("problems"));
  for (std::string header : matrix.columns) {
    std::ranges::replace(header, '-', '\n');
    std::ranges::replace(header, ' ', '\n');
    columns.push_back(right(header));
  }
  Table table(columns);
  for (const MatrixLine& line : all ? matrix.lines : matrix.by_workload()) {
    std::vector<Cell> cells = {line.label};
    if (all) {
      cells.push_back(line.fastest ? who_words(*line.fastest) : "-");
      cells.push_back(line.fastest ? rate_words(*line.fastest) : "-");
    } else {
      cells.push_back(std::to_string(line.problems));
    }
    for (const MatrixCell& cell : line.cells) cells.push_back(cell_text(cell, matrix.has_roofs));
    table.add_row(std::move(cells));
  }
  return table.text(width);
}

}  // namespace

std::string MatrixCell::standing() const {
  const auto& rounds = place.rounds_to_decide;
  return to_string(place.standing) + (rounds ? fmt::format(" (about {} rounds would decide)", *rounds) : "");
}

std::optional<double> MatrixCell::bound() const { return is_right() ? row->roofline.share : std::nullopt; }

std::string MatrixCell::bound_words() const {
  if (!bound()) return "-";
  const auto most = row->roofline.share_most;
  const std::string end = !most ? "" : *most < 1.005 ? fmt::format("\u2013{:.0f}", 100.0 * *most) : "\u2013>100";
  return fmt::format("{:.0f}{}", 100.0 * *bound(), end);
}

std::string MatrixCell::sign() const {
  if (place.standing == Standing::unranked && is_right()) return "\u00b7";
  return place.standing == Standing::tie ? "=" : place.standing == Standing::undecided ? "?" : "";
}

std::string MatrixCell::mark() const { return is_right() && row->is_noisy() ? "!" : ""; }

Matrix::Matrix(const Rows& rows, View its_view) : view(its_view) {
  Rows kept;
  const bool is_same = view == View::same_algorithm;
  std::set<std::string> compared;  // workloads with a variant of the same algorithm
  for (const Row* row : rows)
    if (row->same.share) compared.insert(row->key.workload);
  for (const Row* row : rows)
    if (is_same && (!compared.contains(row->key.workload) || (row->is_right() && !row->same.share)))
      continue;
    else if (row->key.workload != "stream" || row->part.empty() || row->part == "triad")
      kept.push_back(row);
  const auto keys = columns_of(kept);
  for (const auto& [model, type] : keys) {
    const bool is_one = std::ranges::count(keys, model, &ColumnKey::first) == 1;
    columns.push_back(model_words(model) + (is_one ? "" : ' ' + upper_case(type)));
  }
  for (const Problem& problem : problems_of(kept)) {
    MatrixLine line = {problem.rows.front()->key.workload, problem.case_name, problem.precision, problem.part, "", {}};
    const std::string label = join_not_empty(
        {problem.part, problem_words(problem.case_name), problem.precision == "f32" ? "" : problem.precision});
    line.label = join_not_empty({model_words(line.workload), label});
    for (const ColumnKey& key : keys) {
      MatrixCell& cell = line.cells.emplace_back(cell_of(problem.rows, key, view));
      cell.label = label;
      has_roofs |= cell.bound().has_value();
    }
    for (const Row* row : problem.rows) {
      line.done += row->status == RunStatus::ok;
      if ((is_same ? row->same : row->best).share == 1.0) line.fastest = row;
    }
    lines.push_back(std::move(line));
  }
}

bool Matrix::has_shares() const {
  return std::ranges::any_of(lines, [](const MatrixLine& line) { return line.fastest != nullptr; });
}

std::vector<MatrixLine> Matrix::by_workload() const {
  ByName<MatrixLine> kept;
  const auto rank = [](const MatrixCell& cell) {
    return std::pair(cell.place.share.value_or(2.0), cell.row ? -static_cast<int>(cell.row->status) : 1);
  };
  for (const MatrixLine& line : lines) {
    MatrixLine& one = kept[line.workload];
    if (one.cells.empty()) {
      one = line;
      one.label = model_words(line.workload);
      one.fastest = nullptr;
      continue;
    }
    ++one.problems;
    for (std::size_t i = 0; i < line.cells.size(); ++i) {
      const bool is_wrong = one.cells[i].is_wrong || line.cells[i].is_wrong;
      if (rank(line.cells[i]) < rank(one.cells[i])) one.cells[i] = line.cells[i];
      one.cells[i].is_wrong = is_wrong;
    }
  }
  return each(kept, [](const auto& one) { return one.second; });
}

Matrix::Leaders Matrix::leaders(const MatrixLine& line) {
  Leaders found;
  for (std::size_t i = 0; i < line.cells.size(); ++i) {
    const MatrixCell& cell = line.cells[i];
    const bool is_first = cell.row == line.fastest;
    if (is_first || cell.place.standing == Standing::tie)
      found.first.insert(is_first ? found.first.begin() : found.first.end(), i);
    else if (cell.place.standing == Standing::undecided)
      found.undecided.push_back(i);
    else if (cell.place.share && cell.row->key.model != line.fastest->key.model &&
             (!found.next || cell.place.share > line.cells[*found.next].place.share))
      found.next = i;
  }
  return found;
}

std::string Matrix::ahead(const MatrixLine& line) const {
  const auto [first, undecided, next] = leaders(line);
  std::vector<std::string> texts;
  for (const auto& [words, some] : {std::pair("tie: ", std::span(first).subspan(1)), {"undecided: ", undecided}})
    if (!some.empty()) texts.push_back(words + joined(some, ", ", [&](std::size_t i) { return columns[i]; }));
  if (!texts.empty()) return join(texts, "; ");
  if (!next) return "";
  const MatrixCell& cell = line.cells[*next];
  return join_not_empty({significant(1.0 / *cell.place.share, 3), "\u00d7", columns[*next], cell.sign()});
}

std::string Matrix::sentence(const MatrixLine& line) const {
  const auto [first, undecided, next] = leaders(line);
  std::vector<std::size_t> all = first;
  all.insert(all.end(), undecided.begin(), undecided.end());
  if (next) all.push_back(*next);
  const bool has_compilers = std::ranges::any_of(
      all, [&](std::size_t i) { return compiler_of(*line.cells[i].row) != compiler_of(*line.fastest); });
  std::size_t rounds = SIZE_MAX;
  for (const MatrixCell& cell : line.cells)
    if (cell.is_right()) rounds = std::min(rounds, cell.row->round_seconds.size());
  const auto name = [&](std::size_t i) {
    return columns[i] + (has_compilers ? fmt::format(" ({})", compiler_of(*line.cells[i].row)) : "");
  };
  std::string text =
      fmt::format("{}, {}: ", line.label, view == View::same_algorithm ? "same algorithm" : "each model's fastest");
  if (all.size() == 1)
    text += fmt::format("only {} with ", name(first[0]));
  else if (first.size() > 1)
    text += fmt::format("a tie of {} and {} with ", joined(std::span(first).first(first.size() - 1), ", ", name),
                        name(first.back()));
  else
    text += name(first[0]) +
            (rounds < rounds_to_rank || !undecided.empty() ? " has the highest rate, " : " is fastest with ");
  text += rate_words(*line.fastest);
  if (const double share = next ? *line.cells[*next].place.share : 0.0; share > 1.0 - least_gap)
    text += fmt::format(", less than {:.0f} % ahead of {}", 100.0 * least_gap, name(*next));
  else if (next)
    text += fmt::format(", {} times as fast as {}", significant(1.0 / share, 3), name(*next));
  if (!undecided.empty())
    text += fmt::format(
        "; undecided against {} (too noisy; about {} rounds would decide)", joined(undecided, ", ", name),
        std::ranges::max(each(undecided, [&](std::size_t i) { return *line.cells[i].place.rounds_to_decide; })));
  return text + (all.size() > 1 && rounds < rounds_to_rank ? "; too few rounds to rank." : ".");
}

std::string Matrix::furthest(const MatrixLine& line) const {
  std::vector<std::pair<std::string, const MatrixCell*>> behind;
  // A cell of a workload is the smallest share, which may be unranked where another problem's is behind.
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const MatrixCell* last = nullptr;
    const auto consider = [&](const MatrixCell& cell) {
      const bool is_behind = cell.place.standing == Standing::behind && *cell.place.share < behind_below;
      if (is_behind && (!last || *cell.place.share < *last->place.share)) last = &cell;
    };
    if (line.problems == 1) consider(line.cells[i]);
    for (const MatrixLine& one : lines)
      if (line.problems > 1 && one.workload == line.workload) consider(one.cells[i]);
    if (last) behind.emplace_back(columns[i], last);
  }
  std::ranges::stable_sort(behind, {}, [](const auto& one) { return *one.second->place.share; });
  std::string text;
  std::vector<std::string> others;
  for (const auto& [model, cell] : behind) {
    const RooflineAnalysis& at = cell->row->roofline;
    const std::string causes = join_not_empty({at.share ? at.verdict : "", cell->place.launches}, "; "),
                      cause = causes.empty() ? "" : fmt::format(" ({})", causes);
    if (text.empty())
      text = fmt::format("{} on {}, {} of the fastest{}", model, cell->label, percent(*cell->place.share), cause);
    else
      others.push_back(model + cause);
  }
  return text + (others.empty() ? "" : "; also behind: " + join(others, ", "));
}

std::vector<std::string> same_words(const Matrix& matrix, const Rows& plans) {
  ByName<ByName<std::vector<std::string>>> variants;  // each with its columns
  for (const MatrixLine& line : matrix.lines)
    for (std::size_t i = 0; i < line.cells.size(); ++i)
      if (line.cells[i].is_right()) add_once(variants[line.workload][line.cells[i].row->variant], matrix.columns[i]);
  std::vector<std::string> several, none;
  const auto words_of = [](const auto& one) { return fmt::format("{} ({})", one.first, join(one.second, ", ")); };
  for (const auto& [workload, found] : variants)
    if (found.size() > 1)
      several.push_back(fmt::format("{}: {}", model_words(workload), joined(found, ", ", words_of)));
  for (const Row* row : plans)
    if (row->is_right() &&
        std::ranges::none_of(variants, [&](const auto& one) { return one.first == row->key.workload; }))
      add_once(none, model_words(row->key.workload));
  std::vector<std::string> words;
  if (!several.empty()) words.push_back("Variants that stand for the same algorithm: " + join(several, "; ") + '.');
  if (!none.empty()) words.push_back("Without a right run of the same algorithm: " + join(none, ", ") + '.');
  return words;
}

std::string matrix_text(const std::vector<Row>& rows, View view, int width, std::size_t most_lines) {
  const Rows plans = of_plans(rows);
  if (plans.empty()) return "";
  const bool has_same = std::ranges::any_of(rows, [](const Row& row) { return row.same.share.has_value(); });
  const bool is_same = view == View::same_algorithm && has_same;
  const Matrix matrix(plans, is_same ? View::same_algorithm : View::best);
  const bool all = matrix.lines.size() <= most_lines;
  std::string text = wrapped(
      fmt::format(
          "{}: % of the fastest rate (=: a tie, ?: undecided, \u00b7: one or two rounds, not ranked, !: noisy){}; {}",
          is_same ? "The same algorithm in every model (--best: each model's fastest)" : "Every model's fastest",
          matrix.has_roofs ? ", and % of its bound" : "; for % of its bound: boltzmark peaks",
          all ? "one line per problem"
              : "of a workload's problems the one with a model's smallest share of the fastest (all: boltzmark matrix "
                "--all)"),
      width);
  text += fmt::format("\n{}\n", table_text(matrix, all, width));
  const auto add = [&](const std::string& line) { text += wrapped(one_line(line), width, 2); };
  for (const Row* row : plans)
    if (row->status == RunStatus::wrong)
      add(fmt::format("{} {}: {}", model_words(row->key.workload), problem_words(row->case_name), status_words(*row)));
  for (const Reason& reason : reasons(plans)) add(reason.line());
  for (const MatrixLine& line : matrix.by_workload())
    if (const std::string words = matrix.furthest(line); !words.empty())
      add(fmt::format("Furthest behind in {}: {}", line.label, words));
  if (is_same)
    for (const std::string& words : same_words(matrix, plans)) add(words);
  add(verdict_words(plans));
  for (const std::string& words : conditions(plans)) add(words);
  return text + '\n' + footer(rows, width);
}

int matrix_command(const MatrixOptions& options) {
  const Results results = read_results(options.results);
  for (const std::string& complaint : results.complaints) print_warning("boltzmark", complaint);
  const std::vector<Row> rows = make_rows(results);
  const View view = options.best ? View::best : View::same_algorithm;
  print_text(stdout, matrix_text(rows, view, table_width(), options.all ? SIZE_MAX : 0));
  return 0;
}

}  // namespace boltzmark
