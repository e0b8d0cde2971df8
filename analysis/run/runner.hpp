// Does one job: starts the model, waits for it, and makes an entry of what came of it.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "analysis/run/launcher.hpp"
#include "analysis/run/oracle.hpp"
#include "analysis/run/run_entry.hpp"
#include "analysis/run/schedule.hpp"
#include "analysis/support/signals.hpp"

namespace boltzmark {

class Runner {
 public:
  /// `results` is the results folder; logs and answers lie in it. The problems must outlive the runner.
  Runner(std::filesystem::path results, const std::vector<ScheduledProblem>& problems, Launcher launcher,
         double time_limit_seconds);

  /// The whole command line of a job.
  std::vector<std::string> command(const Job& job) const;

  /// Runs a job to its end. When a stop signal ended it (see `signals`), the entry says nothing of the model
  /// and is not to be kept. `on_tick` as in run_process.
  RunEntry run(const Job& job, SignalWatch& signals, const std::function<void(double)>& on_tick) const;

 private:
  /// Of a job that has one.
  const ScheduledProblem& problem_of(const Job& job) const;
  std::filesystem::path record_file() const { return results_ / "record.part"; }
  std::filesystem::path log_file(const Job& job, const char* ending) const;

  std::filesystem::path results_;
  const std::vector<ScheduledProblem>& problems_;
  Launcher launcher_;
  double time_limit_seconds_;
};

/// Folder of the right answers in a results folder.
inline std::filesystem::path answers_in(const std::filesystem::path& results) { return results / "oracle"; }

/// Fills in status and reason from how the process ended; `entry.record` is null when it wrote no record.
void judge_run(const ProcessResult& result, const std::string& errors, double time_limit_seconds,
               RunEntry& entry);

}  // namespace boltzmark
