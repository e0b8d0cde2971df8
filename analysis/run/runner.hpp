// Does one job: starts the program, waits for it, and makes an entry of its outcome.
#pragma once

#include "analysis/run/plan.hpp"
#include "analysis/run/schedule.hpp"
#include "analysis/run/submission.hpp"
#include "analysis/store/store.hpp"
#include "analysis/support/process.hpp"

namespace boltzmark {

class Runner {
 public:
  /// `results` is the results folder, which also has logs and references.
  Runner(fs::path results, Launcher launcher, double time_limit_seconds);

  /// Quoted for a shell. For the user's own program it names the problem's files, of which each run gets copies.
  std::string command_line(const Job& job) const;

  /// If a stop signal ended it (see `signals`), the entry says nothing about the program and must not be kept.
  RunEntry run(const Job& job, SignalWatch& signals, const Tick& on_tick);

  /// Throws Error (bad_input) if the user's own program cannot be built, or started for a few steps.
  void expect_start(const Job& job, SignalWatch& signals, const Tick& on_tick);

 private:
  std::vector<std::string> command(const Job& job) const;
  void keep_logs(const Job& job, const SubmissionOutcome& outcome) const;
  fs::path record_file() const { return results_ / "record.part"; }
  fs::path log_file(const Job& job, const char* ending) const;

  fs::path results_;
  Launcher launcher_;
  double time_limit_seconds_;
  SubmissionRunner submissions_;
};

/// The entry of a job of the user's own program.
RunEntry submission_entry(const Job& job, const SubmissionOutcome& outcome);

std::optional<Record> read_record(const fs::path& file);

/// Fills in status and reason according to how the program's process ended.
void judge_run(const ProcessResult& result, const std::string& errors, const std::string& program,
               double time_limit_seconds, RunEntry& entry);

}  // namespace boltzmark
