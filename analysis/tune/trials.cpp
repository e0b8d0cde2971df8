#include "analysis/tune/trials.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "analysis/run/answers.hpp"
#include "analysis/support/locations.hpp"
#include "common/base/error.hpp"
#include "common/run/provenance.hpp"

namespace boltzmark {
namespace {

/// Timed runs of the processes of a trial: a warm-up is before the first of each.
constexpr int runs_of_round[] = {1, 2};

/// The lowest compute seconds of a record, none without a timed run.
std::optional<double> lowest_seconds(const std::optional<Record>& record) {
  std::optional<double> lowest;
  if (!record) return lowest;
  for (const Timing& repeat : record->repeats)
    if (repeat.compute_seconds > 0.0)
      lowest = std::min(lowest.value_or(repeat.compute_seconds), repeat.compute_seconds);
  return lowest;
}

/// A plan of the one case and the one run, without options.
Plan plan_of(const TrialSetup& setup) {
  Plan plan;
  plan.launcher = setup.launcher;
  plan.cases = {setup.source};
  plan.runs = {setup.run};
  return plan;
}

/// How an entry that is not right ends its trial.
Trial::End end_of(const RunEntry& entry) {
  if (entry.status == RunStatus::wrong) return Trial::End::wrong;
  if (entry.status == RunStatus::timeout) return Trial::End::stopped;
  const bool is_unclear = entry.status == RunStatus::failed && !is_settled(&entry);
  return is_unclear ? Trial::End::failed : Trial::End::skipped;
}

/// Adds what a round gave; false when it ends the trial.
bool add_round(const RunEntry& entry, Trial& trial) {
  const auto end = [&](Trial::End how, const std::string& reason) {
    trial.end = how;
    trial.reason = reason;
    return false;
  };
  if (entry.status != RunStatus::ok) return end(end_of(entry), entry.reason);
  const auto seconds = lowest_seconds(entry.record);
  if (!seconds) return end(Trial::End::failed, "its record has no compute seconds");
  trial.seconds = std::min(trial.seconds.value_or(*seconds), *seconds);
  return true;
}

}  // namespace

bool is_settled(const RunEntry* entry) {
  if (!entry) return false;
  const bool refused =
      entry->status == RunStatus::failed && entry->exit_status == static_cast<int>(ExitStatus::bad_input);
  return is_final(entry) || refused || entry->status == RunStatus::impossible || entry->status == RunStatus::timeout;
}

Trials::Trials(TrialSetup setup, Store& store, SignalWatch& signals)
    : setup_(std::move(setup)),
      plan_(plan_of(setup_)),
      cases_(plan_),
      host_(provenance_now().host),
      store_(store),
      signals_(signals),
      runner_(store.folder(), setup_.launcher, setup_.time_limit_seconds) {}

Job Trials::job_for(const TunedOptions& options, int round) {
  Plan plan = plan_;
  PlanRun& run = plan.runs.front();
  for (const auto& [name, value] : options)
    if (name == work_group_name)
      run.work_group = value;
    else
      run.options.emplace_back(name, value);
  auto jobs =
      make_schedule(plan, cases_, {setup_.probed},
                    {.repeats = 1, .cores = default_workers(), .host = host_, .oracle = oracle_version()}, signals_);
  if (jobs.empty()) return {};  // stopped
  Job job = std::move(jobs.front());
  job.key.round = round;
  job.key.device = setup_.device_name;  // one device has many names on the command line
  const auto repeat = std::find(job.command.begin(), job.command.end(), "--repeat");
  *(repeat + 1) = std::to_string(runs_of_round[round - 1] * setup_.repeats);
  if (setup_.probed.takes("no-tuned")) job.command.insert(job.command.begin() + 1, "--no-tuned");
  return job;
}

bool Trials::is_known(const TunedOptions& options) { return is_settled(store_.find(job_for(options, 1).key)); }

RunEntry Trials::entry_of(const Job& job, const Tick& on_tick) {
  const RunEntry* const known = store_.find(job.key);
  if (is_settled(known)) return *known;
  return job.of ? runner_.run(job, signals_, on_tick) : RunEntry{};
}

std::optional<Trial> Trials::make(const TunedOptions& options, std::optional<double> best, const Tick& on_tick) {
  Trial trial;
  if (const auto shape = options.find(work_group_name); shape != options.end())
    if (trial.reason = beyond_limits(shape->second, setup_.limits); !trial.reason.empty()) {
      trial.end = Trial::End::skipped;
      return trial;
    }
  for (int round = 1; round <= static_cast<int>(std::size(runs_of_round)); ++round) {
    RunEntry entry = entry_of(job_for(options, round), on_tick);
    if (signals_.stopped_by() != 0) return {};
    if (entry.record) record_ = entry.record;
    const bool goes_on = add_round(entry, trial);
    const bool is_slow = goes_on && round == 1 && best && *trial.seconds > stop_factor * *best;
    // What another search has measured in full stays so.
    if (is_slow && !is_settled(store_.find(job_for(options, 2).key))) entry.stopped = true;
    store_.add(entry);
    if (!goes_on) break;
    if (entry.stopped) {
      trial.end = Trial::End::stopped;
      trial.reason = fmt::format("over {} times the best so far", stop_factor);
      break;
    }
  }
  return trial;
}

}  // namespace boltzmark
