#include "analysis/tune/tune_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "analysis/run/oracle.hpp"
#include "analysis/support/json_reader.hpp"
#include "analysis/support/progress.hpp"
#include "analysis/support/table.hpp"
#include "analysis/tune/preparation.hpp"
#include "analysis/tune/tune_output.hpp"
#include "common/base/error.hpp"
#include "common/run/tuned.hpp"

namespace boltzmark {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int table_width = 120;  // unless the terminal has more

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Launcher launcher_for(const TuneOptions& options) {
  Launcher launcher;
  if (!options.launcher.empty()) launcher.command = options.launcher;
  launcher.arguments = options.launcher_arguments;
  check_launcher(launcher, "--launcher");
  return launcher;
}

/// "0.6123 s" or how it ended instead.
std::string outcome_of(const Trial& trial) {
  const std::string seconds = trial.seconds ? significant(*trial.seconds, 4) + " s" : "";
  switch (trial.end) {
    case Trial::End::measured:
      return seconds;
    case Trial::End::stopped:
      return fmt::format("stopped: {}{}{}", seconds, seconds.empty() ? "" : ", ", trial.reason);
    case Trial::End::skipped:
      return "skipped: " + trial.reason;
    case Trial::End::wrong:
      return "wrong: " + trial.reason;
    case Trial::End::failed:
      break;
  }
  return "failed: " + trial.reason;
}

/// One call of the command: a stage a function, in the order of `execute`.
class TuneCommand {
 public:
  explicit TuneCommand(const TuneOptions& options)
      : options_(options), progress_(Progress::style_for(options.quiet)), setup_(setup_for()) {}

  int execute() {
    if (signals_.stopped_by() != 0) return stopped();
    Store store(options_.results, options_.fresh, tuning_file);
    for (const auto& complaint : store.complaints()) fmt::print(stderr, "boltzmark: {}\n", complaint);
    if (!settle_setup(setup_, options_.steps.has_value(), store, signals_)) return stopped();
    const auto tunables = tunables_for(listed_, options_, setup_);
    if (!prepare_answer(store.folder())) return stopped();
    Trials trials(setup_, store, signals_);
    const SearchResult result = search_for(tunables, trials);
    progress_.clear();
    if (signals_.stopped_by() != 0) return stopped();
    const Trial* const defaults = result.defaults();
    if (!result.best() && defaults) complain_about(*defaults);
    const int width = std::max(table_width, terminal_width(STDOUT_FILENO, table_width));
    fmt::print("{}", tune_text(result, setup_, width));
    if (result.best()) keep(*result.best());
    fmt::print("Data: {}; `boltzmark report --results {}` draws them\n",
               (store.folder() / tuning_file).string(), store.folder().string());
    return result.count(Trial::End::wrong) + result.count(Trial::End::failed) == 0 ? 0 : 1;
  }

 private:
  TrialSetup setup_for() {
    TrialSetup setup;
    setup.launcher = launcher_for(options_);
    PlanProblem source = find_problem(options_.problem);
    source.steps = options_.steps;
    Plan plan;
    plan.problems = {source};
    setup.problem = load_problems(plan);
    setup.probed = find_tuned_model(options_.model, signals_);
    const Abilities& can = setup.probed.abilities;
    const auto refuse = [&](const char* option, bool given, bool taken) {
      if (given && !taken) throw bad_input("{}: {} does not take it", option, options_.model);
    };
    refuse("--device", !options_.device.empty(), can.takes_device);
    refuse("--threads", options_.threads.has_value(), can.takes_threads);
    refuse("--ranks", options_.ranks.has_value(), setup.probed.model.launcher);
    listed_ = ask_tunables(setup.probed.model, options_.device, signals_);
    setup.variant = options_.variant;
    setup.precision = options_.precision;
    setup.device = options_.device;
    setup.device_name = text_at(listed_, "/device/name");
    setup.threads = options_.threads;
    setup.ranks = options_.ranks;
    setup.time_limit_seconds = options_.time_limit_seconds;
    setup.limits = limits_in(listed_);
    if (!setup.variant.empty())
      if (const std::string lacks = can.lacks(setup.variant, setup.precision); !lacks.empty())
        throw bad_input("--variant: {} has {}", options_.model, lacks);
    return setup;
  }

