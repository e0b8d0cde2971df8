// The one main of all models: parse, load, init, run, collect, check, write, report.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "common/check.hpp"
#include "common/cpu/denormals.hpp"
#include "common/image.hpp"
#include "common/memory.hpp"
#include "common/model.hpp"
#include "common/output.hpp"
#include "common/provenance.hpp"
#include "common/record.hpp"
#include "common/reference.hpp"
#include "common/stages.hpp"
#include "common/stream/stream_run.hpp"
#include "common/tunables.hpp"
#include "common/tuned.hpp"

namespace boltzmark {

void Team::abort(int status) { std::exit(status); }

namespace {

/// What one repeat leaves behind; state and averages are filled on the root rank.
struct Repeat {
  Timing timing;
  std::vector<double> av_vels;
  State state;
};

/// The life of one call: a stage a function, in the order of `execute`.
class Run {
 public:
  Run(const Backend& backend, Team& team, Options options, std::string command)
      : backend_(backend),
        team_(team),
        stages_(backend, team),
        options_(std::move(options)),
        command_(std::move(command)) {}

  int execute() {
    if (options_.list_variants || options_.list_devices || options_.list_tunables) return list();
    const auto started = provenance_now();
    // Every rank reads the same files, so every rank finds the same fault; the lowest one says it.
    if (const int status = stages_.together([this] { load(); })) return status;
    const int repeats = options_.repeat.value_or(1);
    warm_up_runs_ = options_.repeat ? 1 : 0;
    for (int i = -warm_up_runs_; i < repeats; ++i) {
      Repeat repeat;
      if (const int status = run_once(repeat, i == -warm_up_runs_)) return status;
      if (i < 0) continue;
      timings_.push_back(repeat.timing);
      if (team_.is_root()) check(repeat);
      last_ = std::move(repeat);
    }
    return team_.is_root() ? finish(started) : 0;
  }

 private:
  int list() {
    const auto failure = attempt([this] {
      if (!team_.is_root()) return;
      if (options_.list_variants)
        for (const auto& variant : backend_.variants) {
          std::string precisions;
          for (const auto p : variant.precisions)
            precisions += (precisions.empty() ? "" : ",") + to_string(p);
          fmt::print("{}\t{}\t{}\t{}\n", variant.name, precisions, variant.summary,
                     own_options_of(backend_, variant.name));
        }
      if (options_.list_tunables) fmt::print("{}\n", list_tunables(backend_, options_).dump(1));
      int number = 0;
      if (options_.list_devices)
        for (const auto& device : backend_.devices())
          fmt::print("{}\t{}\t{}\t{}\n", number++, device.type, device.name, device.details);
    });
    if (failure.status) print_error(backend_, failure.line);
    return failure.status;
  }

  void load() {
    problem_ = load_problem(options_.params, options_.obstacles);
    steps_ = options_.steps.value_or(problem_.parameters.iterations);
    if (options_.variant.empty()) options_.variant = backend_.default_variant(problem_, options_);
    take_tuned();
    check_variant(options_, backend_);  // what was asked for may not be in the default
    backend_.make(options_);            // says early what this machine or this model cannot do
    if (!team_.is_root()) return;
    if (options_.check == "oracle")
      require_memory("the oracle", reference_bytes_a_cell * static_cast<double>(problem_.cells()));
    else if (!options_.check.empty())
      answer_ = read_answer(options_.check, problem_, steps_);
  }

  /// Options that a tuner found for this device, grid, variant and precision, where the user gives none.
  void take_tuned() {
    if (options_.tuned.empty()) return;
    const auto device = backend_.device_limits(options_);
    tuned_ = find_tuned(options_.tuned, {.model = backend_.name,
                                         .device = device.at("name"),
                                         .variant = options_.variant,
                                         .precision = to_string(options_.precision),
                                         .nx = problem_.parameters.nx,
                                         .ny = problem_.parameters.ny});
    for (const auto& [name, text] : tuned_) set_if_unset(options_, backend_, name, text);
  }

