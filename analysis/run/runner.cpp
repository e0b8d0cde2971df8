#include "analysis/run/runner.hpp"

#include <csignal>
#include <cstring>
#include <fstream>

#include "analysis/run/cases.hpp"
#include "analysis/support/json.hpp"
#include "common/base/digest.hpp"
#include "common/base/error.hpp"
#include "common/base/text.hpp"
#include "common/lbm/counting.hpp"
#include "common/lbm/output.hpp"

namespace boltzmark {
namespace {

constexpr int counted_grids = 2;

/// Bytes and FLOPs per update are those of the algorithm, equal in every model: how many the program needs is not known.
Record record_of(const Job& job, const SubmissionOutcome& outcome) {
  const lbm::Problem& problem = job.of->lbm->problem;
  const bool flat = problem.parameters.dimension == 2;
  Record r;
  r.workload = job.key.workload;
  r.model = job.key.model;
  r.variant = job.key.variant;
  r.precision = job.key.precision;
  r.device = cpu_name();
  r.device_type = "cpu";
  r.threads = job.key.threads;
  r.ranks = std::max(1, job.key.ranks);
  r.settings = nlohmann::json::object();
  r.repeats = {{.init_seconds = 0.0, .compute_seconds = *outcome.seconds, .collate_seconds = 0.0}};
  r.compute_seconds = *outcome.seconds;
  r.energy.why_not = "only the program itself knows its timed part";
  lbm::fill_case(problem, job.key.steps, counted_grids, outcome.last_average.value_or(0.0), r);
  r.work.bytes_per_update =
      2.0 * (flat ? lbm::D2Q9::directions : lbm::D3Q19::directions) * (r.precision == "f64" ? 8 : 4);
  r.work.flops_per_update = flat ? lbm::counted_cell_flops<lbm::D2Q9>() : lbm::counted_cell_flops<lbm::D3Q19>();
  r.work.traffic = {{"data", r.work.bytes_held, r.work.bytes_per_update}};  // the algorithm's, in every model
  r.check = outcome.check;
  r.provenance = provenance_now();
  r.provenance.flags = job.submission->build;
  r.provenance.command = job.submission->run;
  r.settings["wall_seconds"] = outcome.wall_seconds;
  if (!outcome.notes.empty()) r.settings["notes"] = join(outcome.notes, "; ");
  return r;
}

/// Whether Slurm is ending the current job: it ends steps before it signals the driver, and then starts no others.
bool is_job_ending(const std::string& errors) {
  for (const char* words : {"Job/step already completing or completed", "DUE TO TIME LIMIT", "DUE TO PREEMPTION"})
    if (errors.find(words) != errors.npos) return true;
  return false;
}

}  // namespace

RunEntry submission_entry(const Job& job, const SubmissionOutcome& outcome) {
  RunEntry entry = new_entry(job);
  entry.exit_status = outcome.exit_status;
  entry.wall_seconds = outcome.wall_seconds;
  entry.command = job.submission->run;
  entry.reason = outcome.reason;
  entry.status = outcome.verdict == verdict::right     ? RunStatus::ok
                 : outcome.is_wrong()                  ? RunStatus::wrong
                 : outcome.verdict == verdict::timeout ? RunStatus::timeout
                                                       : RunStatus::failed;
  if (entry.status == RunStatus::failed && outcome.verdict != verdict::failed)
    entry.reason = fmt::format("{}: {}", outcome.verdict, outcome.reason);
  const bool is_done = entry.status == RunStatus::ok || entry.status == RunStatus::wrong;
  if (is_done && outcome.seconds) {
    entry.record = record_of(job, outcome);
  } else if (entry.status == RunStatus::ok) {
    entry.status = RunStatus::failed;
    entry.reason = "right, with " + join(outcome.notes, "; ");
  }
  return entry;
}

Runner::Runner(fs::path results, Launcher launcher, double time_limit_seconds)
    : results_(std::move(results)),
      launcher_(std::move(launcher)),
      time_limit_seconds_(time_limit_seconds),
      submissions_({.is_trusted = true, .limits = {.seconds = time_limit_seconds}}) {}

fs::path Runner::log_file(const Job& job, const char* ending) const {
  const RunKey& key = job.key;
  const std::string name = fmt::format("{}-{:.100}-{}-{}-{}-{}-{}-r{}", key.workload, job.of->name, key.steps,
                                       key.model, key.variant.empty() ? "default" : key.variant, key.precision,
                                       digest_of(key.configuration()).substr(0, 8), key.round);
  return results_ / "logs" / (file_name_of(name) + ending);
}

std::string Runner::command_line(const Job& job) const {
  if (!job.submission) return shell_line(command(job));
  return submission_line(*job.submission, {job.of->lbm->params, job.of->lbm->obstacles});
}

std::vector<std::string> Runner::command(const Job& job) const {
  std::vector<std::string> words =
      job.launched ? launcher_words(launcher_, job.key.ranks, job.key.threads) : words_in(job.key.launcher);
  words.push_back(job.command.front());
  if (job.checked) words.insert(words.end(), {"--check", check_value(results_, *job.of)});
  words.insert(words.end(), {"--json", record_file().string()});
  words.insert(words.end(), job.command.begin() + 1, job.command.end());
  return words;
}

RunEntry Runner::run(const Job& job, SignalWatch& signals, const Tick& on_tick) {
  RunEntry entry = new_entry(job);
  if (job.predetermined) {
    entry.status = *job.predetermined;
    entry.reason = job.reason;
    return entry;
  }
  prepare_folder(results_ / "logs");
  const fs::path errors = log_file(job, ".err");
  if (job.submission) {
    const lbm::Problem& problem = job.of->lbm->problem;
    std::optional<lbm::Answer> answer;
    if (job.checked) answer = lbm::read_answer(check_value(results_, *job.of), problem, job.key.steps);
    const SubmissionOutcome outcome =
        submissions_.run(*job.submission, problem, job.key.steps, answer ? &*answer : nullptr, signals, on_tick);
    keep_logs(job, outcome);
    return submission_entry(job, outcome);
  }
  const auto words = command(job);
  entry.command = shell_line(words);
  fs::remove(record_file());
  const ProcessResult result = run_process({.command = words,
                                            .environment = launcher_environment(job.key.threads, job.key.ranks),
                                            .stdout_file = log_file(job, ".out"),
                                            .stderr_file = errors,
                                            .time_limit_seconds = time_limit_seconds_},
                                           signals, on_tick);
  entry.record = read_record(record_file());
  fs::remove(record_file());
  if (entry.record && entry.record->threads == 0 && job.key.is_confined()) entry.record->threads = job.key.threads;
  if (entry.record && job.launched && entry.record->ranks != job.key.ranks) {
    entry.reason = fmt::format("expected {}, found {}: is the launcher that of another MPI library?",
                               counted(job.key.ranks, "rank"), entry.record->ranks);
    entry.record.reset();
  }
  const std::string said = tail_of(errors);
  if (job.launched && result.exit_status != 0 && is_job_ending(said)) {
    std::raise(SIGTERM);
    signals.wait(0.0);
  }
  judge_run(result, said, fs::path(job.command.front()).filename().string(), time_limit_seconds_, entry);
  return entry;
}

void Runner::keep_logs(const Job& job, const SubmissionOutcome& outcome) const {
  prepare_folder(results_ / "logs");
  std::ofstream(log_file(job, ".out"), std::ios::binary) << outcome.output;
  std::ofstream(log_file(job, ".err"), std::ios::binary) << outcome.errors;
}

void Runner::expect_start(const Job& job, SignalWatch& signals, const Tick& on_tick) {
  constexpr int few_steps = 10, not_executable = 126, not_found = 127;  // exit status of the shell
  const SubmissionOutcome outcome = submissions_.run(*job.submission, job.of->lbm->problem,
                                                     std::min(job.key.steps, few_steps), nullptr, signals, on_tick);
  if (outcome.verdict != verdict::build && outcome.exit_status != not_executable && outcome.exit_status != not_found)
    return;
  keep_logs(job, outcome);
  throw bad_input("{}: expected a program that can be built and started, found: {}", job.submission->name,
                  outcome.reason);
}

std::optional<Record> read_record(const fs::path& file) {
  try {
    return parse_json(first_line_of(file)).get<Record>();
  } catch (const std::exception&) {
    return {};
  }
}

void judge_run(const ProcessResult& result, const std::string& errors, const std::string& program,
               double time_limit_seconds, RunEntry& entry) {
  entry.exit_status = result.exit_status;
  entry.wall_seconds = result.seconds;
  const auto end = [&entry](RunStatus status, const std::string& reason) {
    entry.status = status;
    entry.reason = reason;
    // A record of an unfinished run is meaningless.
    if (status != RunStatus::ok && status != RunStatus::wrong) entry.record.reset();
  };
  const auto said = [&](const std::string& otherwise) {
    const std::string reason = reason_in(errors, program);
    return reason.empty() ? otherwise : reason;
  };
  if (result.timed_out) return end(RunStatus::timeout, failure_of(result, errors, program, time_limit_seconds));
  if (!result.start_error.empty()) return end(RunStatus::failed, result.start_error);
  if (result.signal != 0) return end(RunStatus::failed, said(end_words(result)));
  const bool has_record = entry.record.has_value();
  switch (static_cast<ExitStatus>(result.exit_status)) {
    case ExitStatus::ok:
      if (has_record) return end(RunStatus::ok, "");
      return end(RunStatus::failed, entry.reason.empty() ? "no record was written" : entry.reason);
    case ExitStatus::wrong_result:
      // A launcher that fails also ends with 1, but then there is no record.
      if (has_record) return end(RunStatus::wrong, said("the result is wrong"));
      break;
    case ExitStatus::unavailable:
      return end(RunStatus::impossible, said("not available here"));
    case ExitStatus::bad_input:
      break;
  }
  end(RunStatus::failed, said(end_words(result)));
}

}  // namespace boltzmark
