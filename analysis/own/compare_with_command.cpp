#include "analysis/support/commands.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include "analysis/roofline/figures.hpp"
#include "analysis/run/cases.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/error.hpp"
#include "common/base/print.hpp"
#include "common/base/text.hpp"
#include "common/run/provenance.hpp"

namespace boltzmark {
namespace {

std::shared_ptr<const OwnProgram> program_of(const CompareWithOptions& options) {
  auto own = std::make_shared<OwnProgram>(OwnProgram{.name = options.name,
                                                     .run = options.command,
                                                     .folder = options.folder,
                                                     .build = options.build,
                                                     .tolerance = options.tolerance});
  // What it starts may have changed, which its digest cannot tell.
  own->call = fmt::format("{} {}", provenance_now().date, getpid());
  check_own_line(own->run, "COMMAND");
  if (own->name.empty()) own->name = fs::path(words_in(own->run).front()).filename().string();
  std::error_code error;
  if (!own->folder.empty() && !fs::is_directory(own->folder, error))
    throw bad_input("--folder: expected a folder, found none at {}", own->folder.string());
  if (!own->build.empty() && own->folder.empty())
    throw bad_input("--build: expected a --folder to build in a copy of, found none");
  return own;
}

Plan plan_for(const CompareWithOptions& options) {
  Plan plan;
  plan.name = "compare-with";
  plan.file = "COMMAND";
  plan.repeats = options.repeats;
  plan.time_limit_seconds = options.time_limit_seconds;
  plan.cases = {find_case(usual_workload, words_of(options.problem))};
  plan.cases.front().steps = options.problem.steps;
  const auto add = [&](const std::string& model, const std::string& variant) -> PlanRun& {
    PlanRun& run = plan.runs.emplace_back();
    run.model = model;
    run.variant = variant;
    run.precision = options.precision;
    return run;
  };
  add("serial", "textbook");
  if (options.models.empty()) add(every_model, "like-for-like");
  for (const std::string& model : options.models) add(model, "like-for-like");
  const auto own = program_of(options);
  PlanRun& run = add(own_model, own->name);
  run.own = own;
  run.threads = options.threads;
  run.ranks = options.ranks;
  return plan;
}

/// What the table has no room for, in a few lines.
std::string words_of(const Row& row) {
  std::string text = fmt::format("{} {}: ", row.key.model, row.variant);
  if (!row.is_right()) return text + fmt::format("{}: {}", to_string(row.status), row.reason);
  if (row.is_checked()) {
    const Deviation& worst = row.check.worst();
    text += fmt::format("right within {:.2g}: the worst deviation is {:.2g}, of {}, {}", row.check.tolerance,
                        worst.value.value_or(0.0), worst.of, worst.at);
  } else {
    text += "not checked";
  }
  text += fmt::format("; {} s", significant(row.time.median, 4));
  if (row.over_textbook)
    text += fmt::format(", {} times as fast as the textbook", significant(row.over_textbook->median, 3));
  if (row.over_like_for_like)
    text +=
        fmt::format(", {} times as fast as one core's like for like", significant(row.over_like_for_like->median, 3));
  if (row.roofline.bound == Bound::unknown)
    return text + "; no peaks to hold it against: `boltzmark peaks` measures them, and a second call shows its roof";
  text += fmt::format("; bound by {}: {}", to_string(row.roofline.bound), row.roofline.why);
  return text + " (bytes and FLOPs of an update as like for like has them)";
}

}  // namespace

int compare_with_command(const CompareWithOptions& options) {
  std::vector<Row> rows;
  RunOptions run;
  run.results = options.results;
  run.quiet = options.quiet;
  run.tables = true;
  run.own_starts = true;
  run.command_line = options.command_line;
  const int status = run_plan(run, plan_for(options), rows);
  for (const Row& row : rows)
    if (row.key.model == own_model) print_text(stdout, wrapped(one_line(words_of(row)), table_width(), 2));
  return status;
}

}  // namespace boltzmark
