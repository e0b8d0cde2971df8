// `boltzmark report`, `tables` and `paper`: figures and tables for the drawing in Python, and its call.
#include <fmt/core.h>

#include "analysis/compare/comparison.hpp"
#include "analysis/machines/machines.hpp"
#include "analysis/matrix/matrix.hpp"
#include "analysis/roofline/figures.hpp"
#include "analysis/roofline/run_tables.hpp"
#include "analysis/store/store.hpp"
#include "analysis/summary/summary.hpp"
#include "analysis/support/commands.hpp"
#include "analysis/support/confined.hpp"
#include "analysis/support/json.hpp"
#include "analysis/support/locations.hpp"
#include "analysis/support/process.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/error.hpp"
#include "common/base/print.hpp"
#include "common/base/ranges.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

using Words = std::vector<std::string>;

constexpr double draw_seconds = 3600.0;  // a hundred times the usual time, for machines that others keep busy
constexpr int packages_missing = 3;      // exit status of report/main.py

json page_data(const Results& results, const std::vector<Row>& rows) {
  const auto peaks = results.peaks ? make_peak_rows(*results.peaks) : std::vector<PeakRow>();
  auto tables = run_tables(rows);
  for (const TableData& table : {verdict_table(rows), summary_table(rows)}) tables.push_back(table);
  tables.push_back(factor_table(rows));
  for (const TableData& table : peak_tables(peaks)) tables.push_back(table);
  for (const TableData& table : published_tables(rows, {})) tables.push_back(table);
  return {{"overview", overview(results, rows)},
          {"tables", tables},
          {"facts", machine_facts(rows, peaks)},
          {"sources", published_sources()}};
}

/// The figures of results, and the tables that a page lays out: tables.json. `rows`: of these results.
void write_page_data(const Results& results, const std::vector<Row>& rows, const fs::path& folder) {
  write_figures(results, rows, folder);
  write_tables(page_data(results, rows), folder);
}

/// The figures of results, written to files.
ComparedSide write_all(const fs::path& results_path, const fs::path& folder) {
  const Results results = read_results(results_path);
  const auto rows = make_rows(results);
  write_page_data(results, rows, folder);
  return {results_path.string(), rows, results.peaks ? make_peak_rows(*results.peaks) : std::vector<PeakRow>()};
}

/// Runs main.py with the first Python that has the packages it needs, and passes on its output. Returns its exit
/// status, or nothing, with `missing` set, if no page can be made.
std::optional<int> lay_out(const ReportOptions& options, const fs::path& out, Words arguments, std::string& missing) {
  arguments.insert(arguments.end(), {"--out", out.string()});
  if (options.no_plots) arguments.emplace_back("--no-plots");
  if (options.only_svg) arguments.emplace_back("--only-svg");
  if (options.quiet) arguments.emplace_back("--quiet");
  if (options.print) arguments.emplace_back("--print");
  missing = "no python3 was found; install python3-pandas, python3-matplotlib and python3-jinja2";
  SignalWatch signals;
  // The first in PATH may not be the system's, for which the package manager installs packages.
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    if (find_program(python).empty()) continue;
    Words command = {python, data_path("analysis/report/main.py").string()};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const auto done = capture_process({.command = command, .time_limit_seconds = draw_seconds}, signals);
    const ProcessResult& result = done.result;
    if (result.stopped_by != 0) return 128 + result.stopped_by;
    if (result.exit_status == packages_missing && result.signal == 0) {
      missing = done.errors.substr(0, done.errors.find('\n'));
      continue;
    }
    print_text(stdout, done.output);
    print_text(stderr, done.errors);
    if (result.timed_out) throw unavailable("drawing took longer than {} s and was ended", draw_seconds);
    if (result.signal != 0 || !result.start_error.empty()) throw unavailable("{} failed", shell_line(command));
    return result.exit_status;
  }
  return {};
}

