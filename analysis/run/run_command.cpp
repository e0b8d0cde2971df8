// `boltzmark run`: the runs of a plan, and the comparison.

#include <cstdlib>

#include "analysis/matrix/matrix.hpp"
#include "analysis/peaks/probe.hpp"
#include "analysis/roofline/figures.hpp"
#include "analysis/roofline/run_tables.hpp"
#include "analysis/roofline/words.hpp"
#include "analysis/run/cases.hpp"
#include "analysis/run/programs.hpp"
#include "analysis/run/run_queue.hpp"
#include "analysis/run/runner.hpp"
#include "analysis/run/schedule.hpp"
#include "analysis/store/store.hpp"
#include "analysis/support/commands.hpp"
#include "analysis/support/locations.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/error.hpp"
#include "common/cpu/processors.hpp"
#include "common/run/provenance.hpp"

namespace boltzmark {
namespace {

/// The nodes asked for, if any; a number not given is 1.
std::optional<Allocation> allocation_of(const RunOptions& options) {
  if (!options.nodes && !options.ranks_per_node && !options.cpus_per_rank) return {};
  return Allocation{.nodes = options.nodes.value_or(1),
                    .ranks_per_node = options.ranks_per_node.value_or(1),
                    .cpus_per_rank = options.cpus_per_rank.value_or(1)};
}

/// Where a run counts as the same run: on this machine, or in a job on any node of its partition, because the next job
/// that continues a plan starts on another node.
std::string place_of_runs(const Plan& plan) {
  const char *const cluster = std::getenv("SLURM_CLUSTER_NAME"), *const partition = std::getenv("SLURM_JOB_PARTITION");
  if (plan.launcher.allocation && cluster && partition) return fmt::format("{}:{}", cluster, partition);
  return provenance_now().host;
}

Plan with_wishes(Plan plan, const RunOptions& options) {
  plan.launcher = with_options(plan.launcher, options);
  plan.launcher.allocation = allocation_of(options);
  plan.time_limit_seconds = options.time_limit_seconds.value_or(plan.time_limit_seconds);
  return plan;
}

/// Order::plan.
std::string words_of(const Plan& plan, const RunOptions& options) {
  std::string words = plan.name;
  const std::initializer_list<std::pair<const char*, const std::vector<std::string>*>> chosen = {
      {"workloads", &options.workloads},
      {"models", &options.models},
      {"cases", &options.cases},
      {"builds", &options.builds}};
  for (const auto& [option, names] : chosen)
    if (!names->empty()) words += fmt::format(" --{} {}", option, join(*names, ","));
  return words;
}

/// "0.6123 s, 1070 MLUPS" or how it ended instead.
std::string outcome_of(const RunEntry& entry) {
  if (entry.status != RunStatus::ok || !entry.record)
    return fmt::format("{}: {}", to_string(entry.status), entry.reason);
  const Record& record = *entry.record;
  std::string text = significant(record.compute_seconds, 4) + " s";
  if (!record.metrics.empty()) {
    const Metric& rate = record.metrics.front();
    text += fmt::format(", {} {}", significant(rate.value.value_or(0.0), 4), rate.unit);
  }
  const std::string tuned = tuned_of(record);
  return tuned.empty() ? text : text + ", with tuned options: " + tuned;
}

/// The steps of a ladder on each problem with at least two right ones: rates, and ratios to the step before.
std::string ladder_text(const std::vector<Row>& rows, const std::vector<std::string>& steps, int width) {
  ByName<std::map<std::string, const Row*>> problems;
  for (const Row& row : rows)
    if (row.is_right() && row.rate && row.setting.empty() && contains(steps, who_words(row)))
      keep_faster(problems[problem_of(row)][who_words(row)], row);
  std::string text;
  for (const auto& [problem, found] : problems) {
    if (found.size() < 2) continue;
    const Row& any = *found.begin()->second;
    Table table(
        {left(problem_words(any.case_name)), right(any.rate_unit), right("x step\nbefore"), right("x first\nstep")});
    std::optional<double> first, before;
    for (const std::string& step : steps) {
      const auto at = found.find(step);
      if (at == found.end()) continue;
      const double rate = at->second->rate->median;
      table.add_row({step, significant(rate, 4), before ? significant(rate / *before, 3) : "",
                     first ? significant(rate / *first, 3) : ""});
      before = rate;
      first = first.value_or(rate);
    }
    text += table.text(width) + '\n';
  }
  return text;
}

/// The matrix at the end has a row per problem if that fits a terminal.
constexpr std::size_t most_matrix_rows = 24;

/// One call of the command: one function per stage, in the order of `execute`.
class RunCommand {
 public:
  RunCommand(const RunOptions& options, Plan plan)
      : options_(options),
        progress_(options.quiet),
        plan_(with_wishes(std::move(plan), options)),
        cases_(plan_, fs::absolute(options.results) / "problems"),
        jobs_(schedule()),
        runner_(options_.results, plan_.launcher, plan_.time_limit_seconds) {}

