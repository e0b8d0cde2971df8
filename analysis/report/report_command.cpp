#include "analysis/report/report_command.hpp"

#include "analysis/report/compare.hpp"
#include "analysis/roofline/comparison_text.hpp"
#include "analysis/roofline/figures_command.hpp"
#include "analysis/support/locations.hpp"
#include "analysis/support/process.hpp"
#include "common/base/files.hpp"
#include "common/base/print.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

namespace fs = std::filesystem;

constexpr double draw_seconds = 300.0;
constexpr int parts_missing = 2, packages_missing = 3;  // exit statuses of report/main.py

/// Lays out tables, plots and page. Returns what is wrong, "" when all went well.
std::string lay_out(const ReportOptions& options, const fs::path& figures, const fs::path& out,
                    SignalWatch& signals) {
  std::vector<std::string> command = {"",          (analysis_folder() / "report" / "main.py").string(),
                                      "--results", figures.string(),
                                      "--out",     out.string()};
  if (options.no_plots) command.emplace_back("--no-plots");
  if (options.quiet) command.emplace_back("--quiet");
  std::string last =
      "no tables, plots or page: no python3 was found; they need python3-pandas, python3-matplotlib "
      "and python3-jinja2";
  // The first in PATH may be another than the system's, whose packages its package manager installs.
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    if (find_program(python).empty()) continue;
    command.front() = python;
    const auto done = capture_process({.command = command, .time_limit_seconds = draw_seconds}, signals);
    const ProcessResult& result = done.result;
    if (result.stopped_by != 0) return "stopped while drawing";
    if (result.exit_status == packages_missing && result.signal == 0) {
      last = done.errors.substr(0, done.errors.find('\n'));
      continue;
    }
    print_text(stdout, done.output);
    print_text(stderr, done.errors);
    if (result.timed_out) return fmt::format("drawing took longer than {} s and was ended", draw_seconds);
    const bool drawn = result.exit_status == 0 || result.exit_status == parts_missing;
    return drawn && result.signal == 0 && result.start_error.empty() ? "" : shell_line(command) + " failed";
  }
  return last;
}

int compare_command(const ReportOptions& options) {
  const Results a = read_results(options.compare[0]), b = read_results(options.compare[1]);
  for (const Results* results : {&a, &b})
    for (const std::string& complaint : results->complaints) print_warning("boltzmark", complaint);
  print_text(stdout, compare_results(a, b, table_width()));
  return 0;
}

}  // namespace

int report_command(const ReportOptions& options) {
  if (!options.compare.empty()) return compare_command(options);
  const fs::path figures = figures_folder(options.results), out = !options.out.empty() ? options.out
                                                                  : fs::is_directory(options.results)
                                                                      ? figures / "report"
                                                                      : figures;
  write_figures(options.results, figures);
  prepare_folder(out);
  fs::remove(out / "report.html");  // an old page must not be taken for this one
  SignalWatch signals;
  const std::string missing = lay_out(options, figures, out, signals);
  if (signals.stopped_by() != 0) return 128 + signals.stopped_by();
  if (missing.empty())
    print("Report:  {}\n", (out / "report.html").string());
  else
    print("Figures: {} ({})\n", (figures / "figures.csv").string(), missing);
  return 0;
}

}  // namespace boltzmark
