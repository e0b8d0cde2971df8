#include "analysis/run/run_command.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "analysis/run/build_table.hpp"
#include "analysis/run/builds.hpp"
#include "analysis/run/comparison_output.hpp"
#include "analysis/run/oracle.hpp"
#include "analysis/run/runner.hpp"
#include "analysis/run/schedule.hpp"
#include "analysis/run/store.hpp"
#include "analysis/run/stream_output.hpp"
#include "analysis/support/locations.hpp"
#include "analysis/support/processors.hpp"
#include "analysis/support/progress.hpp"
#include "analysis/support/table.hpp"
#include "common/base/error.hpp"
#include "common/lbm/result_files.hpp"
#include "common/run/provenance.hpp"

namespace boltzmark {
namespace {

namespace fs = std::filesystem;

constexpr int table_width = 120;  // unless the terminal has more

/// What was said of nodes; the rest is then one of each.
std::optional<Allocation> allocation_of(const RunOptions& options) {
  if (!options.nodes && !options.ranks_per_node && !options.cpus_per_rank) return {};
  return Allocation{.nodes = options.nodes.value_or(1),
                    .ranks_per_node = options.ranks_per_node.value_or(1),
                    .cpus_per_rank = options.cpus_per_rank.value_or(1)};
}

/// The plan with the command line's wishes in it.
Plan plan_for(const RunOptions& options) {
  Plan plan = load_plan(from_here(fs::absolute(find_plan(options.plan, plan_folder())).lexically_normal()));
  if (!options.launcher.empty()) plan.launcher = {.command = options.launcher};
  if (!options.launcher_arguments.empty()) plan.launcher.arguments = options.launcher_arguments;
  plan.launcher.allocation = allocation_of(options);
  check_launcher(plan.launcher, "--launcher");
  plan.time_limit_seconds = options.time_limit_seconds.value_or(plan.time_limit_seconds);
  return plan;
}

/// "0.6123 s, 1070 MLUPS" or how it ended instead.
std::string outcome_of(const RunEntry& entry) {
  if (entry.status != RunStatus::ok) return fmt::format("{}: {}", to_string(entry.status), entry.reason);
  if (entry.key.is_stream())
    return fmt::format("triad {} GB/s", significant(stream_gb_per_s(entry.record, "triad").value_or(0.0), 4));
  const std::string tuned = tuned_in(entry.record);
  return fmt::format("{} s, {} MLUPS{}", significant(entry.record.value("compute_seconds", 0.0), 4),
                     significant(entry.record.value("mlups", 0.0), 4),
                     tuned.empty() ? "" : ", with tuned options: " + tuned);
}

/// One call of the command: a stage a function, in the order of `execute`.
class RunCommand {
 public:
  explicit RunCommand(const RunOptions& options)
      : options_(options),
        progress_(Progress::style_for(options.quiet)),
        plan_(plan_for(options)),
        problems_(load_problems(plan_, fs::absolute(options.results) / "problems")),
        jobs_(schedule()),
        runner_(options_.results, problems_, plan_.launcher, plan_.time_limit_seconds) {}

  int execute() {
    if (signals_.stopped_by() != 0) return stopped(0);
    if (options_.dry_run) return print_commands();
    const auto lacks_device = [](const Job& job) { return job.lacks_device; };
    if (!jobs_.empty() && std::all_of(jobs_.begin(), jobs_.end(), lacks_device))
      throw unavailable("plan {}: expected one {} for each rank, found none: {}", plan_.name,
                        plan_.within_devices, jobs_.front().reason);
    Store store(options_.results, options_.fresh);
    for (const auto& complaint : store.complaints()) fmt::print(stderr, "boltzmark: {}\n", complaint);
    std::vector<Job> open;
    for (const Job& job : jobs_)
      if (!is_final(store.find(job.key))) open.push_back(job);
    if (open.size() < jobs_.size())
      progress_.say(
          fmt::format("{} of {} runs are finished already", jobs_.size() - open.size(), jobs_.size()));
    for (const Job& job : open)
      if (!job.foregone && job.problem != no_problem) make_files(problem_of(job));
    if (!prepare_answers(open) || !run_all(open, store)) return stopped(count_finished(store));
    return report(store);
  }

 private:
  std::vector<Job> schedule() {
    std::vector<std::string> complaints;
    const auto built = models_for(plan_, program_folder(), complaints);
    for (const auto& complaint : complaints) fmt::print(stderr, "boltzmark: {}\n", complaint);
    const auto models = probe_models(plan_, built, signals_);
    return make_schedule(plan_, problems_, models,
                         {.models = options_.models,
                          .problems = options_.problems,
                          .builds = options_.builds,
                          .repeats = options_.repeats,
                          .cores = default_workers(),
                          .host = provenance_now().host,
                          .oracle = oracle_version()});
  }

  int print_commands() const {
    for (const Job& job : jobs_) {
      if (job.foregone)
        fmt::print("# {}: {}: {}\n", describe(job.key), to_string(*job.foregone), job.reason);
      else
        fmt::print("{}\n", shell_line(runner_.command(job)));
    }
    return 0;
  }