  int execute() {
    if (signals_.stopped_by() != 0) return stopped(0);
    if (options_.dry_run) return print_commands();
    const auto lacks_device = [](const Job& job) { return job.lacks_device; };
    if (!jobs_.empty() && std::ranges::all_of(jobs_, lacks_device))
      throw unavailable("plan {}: expected one {} for each rank, found none: {}", plan_.name, plan_.within_devices,
                        jobs_.front().reason);
    Store store(options_.results, options_.fresh);
    for (const auto& complaint : store.complaints()) say(complaint);
    std::vector<Job> open;
    for (const Job& job : jobs_)
      if (const RunEntry* const entry = store.find(job.key); is_final(entry))
        store.add(RunEntry(*entry));  // results are those of the program of this call, not of a later one before it
      else
        open.push_back(job);
    if (const int finished = count_finished(store); finished > 0)
      progress_.say(fmt::format("{} of {} runs are finished already", finished, count_planned()));
    if (!jobs_.empty() && open.empty())
      progress_.say(
          fmt::format("nothing is measured; the last of them was on {}; to repeat all: --fresh, or another "
                      "folder for --results",
                      last_day(store)));
    try {
      if (options_.submissions_start) expect_starts(open);
      prepare_answers(open);
      for (const Job& job : open)
        if (!job.predetermined) make_files(*job.of);
      run_all(open, store);
    } catch (const Stopped&) {
      return stopped(count_finished(store));
    }
    return report(store);
  }
  /// The plan's rows, after execute().
  const std::vector<Row>& rows() const { return rows_; }

 private:
  std::vector<Job> schedule() {
    std::vector<std::string> complaints;
    const auto built = programs_for(plan_, program_folder(), complaints);
    for (const auto& complaint : complaints) say(complaint);
    const auto programs = probe_programs(plan_, built, signals_);
    if (signals_.stopped_by() != 0) return {};
    return make_schedule(plan_, cases_, programs,
                         {.workloads = options_.workloads,
                          .models = options_.models,
                          .cases = options_.cases,
                          .builds = options_.builds,
                          .repeats = options_.repeats,
                          .cores = default_workers(),
                          .numa_nodes = usable_numa_nodes(),
                          .host = place_of_runs(plan_),
                          .oracle = oracle_version()},
                         signals_);
  }

  /// Each command once, and about how long all of them would take, if earlier calls ran them all.
  int print_commands() const {
    std::map<std::string, double> earlier;  // wall seconds by configuration
    for (const RunEntry& entry : boltzmark::read_runs(options_.results / runs_file).entries)
      if (entry.status == RunStatus::ok) earlier[entry.key.configuration()] = entry.wall_seconds;
    double seconds = 0.0;
    int runs = 0, known = 0;
    for (const Job& job : jobs_) {
      if (is_extra(job)) continue;
      if (!job.predetermined) ++runs;
      if (const auto at = earlier.find(job.key.configuration()); !job.predetermined && at != earlier.end()) {
        seconds += at->second;
        ++known;
      }
      if (job.key.round > 1) continue;
      if (job.predetermined)
        print("# {}: {}: {}\n", describe(job.key), to_string(*job.predetermined), job.reason);
      else
        print("{}{}\n", runner_.command_line(job),
              job.repeats.at_most > 1 ? fmt::format("  # x {}", job.repeats.words()) : "");
    }
    if (known == 0) return 0;
    print("# {} of {} ran before, and would take {} if repeated\n", known, counted(runs, "run"), duration(seconds));
    return 0;
  }

