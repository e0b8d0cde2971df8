// `boltzmark tune`: measures options of a variant with its program: one run after a warm-up, then two more, unless the
// first is clearly worse than the best. The best is kept if it is faster than the defaults in separate rounds. Earlier
// measurements are reused.
#include <fmt/format.h>

#include <cmath>

#include "analysis/roofline/difference.hpp"
#include "analysis/roofline/rows.hpp"
#include "analysis/run/cases.hpp"
#include "analysis/run/runner.hpp"
#include "analysis/run/schedule.hpp"
#include "analysis/store/store.hpp"
#include "analysis/support/commands.hpp"
#include "analysis/support/json.hpp"
#include "analysis/support/locations.hpp"
#include "analysis/support/terminal.hpp"
#include "analysis/tune/tune.hpp"
#include "common/base/clock.hpp"
#include "common/base/digest.hpp"
#include "common/base/error.hpp"
#include "common/base/ranges.hpp"
#include "common/run/provenance.hpp"
#include "common/run/tuned.hpp"

namespace boltzmark {
namespace {

using nlohmann::json;

/// After a first run of more than this many times the best, the second and third are left out.
constexpr double stop_factor = 1.5;

/// Whether no second try is needed: it has a result, the program said that it is not available, or it took too long.
bool is_settled(const RunEntry* entry) {
  if (!entry) return false;
  const bool refused =
      entry->status == RunStatus::failed && entry->exit_status == static_cast<int>(ExitStatus::bad_input);
  return is_final(entry) || refused || entry->status == RunStatus::impossible || entry->status == RunStatus::timeout;
}

/// Timed runs in the processes of a trial: each process starts with a warm-up.
constexpr int runs_of_round[] = {1, 2};
/// Deciding rounds: best and defaults alternate, one run each.
constexpr int confirming_rounds = 4;

/// Adds the outcome of a round; false if it ends the trial.
bool add_round(const RunEntry& entry, Trial& trial) {
  using End = Trial::End;
  const bool is_unclear = entry.status == RunStatus::failed && !is_settled(&entry);
  trial.end = entry.status == RunStatus::ok        ? End::measured
              : entry.status == RunStatus::wrong   ? End::wrong
              : entry.status == RunStatus::timeout ? End::stopped
              : is_unclear                         ? End::failed
                                                   : End::skipped;
  trial.reason = entry.reason;
  if (trial.end != End::measured) return false;
  const std::size_t before = trial.runs.size();
  for (const Timing& repeat : entry.record ? entry.record->repeats : std::vector<Timing>())
    if (repeat.compute_seconds > 0.0) trial.runs.push_back(repeat.compute_seconds);
  if (trial.runs.size() == before) {
    trial.end = End::failed;
    trial.reason = "its record has no compute seconds";
    return false;
  }
  trial.seconds = *std::ranges::min_element(trial.runs);
  return true;
}

constexpr double run_seconds = 0.2;  // target for a run
constexpr int most_repeats = 100;
constexpr int first_steps = 10;

/// To 1, 2 or 5 times a power of ten: times that differ a little from call to call usually lead to the same steps.
int round_down(double number) {
  if (number < 1.0) return 1;
  const double power = std::pow(10.0, std::floor(std::log10(number)));
  const double first = number / power;
  return static_cast<int>(std::lround(power * (first >= 5.0 ? 5.0 : first >= 2.0 ? 2.0 : 1.0)));
}

/// The program and its answer to --describe on the device. Throws Error (bad_input, unavailable).
ProbedProgram find_tuned_program(const TuneOptions& options, SignalWatch& signals) {
  auto programs = read_programs(program_folder());
  const auto expect = [&](const char* option, const std::string& chosen, std::string BuiltProgram::*name) {
    if (const auto names = names_in(programs, name); !contains(names, chosen))
      throw bad_input("{}: expected one of {}, found \"{}\"", option, join(names, ", "), chosen);
    std::erase_if(programs, [&](const BuiltProgram& program) { return program.*name != chosen; });
  };
  expect("--workload", options.workload, &BuiltProgram::workload);
  expect("--model", options.model, &BuiltProgram::model);
  const BuiltProgram& program = programs.front();
  if (!program.skipped.empty()) throw unavailable("{} was not built: {}", options.model, program.skipped);
  ProbedProgram probed{.program = program, .digest = digest_of_file(program.path)};
  // Unknown options are rejected later with a better message.
  probed.description = ask(program, {}, signals);
  if (!options.device.empty() && probed.takes("device"))
    probed.description = ask(program, {"--device", options.device}, signals);
  if (!probed.description.no_devices.empty()) throw unavailable("{}", probed.description.no_devices);
  return probed;
}

/// One call of the command: one function per stage, in the order of `execute`.
class TuneCommand {
 public:
  explicit TuneCommand(const TuneOptions& options) : options_(options), progress_(options.quiet) { prepare(); }

