#include "analysis/compare/comparison.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "analysis/roofline/figures.hpp"
#include "analysis/roofline/row_text.hpp"
#include "analysis/summary/summary.hpp"
#include "analysis/support/commands.hpp"
#include "common/base/error.hpp"
#include "common/base/print.hpp"
#include "common/base/ranges.hpp"

namespace boltzmark {
namespace {

/// What rows that belong together have in common; on later levels less of it.
std::string common_key(const Row& row, int level) {
  const bool is_part = !row.part.empty();
  const std::string device_type = row.record ? row.record->device_type : "";
  return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}", row.key.workload, row.key.precision, row.key.model,
                     row.variant, row.setting, row.part, is_part && level > 1 ? "" : row.case_name,
                     is_part || level > 3 ? 1 : row.steps(), level < 3 ? device_type : "",
                     level < 2 ? fmt::format("{}x{}", row.ranks, row.threads) : "", level < 1 ? row.device : "");
}

ByName<std::pair<Rows, Rows>> groups(const Rows& reference, const Rows& other, int level) {
  ByName<std::pair<Rows, Rows>> all;
  for (const Row* row : reference) all[common_key(*row, level)].first.push_back(row);
  for (const Row* row : other) all[common_key(*row, level)].second.push_back(row);
  return all;
}

/// Why a pair cannot be compared; "" where it can.
std::string obstacle(const RowPair& pair) {
  if (!pair.reference) return "only in NEW";
  if (!pair.other) return "only in REF";
  const auto status = [](const Row* row) { return to_string(row->status); };
  if (!pair.other->is_done()) return status(pair.other) + (pair.reference->is_done() ? " in NEW" : "");
  if (!pair.reference->is_done()) return status(pair.reference) + " in REF";
  if (pair.any().part.empty() && pair.reference->case_digest() != pair.other->case_digest()) return "other case";
  return "";
}

std::vector<double> seconds_of_a_step(const Row& row) {
  auto seconds = row.round_seconds;
  for (double& one : seconds) one /= static_cast<double>(std::max<std::int64_t>(1, row.steps()));
  return seconds;
}

/// Right before, and now wrong, failed or out of time.
bool has_failed(const RowPair& pair) {
  return pair.reference && pair.other && pair.reference->is_done() && pair.other->status >= RunStatus::timeout;
}

std::string ratio_words(const Difference& found) {
  const std::string ratio = fmt::format("{:.3f}", found.ratio);
  return found.coverage > 0.0 ? fmt::format("{} ({:.3f}-{:.3f})", ratio, found.low, found.high) : ratio;
}

std::string rounds_words(const Row* row) { return row ? std::to_string(row->round_seconds.size()) : "-"; }

std::string p_words(double p) { return p < 1e-4 ? "<1e-4" : significant(p, 2); }

double share_in(const std::string& text) {
  const auto percent = text.ends_with('%') ? parse_number<double>(text.substr(0, text.size() - 1)) : std::nullopt;
  if (!percent || !(*percent >= 0.0) || *percent > 1e6)
    throw bad_input("--slower-than: expected a share such as 5%, found {}", boltzmark::quoted(text));
  return 0.01 * *percent;
}

const FigureColumns<RowPair>& comparison_columns() {
  using Pair = const RowPair&;
  static const FigureColumns<RowPair> columns = [] {
    FigureColumns<RowPair> all;
    const auto add = [&all](const std::string& side, const std::set<std::string>& names, auto row_of) {
      for (const auto& column : figure_columns())
        if (names.contains(column.name))
          all.emplace_back(side + column.description, [value = column.value, row_of](Pair pair) {
            const Row* const row = row_of(pair);
            return row ? value(*row) : std::string();
          });
    };
    add("",
        {"workload", "model", "variant", "part", "precision", "case", "steps", "setting", "device_type", "rate_unit"},
        [](Pair pair) { return &pair.any(); });
    const std::set<std::string> of_side = {"status", "reason", "device",         "steps", "threads",
                                           "ranks",  "rounds", "seconds_median", "rate",  "gb_per_s"};
    add("reference_", of_side, [](Pair pair) { return pair.reference; });
    add("new_", of_side, [](Pair pair) { return pair.other; });
    const auto of = [](auto figure) { return [figure](Pair pair) { return if_any(pair.difference, figure); }; };
    const FigureColumns<RowPair> figures = {
        {"ratio: seconds of NEW over those of REF: median of the ratios of every round to every other",
         of(&Difference::ratio)},
        {"ratio_low: lower end of its interval", of(&Difference::low)},
        {"ratio_high: upper end", of(&Difference::high)},
        {"coverage: how often such an interval has the true ratio", of(&Difference::coverage)},
        {"speed_up: seconds of REF over those of NEW, as above", of([](const Difference& d) { return 1.0 / d.ratio; })},
        {"speed_up_low: lower end of its interval", of([](const Difference& d) { return 1.0 / d.high; })},
        {"speed_up_high: upper end", of([](const Difference& d) { return 1.0 / d.low; })},
        {"p: how probable so large a difference is by chance", of(&Difference::p)},
        {"p_adjusted: the same, corrected for all rows",
         [](Pair pair) { return pair.difference ? std::optional(pair.p) : std::nullopt; }},
        {"verdict: slower, faster, within noise, too few rounds, or why there is none", &RowPair::verdict},
        {"too_slow: slower than is allowed, beyond noise, or no longer right", &RowPair::is_too_slow}};
    all.insert(all.end(), figures.begin(), figures.end());
    return all;
  }();
  return columns;
}

}  // namespace