  void expect_starts(const std::vector<Job>& open) {
    for (const Job& job : open)
      if (job.submission && !job.predetermined && job.key.round == 1)
        runner_.expect_start(job, signals_, progress_.timer(job.submission->name + ", a first try"));
    progress_.clear();
    signals_.expect_none();
  }

  /// Computes the missing reference answers of open jobs, before any timing because this takes all cores. Jobs whose
  /// answer this machine cannot compute become impossible.
  void prepare_answers(std::vector<Job>& open) {
    std::vector<const Case*> needed;
    for (const Job& job : open)
      if (!job.predetermined && job.checked) needed.push_back(job.of);
    auto missing = without_answer(options_.results, needed);
    std::map<std::string, std::string> impossible;  // why, by answer
    std::erase_if(missing, [&](const Case* one) {
      const std::string why = no_answer(*one);
      if (!why.empty()) impossible[check_value(options_.results, *one)] = why;
      return !why.empty();
    });
    for (Job& job : open)
      if (const auto why = impossible.find(check_value(options_.results, *job.of));
          why != impossible.end() && !job.predetermined && job.checked) {
        job.reason = why->second;
        job.predetermined = RunStatus::impossible;
      }
    compute_answers(options_.results, missing, signals_, progress_, rehearsals(open));
  }

  /// Short runs of programs that compile kernels, so that these are cached before the timed runs.
  static std::vector<std::vector<std::string>> rehearsals(const std::vector<Job>& open) {
    constexpr int most_steps = 16;
    std::vector<std::vector<std::string>> commands;
    for (const Job& job : open) {
      if (job.predetermined || job.launched || !job.compiles_kernels || !job.of->lbm) continue;
      std::vector<std::string> command = job.command;
      if (const auto steps = std::ranges::find(command, "--steps"); steps != command.end())
        command.erase(steps, steps + 2);
      command.insert(command.end(), {"--steps", std::to_string(std::min(job.of->steps, most_steps))});
      if (std::ranges::find(commands, command) == commands.end()) commands.push_back(std::move(command));
    }
    return commands;
  }

  void run_all(const std::vector<Job>& open, Store& store) {
    RunQueue queue(plan_, jobs_, open, store);
    Prober prober = prober_for(open);
    while (const Job* const job = queue.next()) {
      const RunEntry entry =
          run_one(*job, {queue.seed_of(job->key.round), job->number, words_of(plan_, options_)},
                  prober.now(queue.begins_round(), signals_), queue.count(), queue.time_left(), store);
      queue.has_run(*job, entry.wall_seconds);
    }
    progress_.clear();
  }

  /// For the roofs that limit these jobs; for none if the results contain no peaks of this machine.
  Prober prober_for(const std::vector<Job>& open) const {
    std::set<std::string> precisions;
    bool on_fewer = false;
    for (const Job& job : open) {
      if (job.predetermined) continue;
      precisions.insert(job.key.precision);
      if (peaks_) on_fewer |= job.key.workers() < peaks_->processor.cores;
    }
    const bool is_known = peaks_ && peaks_->host == provenance_now().host && plan_.within_devices != "gpu";
    if (!is_known || precisions.empty()) return {options_.results, {}, {}};
    return {options_.results, *peaks_, probe_benchmarks(*peaks_, precisions, on_fewer)};
  }

  RunEntry run_one(const Job& job, const Order& order, const Roofs& roofs, const std::string& count,
                   const std::string& left, Store& store) {
    const std::string what = fmt::format("{} {} {}: {}, round {} of {}", count, job.key.workload, job.of->name,
                                         describe(job.key), job.key.round, job.repeats.words());
    RunEntry entry = runner_.run(job, signals_, progress_.timer(what, left));
    check_build(plan_.builds, entry);
    signals_.expect_none();
    entry.order = order;
    entry.roofs = roofs;
    store.add(entry);
    judge_rate(entry, peaks_);  // not kept: with other peaks the outcome may differ
    if (entry.status == RunStatus::ok)
      progress_.done(what + ": " + outcome_of(entry));
    else
      progress_.say(what + ": " + outcome_of(entry));
    return entry;
  }

  /// Unconditional runs of the plan.
  std::ptrdiff_t count_planned() const {
    return std::ranges::count_if(jobs_, [](const Job& job) { return !is_extra(job); });
  }