  int execute() {
    try {
      return tune();
    } catch (const Stopped&) {
      return end_stopped(
          progress_, signals_,
          fmt::format("stopped; what was measured is kept in {}; to go on: {}",
                      (options_.results / tuning_file).string(), without_option(options_.command_line, "--fresh")));
    }
  }

 private:
  int tune() {
    signals_.expect_none();
    store_.emplace(options_.results, options_.fresh, tuning_file);
    for (const auto& complaint : store_->complaints()) print_note("boltzmark", complaint);
    cases_.emplace(plan_of_defaults());
    runner_.emplace(store_->folder(), launcher_, options_.time_limit_seconds);
    choose_variant();
    const Case& one = cases_->at(0, run_.steps, 1);
    const auto tried =
        tunables_of(probed_.description, run_, options_, limits_, one.lbm ? one.lbm->problem.parameters.dimension : 2);
    prepare_answer(one);
    const SearchResult result = search_for(tried);
    progress_.clear();
    signals_.expect_none();
    const Trial* const defaults = result.defaults();
    if (!result.best() && defaults) complain_about(*defaults);
    const Trial* const kept = result.better();
    const bool is_better = kept && kept == result.best() && (!defaults || kept == defaults || is_confirmed(*kept));
    progress_.clear();
    signals_.expect_none();
    const std::string on_device = device_name_.empty() ? "" : " on " + device_name_;
    print("{} {} {} {}{}\n{}", run_.workload, run_.model, run_.variant, run_.precision, on_device,
          search_text(result, record_, run_.steps, is_better, table_width()));
    if (kept && record_) keep(is_better ? *kept : *defaults, *record_);
    print("Data: {} (to draw them: boltzmark report --results {})\n",
          one_line((store_->folder() / tuning_file).string()), one_line(store_->folder().string()));
    return result.count(Trial::End::wrong) + result.count(Trial::End::failed) == 0 ? 0 : 1;
  }

  /// Throws Error if the program or an option does not exist.
  void prepare() {
    launcher_ = with_options(launcher_, options_);
    source_ = find_case(options_.workload, options_.words);
    probed_ = find_tuned_program(options_, signals_);
    const auto refuse = [&](const char* option, bool given, bool taken) {
      if (given && !taken) throw bad_input("{}: {} does not take it", option, options_.model);
    };
    refuse("--device", !options_.device.empty(), probed_.takes("device"));
    refuse("--threads", options_.threads.has_value(), probed_.takes("threads"));
    refuse("--steps", options_.steps.has_value(), probed_.takes("steps"));
    refuse("--ranks", options_.ranks.has_value(), probed_.program.launcher);
    const json& limits = probed_.description.limits;
    run_.workload = options_.workload;
    run_.model = options_.model;
    run_.variant = options_.variant;
    run_.precision = options_.precision;
    run_.device = options_.device;
    run_.threads = options_.threads;
    run_.ranks = options_.ranks;
    run_.warm_up = true;
    if (limits.is_object()) {
      device_name_ = limits.value("name", "");
      limits_ = {limits.value("max_work_group", 0), limits.value("max_work_group_x", 0),
                 limits.value("max_work_group_y", 0), limits.value("max_work_group_z", 0)};
    }
    if (const std::string why = lacks(probed_.description, options_.variant, options_.precision); !why.empty())
      throw bad_input("--variant: {} has {}", options_.model, why);
    if (probed_.takes("tuned")) expect_place_for_tuned(tuned_file());  // better than after the search
  }