  int run_once(Repeat& repeat, bool is_first) {
    std::unique_ptr<Model> model;
    team_.barrier();
    auto start = Clock::now();
    if (const int status = stages_.together([&] {
          require_memory("the average velocities", sizeof(double) * static_cast<double>(steps_));
          repeat.av_vels.assign(static_cast<std::size_t>(steps_), 0.0);
          model = backend_.make(options_);
          model->init(problem_);
        }))
      return status;
    team_.barrier();
    repeat.timing.init = seconds_since(start);
    // Only now is it known that the run is possible, and not yet has any time been spent on it.
    if (const int status = stages_.together([&] {
          if (!team_.is_root()) return;
          if (needs_state())
            require_memory("the final state", State::bytes_a_cell * static_cast<double>(problem_.cells()));
          if (options_.write_output) prepare_folder(options_.out);
          for (const auto& file : {options_.json, options_.image})
            if (!file.empty()) expect_writable(file);
        }))
      return status;
    if (is_first) stages_.warn(options_);
    stages_.alone([&] {
      start = Clock::now();
      model->run(steps_, repeat.av_vels);
      team_.barrier();
      repeat.timing.compute = seconds_since(start);
      model->confirm();

      start = Clock::now();
      if (needs_state()) {
        if (team_.is_root()) repeat.state.resize(problem_.cells());
        model->collect(repeat.state);
        if (team_.is_root()) settle_obstacles(problem_, repeat.state);
      }
      repeat.timing.collate = seconds_since(start);
      facts_ = model->facts();
      if (!tuned_.empty()) facts_.extra["tuned"] = tuned_;
    });
    return 0;
  }

  /// Whether anything is made of the final state. It has 24 bytes a cell on one host, which the largest grids
  /// of several devices together do not leave room for.
  bool needs_state() const {
    return options_.write_output || !options_.check.empty() || !options_.image.empty();
  }

  /// Keeps the worst deviation of all repeats.
  void check(const Repeat& repeat) {
    if (options_.check.empty()) return;
    if (!answer_) answer_ = solve_reference(problem_, steps_);
    const Deviation found = compare(repeat.av_vels, repeat.state, *answer_);
    check_.against = options_.check;
    check_.tolerance = facts_.tolerance.value_or(tolerance(options_.precision));
    const bool worse = !check_.deviation || !found.finite ||
                       (check_.deviation->finite && found.largest() > check_.deviation->largest());
    if (worse) check_.deviation = found;
  }

  /// Writes and reports what the last repeat gave.
  int finish(const Provenance& started) {
    const auto failure = attempt([&] {
      write_results();
      if (!options_.json.empty()) append_line(options_.json, record(started).dump());
    });
    if (failure.status) {
      print_error(backend_, failure.line);
      return failure.status;
    }
    if (!options_.quiet) report();
    if (!std::isfinite(last_.av_vels.back())) {
      print_error(
          backend_,
          fmt::format("the run is unstable: the average velocity after step {} is no number", steps_ - 1));
      return static_cast<int>(ExitStatus::wrong_result);
    }
    if (check_.passed()) return 0;
    print_error(backend_,
                fmt::format("the result is wrong: it deviates by {:.2e} from {}, where {:.0e} is allowed",
                            check_.deviation->largest(), check_.against, check_.tolerance));
    return static_cast<int>(ExitStatus::wrong_result);
  }

  void write_results() {
    if (options_.write_output) {
      AtomicFile final_state(options_.out / "final_state.dat"), av_vels(options_.out / "av_vels.dat");
      write_final_state(final_state, problem_, last_.state);
      write_av_vels(av_vels, last_.av_vels);
      final_state.finish();  // both are whole before either takes its name
      av_vels.finish();
      final_state.commit();
      av_vels.commit();
    }
    if (!options_.image.empty()) write_speed_image(options_.image, problem_, last_.state);
  }

