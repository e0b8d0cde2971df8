#include "analysis/report/report_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "analysis/report/compare.hpp"
#include "analysis/report/report_data.hpp"
#include "analysis/report/roofline_table.hpp"
#include "analysis/report/tables.hpp"
#include "analysis/support/locations.hpp"
#include "analysis/support/process.hpp"
#include "analysis/support/progress.hpp"
#include "common/base/error.hpp"
#include "common/lbm/result_files.hpp"

namespace boltzmark {
namespace {

namespace fs = std::filesystem;

constexpr int table_width = 120;  // unless the terminal has more
constexpr double render_seconds = 120.0;

int width() { return std::max(table_width, terminal_width(STDOUT_FILENO, table_width)); }

void complain(const std::vector<std::string>& complaints) {
  for (const auto& complaint : complaints) fmt::print(stderr, "boltzmark: {}\n", complaint);
}

fs::path folder_for(const ReportOptions& options) {
  if (!options.out.empty()) return options.out;
  return fs::is_directory(options.results) ? options.results / "report"
                                           : fs::path(options.results).replace_extension(".report");
}

/// A Python with matplotlib; "" when there is none. The one in PATH may be another than the system's, whose
/// packages apt installs.
std::string find_python(SignalWatch& signals) {
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    if (find_program(python).empty()) continue;
    const auto tried = capture_process(
        {.command = {python, "-c", "import matplotlib, numpy, jinja2"}, .time_limit_seconds = render_seconds},
        signals);
    if (tried.result.start_error.empty() && tried.result.signal == 0 && tried.result.exit_status == 0)
      return python;
  }
  return "";
}

/// Draws plots and page. Returns what to tell the user instead of where the page is, "" when all went well.
std::string render(const fs::path& folder, bool no_plots, SignalWatch& signals) {
  const std::string python = find_python(signals);
  if (python.empty())
    return "no page and no plots: they need a python3 with matplotlib and jinja2 (python3-matplotlib, "
           "python3-jinja2)";
  std::vector<std::string> command = {python, (analysis_folder() / "render" / "render.py").string(),
                                      (folder / "report.json").string(), "--out", folder.string()};
  if (no_plots) command.emplace_back("--no-plots");
  const auto done = capture_process({.command = command, .time_limit_seconds = render_seconds}, signals);
  if (!done.errors.empty()) fmt::print(stderr, "{}", done.errors);
  if (done.result.stopped_by != 0) return "stopped while drawing";
  if (done.result.timed_out)
    return fmt::format("drawing took longer than {} s and was ended", render_seconds);
  // 2: some part could not be drawn, as was just said; the page is there with what could.
  const bool drawn =
      done.result.exit_status == 0 || (done.result.exit_status == 2 && fs::exists(folder / "report.html"));
  if (!drawn || done.result.signal != 0) return fmt::format("{} failed", shell_line(command));
  return "";
}

int compare_command(const ReportOptions& options) {
  const Results a = read_results(options.compare[0]), b = read_results(options.compare[1]);
  complain(a.complaints);
  complain(b.complaints);
  const std::vector<ReportTable> tables = compare_results(a, b);
  for (const auto& table : tables) fmt::print("{}\n", report_text(table, width()));
  if (!options.out.empty()) {
    write_tables(options.out, tables);
    fmt::print("Tables: {}\n", (options.out / "tables").string());
  }
  return 0;
}

}  // namespace

int report_command(const ReportOptions& options) {
  if (!options.compare.empty()) return compare_command(options);
  const fs::path folder = folder_for(options);
  const Results results = read_results(options.results);
  complain(results.complaints);
  const Published published = read_published(analysis_folder() / "report" / "published.json");
  std::vector<ReportTable> tables = make_tables(results, published);
  prepare_folder(folder);
  fs::remove(folder / "report.html");  // an old page must not be taken for this one
  complain(write_report_data(folder, results, published, tables));
  // The page makes its own table of the roofline, with the reasons.
  tables.insert(tables.begin(), roofline_table(results, analyse_rows(results)));
  write_tables(folder, tables);
  if (!options.quiet)
    for (const auto& table : tables) fmt::print("{}\n", report_text(table, width()));
  SignalWatch signals;
  const std::string missing = render(folder, options.no_plots, signals);
  if (signals.stopped_by() != 0) return 128 + signals.stopped_by();
  if (missing.empty())
    fmt::print("Report:  {}{}\n", (folder / "report.html").string(),
               options.no_plots ? ", tables beside it" : ", plots and tables beside it");
  else
    fmt::print("Report:  {} ({})\n", (folder / "tables").string(), missing);
  return 0;
}

}  // namespace boltzmark
