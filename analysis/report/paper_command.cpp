// A figure and a table for a paper.
#include <fmt/core.h>

#include "analysis/report/lay_out.hpp"
#include "analysis/support/commands.hpp"
#include "analysis/support/confined.hpp"
#include "common/base/error.hpp"
#include "common/base/ranges.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

/// Leaves the rows of a paper's problem and models, and STREAM, which bandwidths are taken from.
void choose(const PaperOptions& options, std::vector<Row>& rows) {
  const auto keep = [&rows](const char* option, const std::vector<std::string>& wanted, const auto& of) {
    std::vector<std::string> known;
    for (const Row& row : rows)
      if (row.is_right() && row.part.empty()) add_once(known, of(row));
    for (const std::string& one : wanted)
      if (!contains(known, one))
        throw bad_input("{}: expected one of those with right runs among the results ({}), found {}", option,
                        join(known, ", "), one_line(one));
    if (!wanted.empty())
      std::erase_if(rows, [&](const Row& row) { return row.key.workload != "stream" && !contains(wanted, of(row)); });
  };
  keep("--problem", options.problem.empty() ? std::vector<std::string>() : std::vector{options.problem},
       [](const Row& row) { return row.case_name; });
  keep("--models", options.models, [](const Row& row) { return row.key.model; });
}

}  // namespace

int paper_command(const PaperOptions& options) {
  if (options.table.empty() && !options.roofline)
    throw bad_input("expected --table NAME, --roofline, or both; found neither");
  const Results results = read_results(options.results);
  if (options.roofline && !results.peaks)
    throw bad_input(
        "--roofline: expected measured roofs among the results, found none; `boltzmark peaks` measures them");
  auto rows = make_rows(results);
  choose(options, rows);
  const PrivateFolder figures;  // nothing is written into the results
  write_page_data(results, rows, figures.work());
  std::vector<std::string> arguments = {
      "--results", options.results.string(),         "--figures", figures.work().string(),
      "--width",   fmt::format("{}", options.width), "--paper"};
  if (!options.table.empty()) arguments.insert(arguments.end(), {"--table", options.table});
  if (options.roofline) arguments.emplace_back("--roofline");
  if (!options.problem.empty()) arguments.insert(arguments.end(), {"--problem", options.problem});
  if (!options.models.empty()) arguments.insert(arguments.end(), {"--models", join(options.models, ",")});
  std::string missing;
  ReportOptions how;
  how.out = options.out;
  const auto status = lay_out(how, options.out, arguments, missing);
  if (!status) throw unavailable("{}", missing);
  return *status;
}

}  // namespace boltzmark