  /// The one case and the one run, without options.
  Plan plan_of_defaults() const {
    Plan plan;
    plan.launcher = launcher_;
    plan.cases = {source_};
    plan.runs = {run_};
    return plan;
  }

  /// A round of a trial; its predetermined and reason are set if this machine cannot do any.
  Job job_for(const TunedOptions& options, int round) {
    Plan plan = plan_of_defaults();
    PlanRun& run = plan.runs.front();
    for (const auto& [name, value] : options)
      if (name == work_group_name)
        run.work_group = value;
      else
        run.options.emplace_back(name, value);
    auto jobs =
        make_schedule(plan, *cases_, {probed_},
                      {.repeats = 1, .cores = default_workers(), .host = host_, .oracle = oracle_version()}, signals_);
    signals_.expect_none();
    Job job = std::move(jobs.front());
    job.key.round = round;
    job.key.device = device_name_;  // a device has several names on the command line
    const auto repeat = std::ranges::find(job.command, "--repeat");
    const bool is_of_search = round <= static_cast<int>(std::size(runs_of_round));
    *(repeat + 1) = std::to_string((is_of_search ? runs_of_round[round - 1] : 1) * repeats_);
    if (probed_.takes("no-tuned")) job.command.insert(job.command.begin() + 1, "--no-tuned");
    return job;
  }

  /// A trial of these options; `best` is the lowest time so far. `on_tick` as in run_process.
  Trial make(const TunedOptions& options, std::optional<double> best, const Tick& on_tick) {
    Trial trial;
    if (const auto shape = options.find(work_group_name); shape != options.end())
      if (trial.reason = beyond_limits(shape->second, limits_); !trial.reason.empty()) {
        trial.end = Trial::End::skipped;
        return trial;
      }
    for (int round = 1; round <= static_cast<int>(std::size(runs_of_round)); ++round) {
      RunEntry entry = entry_of(job_for(options, round), on_tick);
      if (entry.record) record_ = entry.record;
      RunEntry judged = entry;
      judge_rate(judged, peaks_in(options_.results));
      const bool goes_on = add_round(judged, trial);
      const bool is_slow = goes_on && round == 1 && best && *trial.seconds > stop_factor * *best;
      // A trial completed by another search stays complete.
      if (is_slow && !is_settled(store_->find(job_for(options, 2).key))) entry.stopped = true;
      store_->add(entry);
      if (!goes_on) break;
      if (entry.stopped) {
        trial.end = Trial::End::stopped;
        trial.reason = fmt::format("over {} times the best so far", stop_factor);
        break;
      }
    }
    return trial;
  }

  /// Whether it is faster than the defaults beyond noise in separate rounds: the best of many tries is lucky.
  bool is_confirmed(const Trial& best) {
    std::vector<double> seconds, of_defaults;
    constexpr int first = std::size(runs_of_round) + 1;
    for (int round = first; round < first + confirming_rounds; ++round)
      for (const bool is_best : {true, false}) {
        const RunEntry entry = entry_of(job_for(is_best ? best.options : TunedOptions(), round),
                                        progress_.timer("the best other than the defaults"));
        store_->add(entry);
        if (entry.status != RunStatus::ok || !entry.record) return false;
        (is_best ? seconds : of_defaults).push_back(entry.record->compute_seconds);
      }
    return p_of_slower(seconds, of_defaults) < significance;
  }

  RunEntry entry_of(const Job& job, const Tick& on_tick) {
    const RunEntry* const known = store_->find(job.key);
    if (is_settled(known)) return *known;
    RunEntry entry = job.of ? runner_->run(job, signals_, on_tick) : RunEntry{};
    signals_.expect_none();
    return entry;
  }

