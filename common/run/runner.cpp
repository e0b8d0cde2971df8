#include "common/base/clock.hpp"
#include "common/run/workload.hpp"

#include <dlfcn.h>

#include <csignal>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "common/base/files.hpp"
#include "common/base/ranges.hpp"
#include "common/base/statistics.hpp"
#include "common/base/text.hpp"
#include "common/cpu/processors.hpp"
#include "common/run/describe.hpp"
#include "common/run/energy.hpp"
#include "common/run/runs.hpp"
#include "common/run/stages.hpp"
#include "common/run/tuned.hpp"

namespace boltzmark {

void Team::abort(int status) {
  if (others_follow) throw RunEnded{status};
  std::exit(status);
}

namespace {

/// One call from start to end: a function per stage, in the order of `execute`.
class Runner {
 public:
  Runner(const Program& program, Workload& workload, Team& team, Options options, std::string command)
      : program_(program),
        workload_(workload),
        team_(team),
        stages_(program_name(program, workload), team),
        options_(std::move(options)),
        command_(std::move(command)) {}

  int execute() {
    if (options_.only_lists()) return list();
    record_.provenance = provenance_now();
    if (options_.counters) counters_.emplace();
    // Every rank reads the same files and finds the same fault; the lowest one reports it.
    if (const int status = stages_.together([this] { load(); })) return status;
    const RepeatRule rule = workload_.repeats();
    record_.warm_up_runs = options_.repeat || options_.seconds > 0.0 || rule.always_warms_up ? 1 : 0;
    for (int i = -record_.warm_up_runs; !is_done_; ++i)
      if (const int status = run_once(i, rule)) return status;
    stages_.alone([this] { time_launches(); });
    return team_.is_root() ? finish() : 0;
  }

 private:
  int list() {
    const auto failure = attempt([this] {
      if (!team_.is_root()) return;
      if (options_.list_variants) print_text(stdout, variant_list(program_));
      if (options_.list_devices) print_text(stdout, device_list(program_));
      if (options_.describe) print("{}\n", json_line(nlohmann::json(describe(program_, workload_, options_)), 1));
    });
    if (failure.status) print_error(name(), failure.line);
    return failure.status;
  }

  void load() {
    workload_.load(options_, team_);
    options_.has_default_variant = options_.variant.empty();
    if (options_.has_default_variant) options_.variant = workload_.default_variant(options_);
    take_tuned();
    check_variant(options_, program_);  // the default may lack the requested options
    workload_.prepare(options_, team_);
  }

  /// Options that a tuner found for this device, size, variant and precision, unless the user gives them.
  void take_tuned() {
    if (options_.tuned.empty()) return;
    tuned_ =
        find_tuned(options_.tuned, {.workload = workload_.name(),
                                    .model = program_.model,
                                    .device = std::get<std::string>(program_.device_limits(options_).at("name").value),
                                    .variant = options_.variant,
                                    .precision = to_string(options_.precision),
                                    .size = workload_.size()});
    for (const auto& [option, text] : tuned_) set_if_unset(options_, program_, option, text);
  }

  /// Whether this timed run is the last: all ranks have the same seconds and therefore agree.
  bool is_last(int number, const RepeatRule& rule, double seconds) {
    if (number < 0) return false;
    timed_seconds_ += seconds;
    const int done = number + 1;
    return done >= options_.repeat.value_or(rule.usual) && (timed_seconds_ >= options_.seconds || done >= rule.most);
  }