std::vector<RowPair> pair_rows(const std::vector<Row>& reference, const std::vector<Row>& other) {
  constexpr int levels = 5, unique = 3;
  const Rows first = of_plans(reference), second = of_plans(other);
  Rows left = first, left_other = second;
  std::map<const Row*, const Row*> partner;
  for (int level = 0; level < levels; ++level) {
    for (const auto& [key, group] : groups(left, left_other, level)) {
      const auto& [a, b] = group;
      // On the last levels only where there is no choice.
      if (level >= unique && (a.size() != 1 || b.size() != 1)) continue;
      for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        partner[a[i]] = b[i];
        partner[b[i]] = a[i];
      }
    }
    for (Rows* const rows : {&left, &left_other})
      std::erase_if(*rows, [&](const Row* row) { return partner.contains(row); });
  }
  std::vector<RowPair> pairs;
  for (const Row* row : first) pairs.push_back({row, partner.contains(row) ? partner[row] : nullptr, {}, 1, false, {}});
  for (const Row* row : second)
    if (!partner.contains(row)) pairs.push_back({nullptr, row, {}, 1, false, {}});
  return pairs;
}

void judge(std::vector<RowPair>& pairs, double slower_than) {
  std::vector<double> p, p_too_slow;
  std::vector<RowPair*> tested;
  for (RowPair& pair : pairs) {
    pair.verdict = obstacle(pair);
    pair.is_too_slow = has_failed(pair);
    if (!pair.verdict.empty()) continue;
    const auto before = seconds_of_a_step(*pair.reference), now = seconds_of_a_step(*pair.other);
    pair.difference = difference(before, now);
    pair.verdict = "too few rounds";
    if (!can_differ(before.size(), now.size())) continue;
    auto allowed = before;
    for (double& seconds : allowed) seconds *= 1.0 + slower_than;
    tested.push_back(&pair);
    p.push_back(pair.difference->p);
    p_too_slow.push_back(p_of_slower(allowed, now));
  }
  const auto all = adjusted(p), all_too_slow = adjusted(p_too_slow);
  for (std::size_t i = 0; i < tested.size(); ++i) {
    RowPair& pair = *tested[i];
    pair.p = all[i];
    pair.is_too_slow = all_too_slow[i] < significance;
    pair.verdict = pair.p >= significance ? "within noise" : pair.difference->ratio > 1.0 ? "slower" : "faster";
  }
}

std::vector<RowPair> compare_results(const std::vector<Row>& reference, const std::vector<Row>& other,
                                     double slower_than) {
  auto pairs = pair_rows(reference, other);
  judge(pairs, slower_than);
  return pairs;
}

void write_comparison(const std::vector<RowPair>& pairs, const fs::path& folder) {
  prepare_folder(folder);
  write_whole(folder / comparison_file, csv_of(comparison_columns(), pairs));
}

std::string comparison_text(const std::vector<RowPair>& pairs, bool only_too_slow, int width) {
  Table table({cut("workload"), cut("case"), left(""), left("model"), cut("variant"), right("rounds"), right("REF\ns"),
               right("NEW\ns"), right("NEW / REF"), right("p"), left("NEW is")});
  ByName<int> verdicts;
  for (const RowPair& pair : pairs) {
    ++verdicts[pair.verdict];
    if (only_too_slow ? !pair.is_too_slow : !pair.reference || !pair.other) continue;
    const auto seconds = [](const Row* row) {
      return row && row->is_done() ? significant(row->time.median, 4) : std::string("-");
    };
    const Row& row = pair.any();
    table.add_row({row.key.workload, row.case_name, row.key.precision, row.key.model, variant_words(row),
                   fmt::format("{}, {}", rounds_words(pair.reference), rounds_words(pair.other)),
                   seconds(pair.reference), seconds(pair.other), pair.difference ? ratio_words(*pair.difference) : "-",
                   pair.difference ? p_words(pair.p) : "-", pair.verdict});
  }
  const auto counts = [](const auto& verdict) { return fmt::format("{} {}", verdict.second, verdict.first); };
  return (table.empty() ? "" : table.text(width) + '\n') +
         wrapped(fmt::format("{}: {}", counted(std::ssize(pairs), "row"), joined(verdicts, ", ", counts)), width);
}

int compare_command(const CompareOptions& options) {
  const double allowed = options.slower_than.empty() ? 0.0 : share_in(options.slower_than);
  const bool is_gate = !options.slower_than.empty();
  const Results reference = read_results(options.reference), other = read_results(options.other);
  const auto before = make_rows(reference), now = make_rows(other);
  const auto pairs = compare_results(before, now, allowed);
  if (!options.out.empty()) write_comparison(pairs, options.out);
  const int width = table_width();
  if (!is_gate)
    print_text(stdout, comparison_of(machine_of(options.reference, reference, before),
                                     machine_of(options.other, other, now), width) +
                           '\n');
  print_text(stdout, comparison_text(pairs, is_gate, width));
  if (!is_gate) return 0;
  const auto is_tested = [](const RowPair& pair) { return pair.difference || pair.is_too_slow; };
  if (std::ranges::none_of(pairs, is_tested))
    throw bad_input("{}, {}: expected runs that both have, found none", options.reference, options.other);
  const auto slow = std::ranges::count_if(pairs, [](const RowPair& pair) { return pair.is_too_slow; });
  print("{}\n", slow == 0 ? fmt::format("no row is slower by more than {} beyond noise", options.slower_than)
                          : fmt::format("{} slower by more than {} beyond noise, or no longer right",
                                        counted(slow, "row"), options.slower_than));
  return slow == 0 ? 0 : 1;
}

}  // namespace boltzmark
