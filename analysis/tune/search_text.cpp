#include <fmt/format.h>

#include "analysis/support/terminal.hpp"
#include "analysis/tune/tune.hpp"
#include "common/base/text.hpp"

namespace boltzmark {

std::string search_text(const SearchResult& result, const std::optional<Record>& record, std::optional<int> steps,
                        bool is_better, int width) {
  // Unit of the rate and amount of work per run. None if a run has several parts.
  const bool has_rate = record && record->parts.empty() && !record->metrics.empty();
  const Metric rate = has_rate ? record->metrics.front() : Metric();
  const double amount = has_rate ? rate.value.value_or(0.0) * record->compute_seconds : 0.0;
  std::string text;
  if (record)
    text = fmt::format("{}: {}{}; the fastest of three runs counts\n\n", record->case_.name,
                       fmt::join(record->case_.extent, " x "), steps ? ", " + counted(*steps, "step") : "");
  const Trial *const best = result.best(), *const defaults = result.defaults();
  if (best) {
    Table table({left(""), cut("options"), right("lowest\ns"), right(rate.unit), right("over\nbest"), left("")});
    const auto add_row = [&](const std::string& what, const Trial* trial) {
      if (!trial || !trial->seconds) return;
      table.add_row({what, options_words(trial->options), significant(*trial->seconds, 4),
                     has_rate ? significant(amount / *trial->seconds, 4) : "",
                     significant(*trial->seconds / *best->seconds, 3),
                     trial->end == Trial::End::stopped ? "stopped after one run" : ""});
    };
    add_row("best", best);
    add_row("default", defaults);
    add_row("worst", result.worst());
    for (const auto& [stage, trial] : best_of_stages(result)) add_row("best " + stage, trial);
    text += table.text(width) + '\n';
    if (defaults && defaults->seconds)
      text += fmt::format("The defaults take {} times as long as the best{}.\n",
                          significant(*defaults->seconds / *best->seconds, 4),
                          is_better ? "" : ", within its spread: the defaults are as good");
  }
  return text + counts_text(result);
}

}  // namespace boltzmark