  int run_once(int number, const RepeatRule& rule) {
    Timing timing;
    const bool is_first = number == -record_.warm_up_runs;
    if (is_first || rule.restarts) {
      team_.barrier();
      const auto start = Clock::now();
      if (const int status = stages_.together([this] { workload_.init(options_, team_); })) return status;
      team_.barrier();
      timing.init_seconds = seconds_since(start);
    }
    if (is_first) {
      // Check the output paths here: the run is known to be possible and nothing has been timed.
      if (const int status = stages_.together([this] { expect_output(); })) return status;
      warn();
    }
    stages_.alone([&] {
      if (!energy_) energy_.emplace(energy_of(workload_.facts()));
      if (!environment_) {
        environment_.emplace(workload_.facts());
        record_.environment = environment_->read();
      }
      // Ahead of the warm-ups, for meanwhile caches and devices go cold.
      if (number >= 0) environment_->begin();
      // A long run needs none: a cold start costs it little.
      const int warm_ups = is_first || last_seconds_ > 0.05 ? 0 : rule.warm_ups;
      for (int run = 0; run < warm_ups; ++run) workload_.run(team_);
      workload_.spoil();
      if (counters_) counters_->begin();
      energy_->begin();
      if (wake_device) wake_device();
      const Calls before = calls;
      const std::vector<double> parts = workload_.run(team_);
      if (const Calls made = calls - before; made.launches > 0) record_.calls = made;
      last_seconds_ = timing.compute_seconds = std::accumulate(parts.begin(), parts.end(), 0.0);
      if (number >= 0) energy_->end(timing.compute_seconds);
      if (number >= 0 && counters_) counters_->end(team_);
      is_done_ = is_last(number, rule, timing.compute_seconds);
      if (number >= 0) environment_->end(team_, timing.compute_seconds, is_done_);
      workload_.confirm();
      timing.collate_seconds = check(number);
      facts_ = workload_.facts();
      if (number < 0) return;
      record_.repeats.push_back(timing);
      if (parts.size() == 1) return;
      record_.parts.resize(parts.size());
      for (std::size_t part = 0; part < parts.size(); ++part) record_.parts[part].seconds.push_back(parts[part]);
    });
    return 0;
  }

  /// Returns the seconds in which the results were collected, of the last run that is checked.
  double check(int number) {
    const bool shows_all = workload_.checks().last_shows_all;
    if (shows_all ? !is_done_ : !is_checked(number, is_done_, check_seconds_)) {
      unchecked_ += !shows_all;
      return collate_seconds_;
    }
    const auto start = Clock::now();
    workload_.collect(team_);
    collate_seconds_ = seconds_since(start);
    workload_.check(options_, team_, is_done_);
    check_seconds_ = team_.largest(check_seconds_ + seconds_since(start));  // all ranks decide alike
    return collate_seconds_;
  }

  /// The least time of a launch of the run, in its model's runtime.
  void time_launches() {
    constexpr int tries = 5, many = 50;
    const auto least = [](int kernels) {
      double seconds = std::numeric_limits<double>::infinity();
      for (int i = 0; i < tries; ++i) {
        const auto start = Clock::now();
        small_kernels(kernels);
        seconds = std::min(seconds, seconds_since(start));
      }
      return seconds;
    };
    if (!record_.calls || !small_kernels) return;
    small_kernels(many);
    record_.calls->wait_seconds = least(1);
    record_.calls->launch_seconds = std::max(0.0, least(many) - record_.calls->wait_seconds) / (many - 1);
  }

  void expect_output() const {
    if (!team_.is_root()) return;
    workload_.expect_output();
    if (!options_.json.empty()) expect_writable(options_.json);
  }

  void warn() const {
    const std::string line = program_.warning ? program_.warning(options_) : "";
    if (!line.empty() && !options_.quiet && team_.is_root()) print_warning(name(), line);
  }

  /// Writes and reports the results of the last repeat.
  int finish() {
    const auto failure = attempt([this] {
      fill_record();
      workload_.write();
      if (!options_.json.empty()) append_line(options_.json, json_line(nlohmann::json(record_.thinned())));
    });
    if (failure.status) {
      print_error(name(), failure.line);
      return failure.status;
    }
    if (!options_.quiet) report();
    if (const std::string complaint = workload_.complaint(); !complaint.empty()) {
      print_error(name(), complaint);
      return static_cast<int>(ExitStatus::wrong_result);
    }
    const Check& check = record_.check;
    if (check.passed.value_or(true)) return 0;
    print_error(name(), "the result is wrong: " + check.worst_words());
    return static_cast<int>(ExitStatus::wrong_result);
  }