  nlohmann::json record(const Provenance& started) const {
    return make_record({.problem = problem_,
                        .backend = backend_,
                        .options = options_,
                        .steps = steps_,
                        .warm_up_runs = warm_up_runs_,
                        .facts = facts_,
                        .repeats = timings_,
                        .av_vel = last_.av_vels.back(),
                        .check = check_,
                        .provenance = started,
                        .command = command_});
  }

  void report() const {
    const Timing t = median(timings_);
    fmt::print("model:\t\t{} {} {}, {} rank{} x {} thread{}\n", backend_.name, options_.variant,
               to_string(options_.precision), facts_.ranks, facts_.ranks == 1 ? "" : "s", facts_.threads,
               facts_.threads == 1 ? "" : "s");
    fmt::print("device:\t\t{}\n", facts_.device);
    fmt::print("problem:\t{}, {} x {} cells, {} steps\n", problem_.name, problem_.parameters.nx,
               problem_.parameters.ny, steps_);
    const double rate = mlups(problem_, steps_, t.compute);
    fmt::print("rate:\t\t{:.1f} MLUPS, {:.2f} GB/s at {:.0f} bytes an update\n", rate,
               facts_.bytes_per_update * rate / 1e3, facts_.bytes_per_update);
    if (timings_.size() > 1) {
      fmt::print("compute (s):\t");
      for (const Timing& repeat : timings_) fmt::print("{:.6f} ", repeat.compute);
      fmt::print("(median below)\n");
    }
    if (check_.deviation)
      fmt::print("check:\t\t{} against {}: av_vels {:.2e}, speed {:.2e}, pressure {:.2e} (allowed {:.0e})\n",
                 check_.passed() ? "right" : "WRONG", check_.against, check_.deviation->av_vels,
                 check_.deviation->speed, check_.deviation->pressure, check_.tolerance);
    fmt::print("==done==\n");
    fmt::print("Reynolds number:\t\t{:.12E}\n", problem_.reynolds(last_.av_vels.back()));
    fmt::print("Elapsed Init time:\t\t\t{:.6f} (s)\n", t.init);
    fmt::print("Elapsed Compute time:\t\t\t{:.6f} (s)\n", t.compute);
    fmt::print("Elapsed Collate time:\t\t\t{:.6f} (s)\n", t.collate);
    fmt::print("Elapsed Total time:\t\t\t{:.6f} (s)\n", t.total());
  }

  const Backend& backend_;
  Team& team_;
  Stages stages_;
  Options options_;
  std::string command_;
  Problem problem_;
  TunedOptions tuned_;  ///< found for this run
  int steps_ = 0, warm_up_runs_ = 0;
  std::optional<Answer> answer_;
  CheckResult check_;
  RunFacts facts_;
  std::vector<Timing> timings_;
  Repeat last_;
};

std::string command_line(int argc, char** argv) {
  std::string line;
  for (int i = 0; i < argc; ++i) line += (i ? " " : "") + std::string(argv[i]);
  return line;
}

}  // namespace

int run_main(int argc, char** argv, const Backend& backend, Team& team) {
  flush_denormals();
  std::signal(
      SIGXFSZ,
      SIG_IGN);  // a file-size limit then reads like a full disk: a failed write, not a killed process
  const std::string command = command_line(argc, argv);
  ParsedCommandLine parsed;
  const Failure failure = attempt([&] { parsed = parse_command_line(argc, argv, backend); });
  if (failure.status || parsed.stop) {
    if (failure.status && team.is_root()) print_error(backend, failure.line);
    if (parsed.stop && team.is_root()) fmt::print("{}", parsed.text);
    return failure.status;
  }
  if (parsed.options.stream) return run_stream(backend, team, parsed.options, command);
  return Run(backend, team, std::move(parsed.options), command).execute();
}

int run_main(int argc, char** argv, const Backend& backend) {
  Team alone;
  return run_main(argc, argv, backend, alone);
}

}  // namespace boltzmark
