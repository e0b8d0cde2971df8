#include "analysis/tune/tune_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/support/table.hpp"
#include "common/base/text.hpp"
#include "common/run/record.hpp"

namespace boltzmark {
namespace {

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
    const auto same = std::find_if(stages.begin(), stages.end(),
                                   [&](const Trial* known) { return known->stage == trial.stage; });
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
  std::stable_sort(reasons.begin(), reasons.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (std::size_t k = 0; k < std::min(most_reasons, reasons.size()); ++k)
    text += fmt::format("  {} x {}\n", reasons[k].second, reasons[k].first);
  if (reasons.size() > most_reasons)
    text += fmt::format("  and {} other reasons\n", reasons.size() - most_reasons);
  return text;
}

std::string counts_text(const SearchResult& result) {
  const std::size_t tried =
      result.trials.size() - static_cast<std::size_t>(result.count(Trial::End::skipped));
  std::string text = fmt::format("{} tried, of these {} measured in full and {} stopped early; {} skipped",
                                 tried, result.count(Trial::End::measured), result.count(Trial::End::stopped),
                                 result.count(Trial::End::skipped));
  if (result.left > 0) text += fmt::format("; {} left untried at the end of the budget", result.left);
  text += '\n' + reasons_of(result, Trial::End::skipped);
  for (const auto& [end, word] :
       {std::pair(Trial::End::wrong, "wrong"), std::pair(Trial::End::failed, "failed")})
    if (const int count = result.count(end))
      text += fmt::format("{} {}:\n{}", count, word, reasons_of(result, end));
  return text;
}

}  // namespace

std::string options_words(const TunedOptions& options) {
  std::string words;
  for (const auto& [name, value] : options)
    words += fmt::format("{}--{} {}", words.empty() ? "" : " ", name, value);
  return words.empty() ? "defaults" : words;
}

std::string tune_text(const SearchResult& result, const TrialSetup& setup,
                      const std::optional<Record>& record, int width) {
  const Amount amount = amount_of(record);
  std::string text =
      fmt::format("{} {} {} {}{}\n", setup.source.workload, setup.probed.program.model, setup.variant,
                  setup.precision, setup.device_name.empty() ? "" : " on " + setup.device_name);
  if (record)
    text += fmt::format("{}: {}{}; the lowest of three runs counts\n\n", record->case_.name,
                        fmt::join(record->case_.extent, " x "),
                        setup.steps ? ", " + counted(*setup.steps, "step") : "");
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

}  // namespace boltzmark