  void fill_record() {
    Record& r = record_;
    r.environment.repeats = environment_->repeats();
    r.workload = workload_.name();
    r.model = program_.model;
    r.variant = facts_.variant.empty() ? options_.variant : facts_.variant;
    if (const Variant* const ran = program_.variant(r.variant)) r.role = to_string(ran->role);
    r.precision = to_string(options_.precision);
    r.device = facts_.device;
    r.device_type = facts_.device_type;
    r.driver = facts_.driver;
    r.threads = facts_.threads;
    r.ranks = facts_.ranks;
    r.write_allocate = facts_.write_allocate;
    r.asked = options_.asked;
    r.settings = json_of(facts_.settings);
    if (!tuned_.empty()) r.settings["tuned"] = tuned_;
    r.compute_seconds = r.median_timing().compute_seconds;
    r.energy = energy_->record();
    if (counters_) r.counters = counters_->record(facts_);
    r.work.bytes_per_update = facts_.bytes_per_update;
    r.work.flops_per_update = facts_.flops_per_update;
    r.work.operations_per_update = facts_.operations_per_update;
    r.work.steps_per_launch = facts_.steps_per_launch;
    r.provenance.command = command_;
    workload_.fill(r);
    if (r.check.against == "oracle") r.check.against = "reference";
    if (unchecked_ > 0) r.check.repeats = std::ssize(r.repeats) - unchecked_;
    r.work.traffic = facts_.traffic;
    if (r.work.traffic.empty()) {
      const double fetched = facts_.write_allocate ? facts_.fetched_per_update : 0.0;
      r.work.traffic = {{"data", r.work.bytes_held, r.work.bytes_per_update + fetched}};
    }
    r.case_.size = workload_.size();
  }

  void report() const {
    const Record& r = record_;
    print("program:\t{}, variant {}{}, {}, {}{}\n", r.model, r.variant,
          options_.has_default_variant ? " (default)" : "", r.precision,
          r.ranks == 1 ? "" : counted(r.ranks, "rank") + " x ",
          r.threads == 0 ? "as many threads as the device decides" : counted(r.threads, "thread"));
    print("device:\t\t{}\n", r.device);
    print_text(stdout, workload_.case_lines(r));
    const Metric& rate = r.metrics.front();
    print("rate:\t\t{:.{}f} {}", rate.value.value_or(0.0), rate.value.value_or(0.0) < 10.0 ? 3 : 1, rate.unit);
    if (r.work.bytes_per_update == 0.0)
      print(", {:.2f} GFLOP/s at {:.4g} FLOPs per {}",
            1e-9 * r.work.updates * r.work.flops_per_update / r.compute_seconds, r.work.flops_per_update,
            r.work.update);
    else if (!rate.unit.starts_with("GB/s"))
      print(", {:.2f} GB/s at {:.0f} bytes per {}", r.gb_per_s(), r.work.bytes_per_update, r.work.update);
    print("\n");
    if (r.repeats.size() > 1 && r.parts.empty()) {
      print("compute (s):\t");
      for (const Timing& repeat : r.repeats) print("{:.6f} ", repeat.compute_seconds);
      print("(rate: of their median)\n");
    }
    const auto is_disturbed = [](const RepeatState& one) { return !one.disturbed.empty(); };
    if (const auto disturbed = std::ranges::count_if(r.environment.repeats, is_disturbed); disturbed > 0)
      print("disturbed:\t{} of {}: {}\n", disturbed, counted(std::ssize(r.environment.repeats), "repeat"),
            std::ranges::find_if(r.environment.repeats, is_disturbed)->disturbed);
    if (!r.energy.joules.empty()) {
      const double joules = median(r.energy.joules);
      print("energy:\t\t{:.4g} J, {:.1f} W, {:.4g} {}s per joule ({})\n", joules, joules / r.compute_seconds,
            r.work.updates / joules, r.work.update, r.energy.counter);
    }
    if (r.counters) print_text(stdout, counters_line());
    print_text(stdout, check_line());
    print_text(stdout, workload_.closing_lines(r));
  }