/// Keeps the rows of a paper's problem and models, and STREAM for its bandwidths. A box may be named by its size.
void keep_chosen(PaperOptions& options, std::vector<Row>& rows) {
  const auto is_problem = [&](const std::string& name) {
    return std::ranges::any_of(rows, [&](const Row& row) { return row.is_right() && row.case_name == name; });
  };
  if (!is_problem(options.problem) && is_problem("box_" + options.problem)) options.problem.insert(0, "box_");
  const auto keep = [&rows](const char* option, const std::vector<std::string>& wanted, const auto& of) {
    std::vector<std::string> known;
    for (const Row& row : rows)
      if (row.is_right() && row.part.empty()) add_once(known, of(row));
    for (const std::string& one : wanted)
      if (!contains(known, one))
        throw bad_input("{}: expected one that has right runs among the results ({}), found {}", option,
                        join(known, ", "), one_line(one));
    if (!wanted.empty())
      std::erase_if(rows, [&](const Row& row) { return row.key.workload != "stream" && !contains(wanted, of(row)); });
  };
  keep("--problem", options.problem.empty() ? std::vector<std::string>() : std::vector{options.problem},
       [](const Row& row) { return row.case_name; });
  keep("--models", options.models, [](const Row& row) { return row.key.model; });
}

/// Before anything is drawn: a run that has a place under a roof, or why none has.
void expect_place(const Results& results, const std::vector<Row>& rows) {
  if (!results.peaks)
    throw bad_input(
        "--roofline: expected measured roofs among the results, found none; measure them with `boltzmark peaks`");
  ByName<int> why;
  for (const Row* row : right_of_plans(rows)) {
    if (!row->part.empty()) continue;
    if (row->roofline.flop_per_byte.value_or(0.0) > 0.0) return;
    ++why[row->roofline.share ? "no FLOPs or no bytes" : row->roofline.kind];
  }
  const auto words = [](const auto& one) { return fmt::format("{} ({})", one.first, counted(one.second, "run")); };
  throw bad_input("--roofline: expected runs with a place under a roof, found {}",
                  why.size() == 0 ? "no run" : joined(why, ", ", words));
}

/// The published table of a paper by its number or id.
TableData paper_table(const PaperOptions& options, std::vector<TableData> tables) {
  std::erase_if(tables, [](const TableData& table) { return !table.section.starts_with("published-"); });
  const auto name_of = [](const TableData& table) {
    const bool is_numbered = table.title.starts_with("Table ");
    return is_numbered ? table.title.substr(6, table.title.find('.') - 6) : table.id;
  };
  const std::string wanted = options.table.substr(options.table.starts_with("Table ") ? 6 : 0);
  for (TableData table : tables) {
    if (name_of(table) != wanted) continue;
    const bool compares = find_by(table.columns, "measured", &TableColumn::key);
    if (std::ranges::any_of(table.rows, [&](const json& row) { return !compares || row.contains("measured"); }))
      return table.without_constants({"grid", "run.device", "steps_run"});
    throw bad_input("--table {}: expected a row of it, found no right run that belongs there", wanted);
  }
  throw bad_input("--table: expected own or one of {}, found {}", joined(tables, ", ", name_of),
                  one_line(options.table));
}

/// The same for a page next to `figures`; if it cannot be made, the figures remain.
int lay_out_beside(const fs::path& figures, const ReportOptions& options, const fs::path& out, const Words& arguments) {
  std::string missing;
  const auto status = lay_out(options, out, arguments, missing);
  if (!status) print("Figures: {} (no page: {})\n", one_line(figures.string()), missing);
  return status.value_or(0);
}

int set_side_by_side(const ReportOptions& options) {
  const PrivateFolder figures;  // nothing is written into the results
  const fs::path out = options.out.empty() ? fs::path("comparison") : options.out;
  Words arguments = {"--compare", options.compare.at(0), options.compare.at(1)}, folders = {"--figures"};
  std::vector<ComparedSide> sides;
  for (const std::string& path : options.compare) {
    folders.push_back((figures.work() / std::to_string(folders.size())).string());
    sides.push_back(write_all(path, folders.back()));
  }
  const auto pairs = compare_results(sides.at(0).rows, sides.at(1).rows);
  write_comparison(pairs, figures.work());
  write_tables({{"tables", comparison_tables(pairs, sides.at(0), sides.at(1))}, {"said", comparison_lines(pairs)}},
               figures.work());
  arguments.insert(arguments.end(), {"--comparison", (figures.work() / comparison_file).string()});
  arguments.insert(arguments.end(), folders.begin(), folders.end());
  const FolderLock lock(out);
  std::string missing;
  const auto status = lay_out(options, out, arguments, missing);
  if (!status) throw unavailable("{}", missing);
  return *status;
}

