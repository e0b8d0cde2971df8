#include "analysis/support/commands.hpp"

#include <unistd.h>

#include "analysis/roofline/rows.hpp"
#include "analysis/run/cases.hpp"
#include "analysis/submission/checks.hpp"
#include "analysis/support/locations.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/error.hpp"
#include "common/run/provenance.hpp"

namespace boltzmark {
namespace {

std::shared_ptr<const Submission> program_of(const CompareWithOptions& options) {
  auto submission = std::make_shared<Submission>(Submission{.name = options.name,
                                                            .run = options.command,
                                                            .folder = options.folder,
                                                            .build = options.build,
                                                            .tolerance = options.tolerance});
  // Programs that it starts may have changed, which its digest cannot show.
  submission->call = fmt::format("{} {}", provenance_now().date, getpid());
  check_submission_line(submission->run, "COMMAND");
  if (submission->name.empty()) submission->name = fs::path(words_in(submission->run).front()).filename().string();
  if (!submission->folder.empty() && !is_folder(submission->folder))
    throw bad_input("--folder: expected a folder, found none at {}", submission->folder.string());
  if (!submission->build.empty() && submission->folder.empty())
    throw bad_input("--build: expected a --folder to build in a copy of, found none");
  return submission;
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
  const auto submission = program_of(options);
  PlanRun& run = add(submission_model, submission->name);
  run.submission = submission;
  run.threads = options.threads;
  run.ranks = options.ranks;
  return plan;
}

/// "2.1 times as fast as" or "15 times slower than", without the last word.
std::string times_words(double speed_up) {
  return significant(speed_up < 1.0 ? 1.0 / speed_up : speed_up, 3) +
         (speed_up < 1.0 ? " times slower than" : " times as fast as");
}

/// Remarks for which the table has no room, in a few lines. `results`: the folder, for the commands to type next.
std::string words_of(const Row& row, const fs::path& results) {
  std::string text = fmt::format("{} {}: ", row.key.model, row.variant);
  if (!row.is_done()) return text + fmt::format("{}: {}", to_string(row.status), row.reason);
  if (row.is_checked()) {
    const Deviation& worst = row.check.worst();
    text += fmt::format("right within {:.2g}: the worst deviation is {:.2g}, of {}, {}", row.check.tolerance,
                        worst.value.value_or(0.0), worst.of, worst.at);
    if (const std::string remark = more_than_rounding(row.check); !remark.empty()) text += fmt::format(" ({})", remark);
  } else {
    text += "not checked";
  }
  text += fmt::format("; {} s", significant(row.time.median, 4));
  if (row.over_textbook) text += fmt::format(", {} serial textbook", times_words(row.over_textbook->median));
  if (row.over_like_for_like) text += fmt::format(", {} serial fused", times_words(row.over_like_for_like->median));
  if (row.roofline.limits.empty())
    return text + fmt::format("; bound: unknown until roofs are measured with `boltzmark peaks --results {}`",
                              shell_line({results.string()}));
  return text + fmt::format("; bound: {} (bytes and FLOPs of an update as counted for the same algorithm)",
                            row.roofline.verdict);
}

}  // namespace

int compare_with_command(const CompareWithOptions& options) {
  std::vector<Row> rows;
  RunOptions run;
  static_cast<CallOptions&>(run) = options;
  run.tables = run.submissions_start = true;
  const std::string start = provenance_now().date;
  const int status = run_plan(run, plan_for(options), rows);
  for (const Row& row : rows)
    if (row.key.model == "serial" && row.record && row.record->provenance.date < start)
      print_text(stdout,
                 wrapped(fmt::format("serial {} was timed before this call, {}; --results NEW-FOLDER times all of "
                                     "them again, in turn",
                                     row.variant, row.record->provenance.date),
                         table_width(), 2));
  for (const Row& row : rows) {
    if (row.key.model != submission_model) continue;
    print_text(stdout, wrapped(one_line(words_of(row, options.results)), table_width(), 2));
    if (row.over_like_for_like && row.over_like_for_like->median < 1.0)
      print_text(stdout, wrapped("Steps to a faster program: boltzmark run ladder-cpu --results results-ladder, then "
                                 "boltzmark report --results results-ladder, page learn.html",
                                 table_width(), 2));
  }
  return status;
}

}  // namespace boltzmark