  std::string counters_line() const {
    const WorkRecord& work = record_.work;
    const auto words = [&](const std::vector<double>& found, const std::string& why_not, double of_update,
                           const char* unit) {
      if (found.empty()) return fmt::format("{}: not counted: {}", unit, why_not);
      return fmt::format("{:.4g} {} of a repeat, {:.4g} by the algorithm", median(found), unit,
                         of_update * work.updates);
    };
    const CounterRecord& c = *record_.counters;
    return fmt::format("counters:\t{}\n\t\t{}\n", words(c.bytes, c.why_no_bytes, work.bytes_per_update, "bytes"),
                       words(c.flops, c.why_no_flops, work.flops_per_update, "FLOPs"));
  }

  std::string check_line() const {
    const Check& check = record_.check;
    if (!check.passed) return "check:\t\tnot checked\n";
    const auto words = [](const Deviation& d) {
      return d.of + (d.value ? fmt::format(" {:.2e}", *d.value) : " is not a number");
    };
    return fmt::format(
        "check:\t\t{} against {}: {} (allowed {:.0e}){}{}\n", *check.passed ? "right" : "WRONG", check.against,
        joined(check.deviations, ", ", words), check.tolerance,
        check.extent ? "; checked " + check.extent->words() : "",
        check.repeats ? fmt::format(", after {} of {} repeats", *check.repeats, record_.repeats.size()) : "");
  }

  std::string name() const { return program_name(program_, workload_); }

  const Program& program_;
  Workload& workload_;
  Team& team_;
  Stages stages_;
  Options options_;
  std::string command_;
  TunedOptions tuned_;  ///< found for this run
  RunFacts facts_;
  std::optional<EnergyMeter> energy_;
  std::optional<EnvironmentReader> environment_;
  std::optional<HardwareCounters> counters_;
  Record record_;
  double timed_seconds_ = 0.0;    ///< of all timed runs so far
  bool is_done_ = false;          ///< the last one is done
  double last_seconds_ = 0.0;     ///< of the run before
  double collate_seconds_ = 0.0;  ///< of the last collected results
  double check_seconds_ = 0.0;    ///< of all checks so far, with that of collecting
  std::int64_t unchecked_ = 0;    ///< timed runs
};

/// Work is divided for the initial number of threads, which must not fall when the load rises (OMP_DYNAMIC). A program
/// without an OpenMP runtime has no such function.
void keep_teams_whole() {
  if (const auto set_dynamic = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "omp_set_dynamic"))) set_dynamic(0);
}

std::string command_line(int argc, char** argv) { return join({argv, argv + argc}, " "); }

}  // namespace

std::string program_name(const Program& program, const Workload& workload) {
  std::string text = workload.name() + '-' + program.model;
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

int run_main(int argc, char** argv, const Program& program, Workload& workload, Team& team) {
  flush_denormals();
  keep_teams_whole();
  // A file-size limit then reads like a full disk: a failed write, not a killed process.
  std::signal(SIGXFSZ, SIG_IGN);
  const std::string command = command_line(argc, argv), name = program_name(program, workload);
  ParsedCommandLine parsed;
  const Failure failure = attempt([&] { parsed = parse_command_line(argc, argv, program, workload); });
  int status = failure.status;
  if (failure.status) {
    if (team.is_root()) print_error(name, failure.line);
  } else if (parsed.stop) {
    if (team.is_root()) print_text(stdout, parsed.text);
  } else {
    status = Runner(program, workload, team, std::move(parsed.options), command).execute();
  }
  if (team.is_root() && !flush_output()) {
    print_error(name, "standard output: expected to write all of it, found that some was lost");
    status = std::max(status, static_cast<int>(ExitStatus::bad_input));
  }
  return status;
}

}  // namespace boltzmark