  /// A short run of the defaults.
  RunEntry try_entry(bool is_checked) {
    Job job = job_for({}, 1);
    if (job.predetermined) throw unavailable("{}: {}", run_.model, job.reason);
    job.checked &= is_checked;
    RunEntry entry = runner_->run(job, signals_, Tick());
    signals_.expect_none();
    return entry;
  }

  /// Throws Error if it is not right.
  Record record_of(const RunEntry& entry) const {
    const std::string line = fmt::format("{}: {}: {}", run_.model, entry.command, entry.reason);
    if (entry.status == RunStatus::ok) return entry.record.value();
    throw Error(entry.status == RunStatus::impossible ? ExitStatus::unavailable
                : entry.status == RunStatus::wrong    ? ExitStatus::wrong_result
                                                      : ExitStatus::bad_input,
                line);
  }

  /// The steps of an earlier trial of the defaults that equals this one otherwise, 0 for none.
  int known_steps() {
    RunKey key = job_for({}, 1).key;
    for (const RunEntry* const entry : store_->entries()) {
      key.steps = entry->key.steps;
      if (entry->key.identity() == key.identity() && entry->status == RunStatus::ok) return key.steps;
    }
    return 0;
  }

  /// Fills in the variant if it is the program's default, and the steps: those of earlier trials of the same, else as
  /// many as take about 0.2 s, with at most some 20 s for the reference and a stable result. A program without steps
  /// gets that many repeats. Does short runs to find the number. Throws Error if the program fails.
  void choose_variant() {
    if (!probed_.takes("steps")) {
      const Record record = record_of(try_entry(false));
      run_.variant = record.variant;
      repeats_ = std::min(most_repeats, round_down(run_seconds / std::max(1e-9, record.compute_seconds)));
      return;
    }
    const Case& one = cases_->at(0, run_.steps, 1);
    const int most = most_steps_to_tune(one);
    const bool bears_any = one.lbm != nullptr;
    const auto is_known = [&] {
      run_.steps = run_.variant.empty() ? 0 : options_.steps ? *options_.steps : known_steps();
      return *run_.steps > 0;
    };
    if (is_known()) return;
    for (std::int64_t steps = std::min(first_steps, most);; steps = std::min<std::int64_t>(10 * steps, most)) {
      run_.steps = static_cast<int>(steps);  // ten times as many each time
      const RunEntry entry = try_entry(false);
      if (entry.status == RunStatus::wrong && !run_.variant.empty() && !bears_any) break;
      const Record record = record_of(entry);
      if (run_.variant.empty()) {
        run_.variant = record.variant;
        if (is_known()) return;
      }
      if (record.compute_seconds < 0.25 * run_seconds && steps < most) continue;
      const double fitting = static_cast<double>(steps) * run_seconds / record.compute_seconds;
      run_.steps = round_down(std::min<double>(most, fitting));
      break;
    }
    if (!bears_any) bear_steps();
  }

  /// Takes fewer steps, and correspondingly more repeats, if the result of these is wrong: some flows become unstable,
  /// and trajectories of bodies diverge. The files of lattice Boltzmann give a stable number of steps.
  void bear_steps() {
    const int chosen = *run_.steps;
    for (RunEntry entry = try_entry(true); entry.status == RunStatus::wrong && *run_.steps > 1;
         entry = try_entry(true)) {
      if (*run_.steps == chosen)
        print_note("boltzmark", fmt::format("{}: {}: {}; trials have fewer steps", run_.model, counted(chosen, "step"),
                                            entry.reason));
      run_.steps = round_down(*run_.steps / 2.0);
      repeats_ = std::clamp(chosen / *run_.steps, 1, most_repeats);
    }
  }

  fs::path tuned_file() const { return options_.tuned.empty() ? default_tuned_file() : options_.tuned; }

  /// Computes the reference answer, before any timing.
  void prepare_answer(const Case& one) {
    const auto missing = without_answer(store_->folder(), {&one});
    if (const std::string why = no_answer(one); !missing.empty() && !why.empty())
      throw unavailable("{}: {}", one.name, why);
    compute_answers(store_->folder(), missing, signals_, progress_);
  }

