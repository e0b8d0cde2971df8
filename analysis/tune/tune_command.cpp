#include "analysis/support/commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/run/answers.hpp"
#include "analysis/support/progress.hpp"
#include "analysis/support/table.hpp"
#include "analysis/tune/trials.hpp"
#include "common/base/clock.hpp"
#include "common/base/error.hpp"
#include "common/base/print.hpp"
#include "common/base/text.hpp"
#include "common/run/tuned.hpp"

namespace boltzmark {
namespace {

const char* word_of(Trial::End end) {
  constexpr const char* words[] = {"measured", "stopped", "skipped", "wrong", "failed"};
  return words[static_cast<std::size_t>(end)];
}

/// "0.6123 s" or how it ended instead.
std::string outcome_of(const Trial& trial) {
  const std::string seconds = trial.seconds ? significant(*trial.seconds, 4) + " s" : "";
  if (trial.end == Trial::End::measured) return seconds;
  const bool has_time = trial.end == Trial::End::stopped && trial.seconds;
  return fmt::format("{}: {}{}", word_of(trial.end), has_time ? seconds + ", " : "", trial.reason);
}

/// "--reduction tree --work-group 32x4", or "defaults".
std::string options_words(const TunedOptions& options) {
  std::string words;
  for (const auto& [name, value] : options) words += fmt::format("{}--{} {}", words.empty() ? "" : " ", name, value);
  return words.empty() ? "defaults" : words;
}

constexpr std::size_t most_reasons = 8;

/// What a rate is made of: its unit, and how much of it there is in a run. None where a run has several parts.
struct Amount {
  std::string unit;
  double of_run = 0.0;
};

Amount amount_of(const std::optional<Record>& record) {
  if (!record || !record->parts.empty() || record->metrics.empty()) return {};
  const Metric& rate = record->metrics.front();
  return {rate.unit, rate.value.value_or(0.0) * record->compute_seconds};
}

void add_row(const std::string& what, const Trial* trial, double best, const Amount& amount, Table& table) {
  if (!trial || !trial->seconds) return;
  const bool once = trial->end == Trial::End::stopped;
  table.add_row({what, options_words(trial->options), number_cell(*trial->seconds, 4),
                 amount.unit.empty() ? Cell() : number_cell(amount.of_run / *trial->seconds, 4),
                 number_cell(*trial->seconds / best, 3), once ? "stopped after one run" : ""});
}

/// The fastest of every stage but the defaults, in the order of the search.
std::vector<const Trial*> best_of_stages(const SearchResult& result) {
  std::vector<const Trial*> stages;
  for (const Trial& trial : result.trials) {
    if (trial.options.empty() || trial.end != Trial::End::measured) continue;
    const auto same =
        std::find_if(stages.begin(), stages.end(), [&](const Trial* known) { return known->stage == trial.stage; });
    if (same == stages.end())
      stages.push_back(&trial);
    else if (*trial.seconds < *(*same)->seconds)
      *same = &trial;
  }
  return stages;
}

/// Why trials ended in this way, the most frequent reason first.
std::string reasons_of(const SearchResult& result, Trial::End end) {
  std::map<std::string, int> counts;
  for (const Trial& trial : result.trials)
    if (trial.end == end) ++counts[trial.reason];
  std::vector<std::pair<std::string, int>> reasons(counts.begin(), counts.end());
  std::stable_sort(reasons.begin(), reasons.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (std::size_t k = 0; k < std::min(most_reasons, reasons.size()); ++k)
    text += fmt::format("  {} x {}\n", reasons[k].second, reasons[k].first);
  if (reasons.size() > most_reasons) text += fmt::format("  and {} other reasons\n", reasons.size() - most_reasons);
  return text;
}

std::string counts_text(const SearchResult& result) {
  const std::size_t tried = result.trials.size() - static_cast<std::size_t>(result.count(Trial::End::skipped));
  std::string text = fmt::format("{} tried, of these {} measured in full and {} stopped early; {} skipped", tried,
                                 result.count(Trial::End::measured), result.count(Trial::End::stopped),
                                 result.count(Trial::End::skipped));
  if (result.left > 0) text += fmt::format("; {} left untried at the end of the budget", result.left);
  text += '\n' + reasons_of(result, Trial::End::skipped);
  for (const auto end : {Trial::End::wrong, Trial::End::failed})
    if (const int count = result.count(end))
      text += fmt::format("{} {}:\n{}", count, word_of(end), reasons_of(result, end));
  return text;
}

std::string tune_text(const SearchResult& result, const TrialSetup& setup, const std::optional<Record>& record,
                      int width) {
  const Amount amount = amount_of(record);
  const PlanRun& run = setup.run;
  std::string text = fmt::format("{} {} {} {}{}\n", run.workload, run.model, run.variant, run.precision,
                                 setup.device_name.empty() ? "" : " on " + setup.device_name);
  if (record)
    text += fmt::format("{}: {}{}; the lowest of three runs counts\n\n", record->case_.name,
                        fmt::join(record->case_.extent, " x "), run.steps ? ", " + counted(*run.steps, "step") : "");
  const Trial *const best = result.best(), *const defaults = result.defaults();
  if (best) {
    Table table({{""},
                 {"options", Align::left, true},
                 {"lowest\ns", Align::right},
                 {amount.unit, Align::right},
                 {"over\nbest", Align::right},
                 {""}});
    add_row("best", best, *best->seconds, amount, table);
    add_row("default", defaults, *best->seconds, amount, table);
    add_row("worst", result.worst(), *best->seconds, amount, table);
    for (const Trial* const trial : best_of_stages(result))
      add_row("best " + trial->stage, trial, *best->seconds, amount, table);
    text += table.text(width) + '\n';
    if (defaults && defaults->seconds)
      text += fmt::format("The defaults take {} times as long as the best.\n",
                          significant(*defaults->seconds / *best->seconds, 4));
  }
  return text + counts_text(result);
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
    setup.launcher.arguments = options_.launcher_arguments;
    if (!options_.launcher.empty()) setup.launcher.command = options_.launcher;
    check_launcher(setup.launcher, "--launcher");
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
    setup.run.workload = options_.workload;
    setup.run.model = options_.model;
    setup.run.variant = options_.variant;
    setup.run.precision = options_.precision;
    setup.run.device = options_.device;
    setup.run.threads = options_.threads;
    setup.run.ranks = options_.ranks;
    setup.run.warm_up = true;
    if (limits.is_object()) setup.device_name = limits.value("name", "");
    setup.time_limit_seconds = options_.time_limit_seconds;
    setup.limits = limits_in(limits);
    if (const std::string why = lacks(setup.probed.description, options_.variant, options_.precision); !why.empty())
      throw bad_input("--variant: {} has {}", options_.model, why);
    if (setup.probed.takes("no-tuned")) expect_place_for_tuned(tuned_file());  // better than after the search
    return setup;
  }

  fs::path tuned_file() const { return options_.tuned.empty() ? default_tuned_file() : options_.tuned; }

  /// The right answer, before any timing. False when stopped.
  bool prepare_answer(const fs::path& results, const Case& one) {
    const auto missing = without_answer(results, {&one});
    if (const std::string why = no_answer(one); !missing.empty() && !why.empty())
      throw unavailable("{}: {}", one.name, why);
    return compute_answers(results, missing, signals_, progress_);
  }

  SearchResult search_for(const std::vector<Tunable>& tunables, Trials& trials) {
    const std::size_t size = search_size(tunables, options_.all);
    const auto start = Clock::now();
    std::size_t number = 0;
    return search(
        tunables, options_.all, [&](const TunedOptions& options, std::optional<double> best) -> std::optional<Trial> {
          const bool known = trials.is_known(options);
          if (options_.budget_seconds && !known && !options.empty() && seconds_since(start) > *options_.budget_seconds)
            return {};
          const std::string what = fmt::format("[{}/{}] {}", ++number, size, options_words(options));
          auto trial = trials.make(
              options, best, [&](double elapsed) { progress_.show(fmt::format("{}: {}", what, duration(elapsed))); });
          if (trial) progress_.done(fmt::format("{}: {}{}", what, outcome_of(*trial), known ? " (known)" : ""));
          return trial;
        });
  }

  /// Without a right result of the defaults there is nothing to compare with.
  [[noreturn]] void complain_about(const Trial& defaults) const {
    const auto status = defaults.end == Trial::End::wrong ? ExitStatus::wrong_result : ExitStatus::unavailable;
    throw Error(status,
                fmt::format("{} {} with its defaults: {}", options_.model, setup_.run.variant, outcome_of(defaults)));
  }

  void keep(const Trial& best, const Record& record) const {
    const std::string program = setup_.probed.program.program;
    if (!setup_.probed.takes("no-tuned")) {
      print("{} keeps no tuned options; give it these yourself: {}\n", program, options_words(best.options));
      return;
    }
    const fs::path file = tuned_file();
    keep_tuned(file,
               {.workload = options_.workload,
                .model = options_.model,
                .device = setup_.device_name,
                .variant = setup_.run.variant,
                .precision = setup_.run.precision,
                .size = record.case_.size},
               best.options, *best.seconds);
    const std::string how = options_.tuned.empty()
                                ? fmt::format("{} uses it from now on (--no-tuned ignores it)", program)
                                : fmt::format("{} uses it with --tuned {}", program, file.string());
    print("The best is kept in {}: {}\n", file.string(), how);
  }

  int stopped() {
    return end_stopped(
        progress_, signals_,
        fmt::format("stopped; what was measured is kept in {}; to go on: {}", (options_.results / tuning_file).string(),
                    without_option(options_.command_line, "--fresh")));
  }

  const TuneOptions& options_;
  SignalWatch signals_;
  Progress progress_;
  TrialSetup setup_;
};

}  // namespace

int tune_command(const TuneOptions& options) { return TuneCommand(options).execute(); }

}  // namespace boltzmark
