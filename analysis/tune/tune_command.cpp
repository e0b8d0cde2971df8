#include "analysis/tune/tune_command.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>

#include "analysis/roofline/comparison_text.hpp"
#include "analysis/run/lbm_cases.hpp"
#include "analysis/support/json_reader.hpp"
#include "analysis/support/progress.hpp"
#include "analysis/support/table.hpp"
#include "analysis/tune/preparation.hpp"
#include "analysis/tune/tune_output.hpp"
#include "common/base/clock.hpp"
#include "common/base/error.hpp"
#include "common/base/print.hpp"
#include "common/base/text.hpp"
#include "common/run/tuned.hpp"

namespace boltzmark {
namespace {

namespace fs = std::filesystem;

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
    for (const auto& complaint : store.complaints()) print_note("boltzmark", complaint);
    if (!choose_setup(setup_, options_, store, signals_)) return stopped();
    Trials trials(setup_, store, signals_);
    const auto tunables = tunables_for(options_, setup_, dimension_of(trials.of()));
    if (!prepare_answer(store.folder(), trials.of())) return stopped();
    const SearchResult result = search_for(tunables, trials);
    progress_.clear();
    if (signals_.stopped_by() != 0) return stopped();
    const Trial* const defaults = result.defaults();
    if (!result.best() && defaults) complain_about(*defaults);
    print("{}", tune_text(result, setup_, trials.record(), table_width()));
    if (result.best() && trials.record()) keep(*result.best(), *trials.record());
    print("Data: {}; `boltzmark report --results {}` draws them\n", (store.folder() / tuning_file).string(),
          store.folder().string());
    return result.count(Trial::End::wrong) + result.count(Trial::End::failed) == 0 ? 0 : 1;
  }

 private:
  TrialSetup setup_for() {
    TrialSetup setup;
    setup.launcher = launcher_for(options_);
    setup.source = find_case(options_.workload, options_.words);
    setup.probed = find_tuned_program(options_, signals_);
    const auto refuse = [&](const char* option, bool given, bool taken) {
      if (given && !taken) throw bad_input("{}: {} does not take it", option, options_.model);
    };
    refuse("--device", !options_.device.empty(), setup.probed.takes("device"));
    refuse("--threads", options_.threads.has_value(), setup.probed.takes("threads"));
    refuse("--steps", options_.steps.has_value(), setup.probed.takes("steps"));
    refuse("--ranks", options_.ranks.has_value(), setup.probed.program.launcher);
    const nlohmann::json& limits = setup.probed.description.limits;
    setup.variant = options_.variant;
    setup.precision = options_.precision;
    setup.device = options_.device;
    if (limits.is_object()) setup.device_name = text_at(limits, "/name");
    setup.threads = options_.threads;
    setup.ranks = options_.ranks;
    setup.time_limit_seconds = options_.time_limit_seconds;
    setup.limits = limits_in(limits);
    if (const std::string why = lacks(setup.probed.description, setup.variant, setup.precision); !why.empty())
      throw bad_input("--variant: {} has {}", options_.model, why);
    if (setup.probed.takes("no-tuned")) expect_place_for_tuned(tuned_file());  // better than after the search
    return setup;
  }

  fs::path tuned_file() const { return options_.tuned.empty() ? default_tuned_file() : options_.tuned; }

  /// The right answer, before any timing. False when stopped.
  bool prepare_answer(const fs::path& results, const Case& one) {
    const lbm::AnswerState state = state_of_answer(answers_in(results), one);
    if (state == lbm::AnswerState::whole) return true;
    if (state == lbm::AnswerState::damaged) progress_.say(damaged_answer(answers_in(results), one));
    if (const std::string why = no_answer(one); !why.empty()) throw unavailable("{}: {}", one.name, why);
    progress_.say(fmt::format("the right answer in double precision for {}, {}, kept for later runs",
                              one.name, counted(one.steps, "step")));
    const bool whole = compute_answers(answers_in(results), {&one}, 1, signals_, [&](int, double elapsed) {
      progress_.show(fmt::format("right answer: {}", duration(elapsed)));
    });
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

  void keep(const Trial& best, const Record& record) const {
    const std::string program = setup_.probed.program.path.filename().string();
    if (!setup_.probed.takes("no-tuned")) {
      print("{} keeps no tuned options; give it these yourself: {}\n", program, options_words(best.options));
      return;
    }
    const fs::path file = tuned_file();
    keep_tuned(file,
               {.workload = options_.workload,
                .model = options_.model,
                .device = setup_.device_name,
                .variant = setup_.variant,
                .precision = setup_.precision,
                .size = record.case_.size},
               best.options, *best.seconds);
    const std::string how = options_.tuned.empty()
                                ? fmt::format("{} uses it from now on (--no-tuned ignores it)", program)
                                : fmt::format("{} uses it with --tuned {}", program, file.string());
    print("The best is kept in {}: {}\n", file.string(), how);
  }

  int stopped() {
    progress_.clear();
    std::string again = options_.command_line;
    if (const auto at = again.find(" --fresh"); at != again.npos)
      again.erase(at, std::string(" --fresh").size());
    print_note("boltzmark", fmt::format("stopped; what was measured is kept in {}; to go on: {}",
                                        (options_.results / tuning_file).string(), again));
    return 128 + signals_.stopped_by();
  }

  const TuneOptions& options_;
  SignalWatch signals_;
  Progress progress_;
  TrialSetup setup_;
};

}  // namespace

int tune_command(const TuneOptions& options) { return TuneCommand(options).execute(); }

}  // namespace boltzmark
