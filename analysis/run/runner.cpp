#include "analysis/run/runner.hpp"

#include <fmt/core.h>

#include <cctype>
#include <cstring>
#include <fstream>
#include <iterator>

#include "analysis/run/lbm_cases.hpp"
#include "analysis/run/own_entry.hpp"
#include "analysis/support/json_reader.hpp"
#include "common/base/digest.hpp"
#include "common/base/error.hpp"
#include "common/base/files.hpp"

namespace boltzmark {
namespace {

namespace fs = std::filesystem;

/// The last 64 KiB of a file: enough for the last line, however much a model wrote.
std::string read_tail(const fs::path& file) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  const auto size = static_cast<std::streamoff>(in.tellg());
  in.seekg(std::max<std::streamoff>(0, size - 65536));
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

Runner::Runner(fs::path results, Launcher launcher, double time_limit_seconds)
    : results_(std::move(results)),
      launcher_(std::move(launcher)),
      time_limit_seconds_(time_limit_seconds),
      own_({.limits = {.seconds = time_limit_seconds}}) {}

fs::path Runner::log_file(const Job& job, const char* ending) const {
  const RunKey& key = job.key;
  std::string name = fmt::format("{}-{:.100}-{}-{}-{}-{}-{}-r{}", key.workload, job.of->name, key.steps,
                                 key.model, key.variant.empty() ? "default" : key.variant, key.precision,
                                 digest_of(key.configuration()).substr(0, 8), key.round);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && !std::strchr("._-+", c)) c = '_';
  return results_ / "logs" / (name + ending);
}

std::string Runner::command_line(const Job& job) const {
  if (!job.own) return shell_line(command(job));
  return own_line(*job.own, {job.of->lbm->params, job.of->lbm->obstacles});
}

std::vector<std::string> Runner::command(const Job& job) const {
  std::vector<std::string> words;
  if (job.launched) words = launcher_words(launcher_, job.key.ranks, job.key.threads);
  words.push_back(job.command.front());
  if (job.checked) words.insert(words.end(), {"--check", check_value(results_, *job.of)});
  words.insert(words.end(), {"--json", record_file().string()});
  words.insert(words.end(), job.command.begin() + 1, job.command.end());
  return words;
}

RunEntry Runner::run(const Job& job, SignalWatch& signals, const std::function<void(double)>& on_tick) {
  RunEntry entry;
  entry.key = job.key;
  entry.case_name = job.of->name;
  if (job.predetermined) {
    entry.status = *job.predetermined;
    entry.reason = job.reason;
    return entry;
  }
  prepare_folder(results_ / "logs");
  const fs::path errors = log_file(job, ".err");
  if (job.own) {
    const OwnOutcome outcome = run_own(job, own_, results_, signals, on_tick);
    std::ofstream(log_file(job, ".out"), std::ios::binary) << outcome.output;
    std::ofstream(errors, std::ios::binary) << outcome.errors;
    fill_own_entry(job, outcome, entry);
    return entry;
  }
  const auto words = command(job);
  entry.command = shell_line(words);
  fs::remove(record_file());
  const ProcessResult result = run_process({.command = words,
                                            .environment = launcher_environment(job.key.threads),
                                            .stdout_file = log_file(job, ".out"),
                                            .stderr_file = errors,
                                            .time_limit_seconds = time_limit_seconds_},
                                           signals, on_tick);
  entry.record = read_record(record_file());
  fs::remove(record_file());
  judge_run(result, read_tail(errors), fs::path(job.command.front()).filename().string(), time_limit_seconds_,
            entry);
  return entry;
}

std::optional<Record> read_record(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  if (!std::getline(in, line)) return {};
  try {
    return parse_json(line).get<Record>();
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
    // A record of a run that did not come to its end says nothing.
    if (status != RunStatus::ok && status != RunStatus::wrong) entry.record.reset();
  };
  const auto said = [&](const std::string& otherwise) {
    const std::string reason = reason_in(errors, program);
    return reason.empty() ? otherwise : reason;
  };
  if (result.timed_out)
    return end(RunStatus::timeout, fmt::format("killed at the time limit of {} s", time_limit_seconds));
  if (!result.start_error.empty()) return end(RunStatus::failed, result.start_error);
  if (result.signal != 0)
    return end(RunStatus::failed,
               said(fmt::format("ended by signal {} ({})", result.signal, strsignal(result.signal))));
  const bool has_record = entry.record.has_value();
  switch (static_cast<ExitStatus>(result.exit_status)) {
    case ExitStatus::ok:
      if (has_record) return end(RunStatus::ok, "");
      return end(RunStatus::failed, "no record was written");
    case ExitStatus::wrong_result:
      // A launcher that fails by itself also ends with 1, but then there is no record.
      if (has_record) return end(RunStatus::wrong, said("the result is wrong"));
      break;
    case ExitStatus::unavailable:
      return end(RunStatus::impossible, said("not possible on this machine"));
    case ExitStatus::bad_input:
      break;
  }
  end(RunStatus::failed, said(fmt::format("ended with status {}", result.exit_status)));
}

}  // namespace boltzmark