  /// The right answer, before any timing. False when stopped.
  bool prepare_answer(const fs::path& results) {
    const ScheduledProblem& problem = setup_.problem.front();
    if (has_answer(answers_in(results), problem)) return true;
    progress_.say(fmt::format("the right answer in double precision for {}, {} steps, kept for later runs",
                              problem.problem.name, problem.steps));
    const bool whole = compute_answers(
        answers_in(results), {&problem}, 1, signals_,
        [&](int, double elapsed) { progress_.show(fmt::format("right answer: {}", duration(elapsed))); });
    progress_.clear();
    return whole;
  }

  SearchResult search_for(const std::vector<Tunable>& tunables, Trials& trials) {
    const std::size_t size = search_size(tunables, options_.all);
    const auto start = Clock::now();
    std::size_t number = 0;
    return search(
        tunables, options_.all,
        [&](const TunedOptions& options, std::optional<double> best) -> std::optional<Trial> {
          const bool known = trials.is_known(options);
          if (options_.budget_seconds && !known && !options.empty() &&
              seconds_since(start) > *options_.budget_seconds)
            return {};
          const std::string what = fmt::format("[{}/{}] {}", ++number, size, options_words(options));
          auto trial = trials.make(options, best, [&](double elapsed) {
            progress_.show(fmt::format("{}: {}", what, duration(elapsed)));
          });
          if (trial)
            progress_.done(fmt::format("{}: {}{}", what, outcome_of(*trial), known ? " (known)" : ""));
          return trial;
        });
  }

  /// Without a right result of the defaults there is nothing to compare with.
  [[noreturn]] void complain_about(const Trial& defaults) const {
    const auto status =
        defaults.end == Trial::End::wrong ? ExitStatus::wrong_result : ExitStatus::unavailable;
    throw Error(status, fmt::format("{} {} with its defaults: {}", options_.model, setup_.variant,
                                    outcome_of(defaults)));
  }

  void keep(const Trial& best) const {
    if (!setup_.probed.abilities.takes_tuned) {
      fmt::print("{} keeps no tuned options; give it these yourself: {}\n", options_.model,
                 options_words(best.options));
      return;
    }
    const fs::path file = options_.tuned.empty() ? default_tuned_file() : options_.tuned;
    const Parameters& p = setup_.problem.front().problem.parameters;
    keep_tuned(file,
               {.model = options_.model,
                .device = setup_.device_name,
                .variant = setup_.variant,
                .precision = setup_.precision,
                .nx = p.nx,
                .ny = p.ny},
               best.options, *best.seconds);
    const std::string how =
        options_.tuned.empty() ? fmt::format("{} uses it from now on (--no-tuned ignores it)", options_.model)
                               : fmt::format("{} uses it with --tuned {}", options_.model, file.string());
    fmt::print("The best is kept in {}: {}\n", file.string(), how);
  }

  int stopped() {
    progress_.clear();
    std::string again = options_.command_line;
    if (const auto at = again.find(" --fresh"); at != again.npos)
      again.erase(at, std::string(" --fresh").size());
    fmt::print(stderr, "boltzmark: stopped; what was measured is kept in {}; to go on: {}\n",
               (options_.results / tuning_file).string(), again);
    return 128 + signals_.stopped_by();
  }

  const TuneOptions& options_;
  SignalWatch signals_;
  Progress progress_;
  nlohmann::json listed_;  ///< the model's tunables
  TrialSetup setup_;
};

}  // namespace

int tune_command(const TuneOptions& options) { return TuneCommand(options).execute(); }

}  // namespace boltzmark