  /// Without those that the defaults' record has too; the work-group stays, because plots show every shape.
  static TunedOptions without_usual(TunedOptions options, const json& settings) {
    std::erase_if(options, [&settings](const auto& option) {
      if (option.first == work_group_name || !settings.is_object()) return false;
      std::string name = option.first;
      std::ranges::replace(name, '-', '_');
      return plain_text(settings.value(name, json())) == option.second;
    });
    return options;
  }

  SearchResult search_for(const std::vector<Tunable>& tunables) {
    const std::size_t size = search_size(tunables, options_.all);
    json usual;  // settings of the defaults
    std::set<TunedOptions> tried;
    double longest = 0.0;               // of the trials measured in this call
    constexpr double confirming = 3.0;  // trials take this long
    std::size_t number = 0;
    return search(tunables, options_.all,
                  [&](const TunedOptions& options, std::optional<double> best) -> std::optional<Trial> {
                    const bool known = is_settled(store_->find(job_for(options, 1).key));
                    if (options_.budget_seconds && !known && !options.empty() &&
                        seconds_since(start_) + (1 + confirming) * longest > *options_.budget_seconds)
                      return {};
                    const auto start = Clock::now();
                    const std::string what = fmt::format("[{}/{}] {}", ++number, size, options_words(options));
                    tried.insert(options);
                    if (const auto rest = without_usual(options, usual); rest != options && tried.contains(rest))
                      return Trial{.end = Trial::End::skipped, .reason = "what the defaults have"};
                    const Trial trial = make(options, best, progress_.timer(what));
                    if (options.empty() && record_) usual = record_->settings;
                    longest = std::max(longest, seconds_since(start));
                    progress_.done(fmt::format("{}: {}{}", what, outcome_of(trial), known ? " (known)" : ""));
                    return trial;
                  });
  }

  /// Without a right result of the defaults, nothing can be compared.
  [[noreturn]] void complain_about(const Trial& defaults) const {
    const auto status = defaults.end == Trial::End::wrong ? ExitStatus::wrong_result : ExitStatus::unavailable;
    throw Error(status, fmt::format("{} {} with its defaults: {}", options_.model, run_.variant, outcome_of(defaults)));
  }

  void keep(const Trial& best, const Record& record) const {
    const std::string program = probed_.program.program;
    if (!probed_.takes("tuned")) {
      print("{} stores no tuned options; use: {}\n", program, options_words(best.options));
      return;
    }
    const fs::path file = tuned_file();
    keep_tuned(file,
               {.workload = options_.workload,
                .model = options_.model,
                .device = device_name_,
                .variant = run_.variant,
                .precision = run_.precision,
                .size = record.case_.size},
               best.options, *best.seconds);
    const std::string how = options_.tuned.empty()
                                ? fmt::format("{} uses it from now on (--no-tuned ignores it)", program)
                                : fmt::format("{} uses it with --tuned {}", program, one_line(file.string()));
    print("{} kept in {}: {}\n", best.options.empty() ? "The defaults are" : "The best is", one_line(file.string()),
          how);
  }

  const TuneOptions& options_;
  const Clock::time_point start_ = Clock::now();  ///< the budget starts here and includes steps and reference
  SignalWatch signals_;
  Progress progress_;
  ProbedProgram probed_;
  PlanRun run_;              ///< without options; with steps only if the program takes them
  PlanCase source_;          ///< the case asked for
  std::string device_name_;  ///< the program's name for it; "" if it has none
  ShapeLimits limits_ = {};  ///< of the device, if there are work-groups
  int repeats_ = 1;          ///< timed runs that count as one, if a single one is too short
  Launcher launcher_;
  const std::string host_ = provenance_now().host;
  std::optional<Store> store_;
  std::optional<Cases> cases_;
  std::optional<Runner> runner_;
  std::optional<Record> record_;  ///< from the newest run that has one
};

}  // namespace

int tune_command(const TuneOptions& options) { return TuneCommand(options).execute(); }

}  // namespace boltzmark