  /// The right answers that open jobs need and that are not there yet; before any timing, for it takes all
  /// cores. False when stopped.
  bool prepare_answers(const std::vector<Job>& open) {
    std::set<int> needed;
    for (const Job& job : open)
      if (!job.foregone && job.problem != no_problem && job.checked &&
          !has_answer(answers_in(options_.results), problem_of(job)))
        needed.insert(job.problem);
    if (needed.empty()) return true;
    std::vector<const ScheduledProblem*> missing;
    double updates = 0.0, longest = 0.0;
    for (const int problem : needed) {
      missing.push_back(&problems_[static_cast<std::size_t>(problem)]);
      updates += missing.back()->updates();
      longest = std::max(longest, missing.back()->updates());
    }
    const int processes = usable_physical_cores();
    constexpr double updates_per_second = 25e6;  // of the oracle on a usual core; only for this announcement
    const double seconds = std::max(longest, updates / processes) / updates_per_second;
    progress_.say(
        fmt::format("right answers in double precision for {} problem{}: about {}, kept for later runs",
                    missing.size(), missing.size() == 1 ? "" : "s", duration(seconds)));
    const bool whole = compute_answers(
        answers_in(options_.results), missing, processes, signals_, [&](int done, double elapsed) {
          progress_.show(fmt::format("right answers: {} of {}, {} of about {}", done, missing.size(),
                                     duration(elapsed), duration(seconds)));
        });
    progress_.clear();
    return whole;
  }

  /// False when stopped.
  bool run_all(const std::vector<Job>& open, Store& store) {
    for (std::size_t k = 0; k < open.size(); ++k) {
      const Job& job = open[k];
      const std::string what = fmt::format("[{}/{}] {}: {}, round {} of {}", k + 1, open.size(), job.name,
                                           describe(job.key), job.key.round, job.rounds);
      const std::string left = time_left(open, k);
      RunEntry entry = runner_.run(job, signals_, [&](double elapsed) {
        progress_.show(fmt::format("{}: {}{}", what, duration(elapsed), left));
      });
      check_build(plan_.builds, entry);
      if (signals_.stopped_by() != 0) return false;
      store.add(entry);
      wall_seconds_[job.key.configuration()] = entry.wall_seconds;
      if (entry.status == RunStatus::ok)
        progress_.done(what + ": " + outcome_of(entry));
      else
        progress_.say(what + ": " + outcome_of(entry));
    }
    progress_.clear();
    return true;
  }

  /// ", about 40 s left" once every configuration ahead has run before.
  std::string time_left(const std::vector<Job>& open, std::size_t from) const {
    double seconds = 0.0;
    for (std::size_t k = from; k < open.size(); ++k) {
      const auto at = wall_seconds_.find(open[k].key.configuration());
      if (at == wall_seconds_.end()) return "";
      seconds += at->second;
    }
    return fmt::format(", about {} left in all", duration(seconds));
  }

  int count_finished(const Store& store) const {
    return static_cast<int>(std::count_if(jobs_.begin(), jobs_.end(),
                                          [&](const Job& job) { return is_final(store.find(job.key)); }));
  }

  int stopped(int finished) {
    progress_.clear();
    std::string again = options_.command_line;
    if (const auto at = again.find(" --fresh"); at != again.npos)
      again.erase(at, std::string(" --fresh").size());
    fmt::print(stderr, "boltzmark: stopped; {} of {} runs are finished and kept in {}; to go on: {}\n",
               finished, jobs_.size(), options_.results.string(), again);
    return 128 + signals_.stopped_by();
  }

  int report(const Store& store) {
    std::vector<RunEntry> entries, streams;
    for (const Job& job : jobs_)
      if (const RunEntry* const entry = store.find(job.key))
        (job.key.is_stream() ? streams : entries).push_back(*entry);
    const auto stream_rows = make_stream_rows(streams);
    const Comparison comparison = make_comparison(entries, plan_.compare, plan_.baselines);
    const BuildTable builds = make_build_table(comparison);
    const Footer footer = make_footer(entries.empty() ? streams : entries);
    const int width = std::max(table_width, terminal_width(STDOUT_FILENO, table_width));
    write("comparison.csv", comparison_csv(comparison));
    write("comparison.md",
          comparison_markdown(comparison, footer) + build_markdown(builds) + stream_markdown(stream_rows));
    write("builds.csv", build_csv(builds));
    write("stream.csv", stream_csv(stream_rows));
    fmt::print(
        "{}{}{}Results: {} (runs.jsonl, comparison.csv, comparison.md, builds.csv, stream.csv, logs)\n",
        comparison_text(comparison, footer, width), build_text(builds, width),
        stream_text(stream_rows, width), options_.results.string());
    const auto went_wrong = [](const RunEntry& entry) {
      return entry.status == RunStatus::wrong || entry.status == RunStatus::failed ||
             entry.status == RunStatus::timeout;
    };
    const bool all_right = std::none_of(entries.begin(), entries.end(), went_wrong) &&
                           std::none_of(streams.begin(), streams.end(), went_wrong);
    return all_right ? 0 : 1;
  }

  void write(const char* name, const std::string& text) const {
    AtomicFile file(options_.results / name);
    file.write(text);
    file.commit();
  }

  /// Of a job that has one.
  const ScheduledProblem& problem_of(const Job& job) const {
    return problems_[static_cast<std::size_t>(job.problem)];
  }

  const RunOptions& options_;
  SignalWatch signals_;
  Progress progress_;
  Plan plan_;
  std::vector<ScheduledProblem> problems_;
  std::vector<Job> jobs_;
  Runner runner_;
  std::map<std::string, double> wall_seconds_;  ///< of the last round of each configuration
};

}  // namespace

int run_command(const RunOptions& options) { return RunCommand(options).execute(); }

}  // namespace boltzmark