/// The page, tables and plots of several machines, next to the figures from which they are made.
int report_on_machines(const ReportOptions& options) {
  const fs::path out = options.out.empty() ? fs::path("machines") : options.out;
  const MachineTables tables = read_machines(options.results);  // before anything is written
  const FolderLock lock(out);
  fs::remove(out / "machines.html");  // an old page must not be taken for this one
  write_machines(tables, out);
  return lay_out_beside(out / "machines.csv", options, out, {"--machines", out.string()});
}

bool are_many(const Words& results) { return results.size() > 1 || (results.size() == 1 && has_name(results.front())); }

}  // namespace

int tables_command(const TablesOptions& options) {
  const int width = table_width();
  if (are_many(options.results)) {
    const auto tables = tables_of(read_machines(options.results));
    print_text(stdout, options.json
                           ? json_line({{"tables", tables}}) + '\n'
                           : joined(tables, "\n", [width](const TableData& table) { return table.text(width); }));
    return 0;
  }
  const Results results = read_results(options.results.front());
  const auto rows = make_rows(results);
  std::string text = matrix_text(rows, View::same_algorithm, width, most_matrix_lines);
  for (const TableData& table : {factor_table(rows), verdict_table(rows)})
    if (!table.rows.empty()) text += '\n' + table.text(width);
  print_text(stdout, options.json ? json_line(page_data(results, rows)) + '\n' : text);
  return 0;
}

int report_command(const ReportOptions& options) {
  if (!options.compare.empty()) return set_side_by_side(options);
  if (are_many(options.results)) return report_on_machines(options);
  const fs::path folder = options.results.front();
  fs::path figures = options.out, out = options.out;  // with --out nothing is written into the results
  if (out.empty()) {
    figures = figures_folder(folder);
    out = fs::is_directory(folder) ? figures / "report" : figures;
  }
  const Results results = read_results(folder);  // before anything is written
  const FolderLock lock(out);                    // drawings here are only those of this call
  write_page_data(results, make_rows(results), figures);
  fs::remove(out / "report.html");  // an old page must not be taken for this one
  return lay_out_beside(figures / "figures.csv", options, out,
                        {"--results", folder.string(), "--figures", figures.string()});
}

int paper_command(const PaperOptions& given) {
  PaperOptions options = given;
  if (options.table.empty() && !options.roofline)
    throw bad_input("expected --table NAME, --roofline, or both; found neither");
  const Results results = read_results(options.results);
  auto rows = make_rows(results);
  keep_chosen(options, rows);
  std::vector<TableData> tables;
  if (options.table == "own")
    tables = {own_table(rows)};
  else if (!options.table.empty())
    tables = {paper_table(options, published_tables(rows, options))};
  if (options.table == "own" && tables.front().rows.empty())
    throw bad_input("--table own: expected right runs, found none");
  bool has_failed = false;  // of two parts the figure
  try {
    if (options.roofline) expect_place(results, rows);
  } catch (const Error& error) {
    if (tables.empty()) throw;
    print_error("boltzmark", error.what());
    has_failed = true;
  }
  const PrivateFolder figures;  // nothing is written into the results
  write_figures(results, rows, figures.work());
  json said = overview(results, rows);
  said["machine"] = machine_line(of_plans(rows), {});  // roofs are in the figure, each with its precision
  write_tables({{"overview", said}, {"tables", tables}, {"facts", json::array()}}, figures.work());
  std::vector<std::string> arguments = {
      "--results", options.results.string(),         "--figures", figures.work().string(),
      "--width",   fmt::format("{}", options.width), "--paper"};
  if (options.roofline && !has_failed) arguments.emplace_back("--roofline");
  std::string missing;
  ReportOptions how;
  how.out = options.out;
  const auto status = lay_out(how, options.out, arguments, missing);
  if (!status) throw unavailable("{}", missing);
  return has_failed && *status == 0 ? static_cast<int>(ExitStatus::bad_input) : *status;
}

}  // namespace boltzmark
