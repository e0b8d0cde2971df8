#include "analysis/report/lay_out.hpp"

#include "analysis/compare/comparison.hpp"
#include "analysis/machines/machines.hpp"
#include "analysis/matrix/matrix.hpp"
#include "analysis/roofline/factors.hpp"
#include "analysis/roofline/figures.hpp"
#include "analysis/roofline/tables.hpp"
#include "analysis/store/store.hpp"
#include "analysis/support/confined.hpp"
#include "analysis/support/json.hpp"
#include "analysis/support/locations.hpp"
#include "analysis/support/process.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/error.hpp"
#include "common/base/print.hpp"
#include "common/base/ranges.hpp"

namespace boltzmark {
namespace {

using nlohmann::json;
using Words = std::vector<std::string>;

constexpr double draw_seconds = 300.0;
constexpr int packages_missing = 3;  // exit status of report/main.py

json page_data(const Results& results, const std::vector<Row>& rows) {
  return {{"overview", overview(results, rows)}, {"tables", json::array({factor_table(rows)})}};
}

/// The rows of results, written.
std::vector<Row> write_all(const fs::path& results_path, const fs::path& folder) {
  const Results results = read_results(results_path);
  auto rows = make_rows(results);
  write_page_data(results, rows, folder);
  return rows;
}

}  // namespace

void write_page_data(const Results& results, const std::vector<Row>& rows, const fs::path& folder) {
  write_figures(results, rows, folder);
  write_tables(page_data(results, rows), folder);
}

std::optional<int> lay_out(const ReportOptions& options, const fs::path& out, Words arguments, std::string& missing) {
  arguments.insert(arguments.end(), {"--out", out.string()});
  if (options.no_plots) arguments.emplace_back("--no-plots");
  if (options.only_svg) arguments.emplace_back("--only-svg");
  if (options.quiet) arguments.emplace_back("--quiet");
  if (options.print) arguments.emplace_back("--print");
  missing = "no python3 was found; install python3-pandas, python3-matplotlib and python3-jinja2";
  SignalWatch signals;
  // The first in PATH may be another than the system's, whose packages its package manager installs.
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

namespace {

/// The same of a page beside `figures`, which are there without it too.
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
  std::vector<std::vector<Row>> rows;
  for (const std::string& results : options.compare) {
    folders.push_back((figures.work() / std::to_string(folders.size())).string());
    rows.push_back(write_all(results, folders.back()));
  }
  write_comparison(compare_results(rows.at(0), rows.at(1)), figures.work());
  arguments.insert(arguments.end(), {"--comparison", (figures.work() / comparison_file).string()});
  arguments.insert(arguments.end(), folders.begin(), folders.end());
  const FolderLock lock(out);
  std::string missing;
  const auto status = lay_out(options, out, arguments, missing);
  if (!status) throw unavailable("{}", missing);
  return *status;
}

/// The page, tables and plots over several machines, beside the figures that they are made from.
int report_on_machines(const ReportOptions& options) {
  const fs::path out = options.out.empty() ? fs::path("machines") : options.out;
  const FolderLock lock(out);
  fs::remove(out / "machines.html");  // an old page must not be taken for this one
  write_machines(read_machines(options.machines), out);
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
  const TableData factors = factor_table(rows);
  print_text(stdout, options.json ? json_line(page_data(results, rows)) + '\n'
                                  : matrix_text(rows, View::same_algorithm, width, most_matrix_lines) +
                                        (factors.rows.empty() ? "" : '\n' + factors.text(width)));
  return 0;
}

int report_command(const ReportOptions& given) {
  ReportOptions options = given;
  if (!options.compare.empty()) return set_side_by_side(options);
  if (are_many(options.machines)) return report_on_machines(options);
  if (!options.machines.empty()) options.results = options.machines.front();
  fs::path figures = options.out, out = options.out;  // with --out nothing is written into the results
  if (out.empty()) {
    figures = figures_folder(options.results);
    out = fs::is_directory(options.results) ? figures / "report" : figures;
  }
  const FolderLock lock(out);  // what is drawn here is this call's alone
  write_all(options.results, figures);
  fs::remove(out / "report.html");  // an old page must not be taken for this one
  return lay_out_beside(figures / "figures.csv", options, out,
                        {"--results", options.results.string(), "--figures", figures.string()});
}

}  // namespace boltzmark