  int count_finished(const Store& store) const {
    return static_cast<int>(std::count_if(
        jobs_.begin(), jobs_.end(), [&](const Job& job) { return !is_extra(job) && is_final(store.find(job.key)); }));
  }

  /// The date of the latest of the plan's runs, "2026-11-29".
  std::string last_day(const Store& store) const {
    std::string last;
    for (const Job& job : jobs_)
      if (const RunEntry* const entry = store.find(job.key); entry && entry->record)
        last = std::max(last, entry->record->provenance.date.substr(0, 10));
    return last.empty() ? "an unknown day" : last;
  }

  int stopped(int finished) {
    return end_stopped(
        progress_, signals_,
        fmt::format("stopped; {} of {} runs are finished and kept in {}; to go on: {}", finished, count_planned(),
                    options_.results.string(), without_option(options_.command_line, "--fresh")));
  }

  int report(const Store& store) {
    try {
      const Results results = read_results(options_.results);
      rows_ = make_rows(results);
      write_figures(results, rows_, options_.results);
    } catch (const Error& error) {
      throw Error(error.status(),
                  fmt::format("{}; all runs are kept in {}", error.what(), (options_.results / runs_file).string()));
    }
    const std::string ladder = ladder_text(rows_, plan_.ladder, table_width());  // with steps of earlier calls
    std::set<std::string> of_plan;                                               // other rows are in the files only
    for (const Job& job : jobs_) of_plan.insert(job.key.configuration());
    std::erase_if(rows_, [&](const Row& row) { return !of_plan.contains(row.key.configuration()); });
    if (!ladder.empty())
      print("{}Each step's source and changes: boltzmark report --results {}, page learn.html\n\n", ladder,
            shell_line({options_.results.string()}));
    print("{}Results: {} (runs.jsonl, figures.csv, peaks.csv, logs)\n",
          options_.tables ? comparison_text(rows_, table_width())
                          : matrix_text(rows_, View::same_algorithm, table_width(), most_matrix_rows),
          one_line(options_.results.string()));
    const auto cannot_run = [](const Job& job) { return job.predetermined.has_value(); };
    if (!jobs_.empty() && std::ranges::all_of(jobs_, cannot_run))  // the rows say why
      return static_cast<int>(ExitStatus::unavailable);
    const bool went_wrong = std::ranges::any_of(jobs_, [&store](const Job& job) {
      const RunEntry* const entry = store.find(job.key);
      return entry && (entry->status == RunStatus::wrong || entry->status == RunStatus::failed ||
                       entry->status == RunStatus::timeout);
    });
    const auto is_wrong = [](const Row& row) { return row.status == RunStatus::wrong; };
    return went_wrong || std::ranges::any_of(rows_, is_wrong) ? 1 : 0;
  }

  static void say(const std::string& line) { print_note("boltzmark", line); }

  const RunOptions& options_;
  SignalWatch signals_;
  Progress progress_;
  Plan plan_;
  Cases cases_;
  std::vector<Job> jobs_;
  Runner runner_;
  std::vector<Row> rows_;
  std::optional<Peaks> peaks_ = peaks_in(options_.results);
};

/// The CMake targets of this configuration that build all that the plan needs, unless it has its own builds.
int print_programs(const RunOptions& options, const Plan& plan) {
  if (!plan.builds.empty()) return 0;
  const auto programs = configured_programs(program_folder());
  check_runs(plan, programs);
  for (const auto& program : programs)
    if (has_runs(plan, program) && program.skipped.empty() && is_chosen(options.workloads, program.workload) &&
        is_chosen(options.models, program.model))
      print("{}\n", program.program);
  return 0;
}

}  // namespace

int run_command(const RunOptions& options) {
  const fs::path file = find_plan(options.plan, plan_folder());
  Plan plan = load_plan(from_here(fs::absolute(file).lexically_normal()));
  RunOptions chosen = options;
  if (chosen.models.empty()) chosen.models = plan.models;
  if (options.programs) return print_programs(chosen, plan);
  return RunCommand(chosen, plan).execute();
}

int run_plan(const RunOptions& options, Plan plan, std::vector<Row>& rows) {
  RunCommand command(options, std::move(plan));
  const int status = command.execute();
  rows = command.rows();
  return status;
}

}  // namespace boltzmark
