#include "analysis/compare/comparison.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "analysis/roofline/figures.hpp"
#include "analysis/roofline/words.hpp"
#include "analysis/support/commands.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/error.hpp"
#include "common/base/print.hpp"
#include "common/base/ranges.hpp"

namespace boltzmark {
namespace {

/// Common facts of rows that belong together; fewer on later levels.
std::string common_key(const Row& row, int level) {
  return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}", row.key.workload, row.key.precision, row.key.model,
                     row.variant, row.setting, row.part, row.case_name,
                     level > 2 || !row.part.empty() ? 1 : row.steps(), row.record->device_type,
                     level < 2 ? fmt::format("{}x{}", row.ranks, row.threads) : "", level < 1 ? row.device : "");
}

/// The requested settings of a run, all that is known of one without a record; fewer on the second level.
std::string plan_key(const Row& row, int level) {
  const RunKey& key = row.key;
  return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}", key.workload, key.precision, key.model, key.variant, row.setting,
                     key.case_, key.steps, key.warm_up,
                     level < 1 ? fmt::format("{}x{} {}", key.ranks, key.threads, key.device) : "");
}

/// Consecutive rows of one configuration, its parts.
std::vector<Rows> by_configuration(const Rows& rows) {
  std::vector<Rows> all;
  for (const Row* row : rows)
    if (all.empty() || all.back().front()->key.configuration() != row->key.configuration())
      all.push_back({row});
    else
      all.back().push_back(row);
  return all;
}

/// The partners found so far for each row on either side.
class Partners {
 public:
  Partners(Rows reference, Rows other) : reference_(std::move(reference)), other_(std::move(other)) {}

  void add(const Row* reference, const Row* other) {
    partners_[reference].push_back(other);
    partners_[other].push_back(reference);
  }
  /// Rows of both sides that fit and have no partner yet, by their common facts.
  ByName<std::pair<Rows, Rows>> left(const std::function<std::string(const Row&)>& key_of) const {
    ByName<std::pair<Rows, Rows>> all;
    for (const Row* row : reference_)
      if (!partners_.contains(row)) all[key_of(*row)].first.push_back(row);
    for (const Row* row : other_)
      if (!partners_.contains(row)) all[key_of(*row)].second.push_back(row);
    return all;
  }
  std::vector<RowPair> pairs() const {
    std::vector<RowPair> all;
    for (const Row* row : reference_)
      for (const Row* partner : of(row)) all.emplace_back().reference = row, all.back().other = partner;
    for (const Row* row : other_)
      if (!partners_.contains(row)) all.emplace_back().other = row;
    return all;
  }

 private:
  Rows of(const Row* row) const {
    const auto found = partners_.find(row);
    return found == partners_.end() ? Rows{nullptr} : found->second;
  }

  Rows reference_, other_;
  std::map<const Row*, Rows> partners_;
};

/// Rows that have records.
void pair_by_record(Partners& partners) {
  constexpr int levels = 4, unique = 3;
  for (int level = 0; level < levels; ++level)
    for (const auto& [key, group] :
         partners.left([level](const Row& row) { return row.record ? common_key(row, level) : std::string(); })) {
      const auto& [a, b] = group;
      // On the last level only if there is a single candidate.
      if (key.empty() || (level >= unique && (a.size() != 1 || b.size() != 1))) continue;
      for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) partners.add(a[i], b[i]);
    }
}

/// Runs without a record on at least one side, by plan: they have no parts, and so belong to every part of the other
/// side.
void pair_by_plan(Partners& partners) {
  for (const int level : {0, 1})
    for (const auto& [key, group] : partners.left([level](const Row& row) { return plan_key(row, level); })) {
      const auto a = by_configuration(group.first), b = by_configuration(group.second);
      for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        if (a[i].front()->record && b[i].front()->record) continue;
        for (const Row* reference : a[i])
          for (const Row* other : b[i]) partners.add(reference, other);
      }
    }
}

/// Whether it ended well, with any check.
bool has_ended_well(const Row* row) { return row && row->is_done(); }

bool is_less_checked(const RowPair& pair) { return pair.reference->is_checked() && !pair.other->is_checked(); }

/// Reason why a pair cannot be compared, else "".
std::string obstacle(const RowPair& pair) {
  if (!pair.reference) return "only in NEW";
  if (!pair.other) return "only in REF";
  const auto status = [](const Row* row) { return to_string(row->status); };
  if (!has_ended_well(pair.other)) return status(pair.other) + (has_ended_well(pair.reference) ? " in NEW" : "");
  if (!has_ended_well(pair.reference)) return status(pair.reference) + " in REF";
  if (is_less_checked(pair)) return "not checked in NEW";
  if (pair.reference->case_digest() != pair.other->case_digest()) return "other case";
  return "";
}

std::vector<double> seconds_of_a_step(const Row& row) {
  auto seconds = row.round_seconds;
  for (double& one : seconds) one /= static_cast<double>(std::max<std::int64_t>(1, row.steps()));
  return seconds;
}

/// Whether a right run of REF is wrong, not checked, or missing in NEW although NEW ran its plan. `plans`: all plans of
/// NEW, "" for an unknown one.
bool is_no_longer_right(const RowPair& pair, const std::set<std::string>& plans) {
  if (!has_ended_well(pair.reference)) return false;
  if (pair.other) return !has_ended_well(pair.other) || is_less_checked(pair);
  const std::string& plan = pair.reference->plan;
  return plan.empty() || plans.contains("") || plans.contains(plan);
}

/// Whether there are too few rounds to tell a difference from noise: even ranks as far apart as possible would give no
/// small p among all these, and either no other test can (below three per side) or the interval shows a difference.
bool are_too_few(const RowPair& pair, std::vector<double> p, std::size_t at) {
  const std::size_t before = pair.reference->round_seconds.size(), now = pair.other->round_seconds.size();
  const Difference& found = *pair.difference;
  if (spreads_count(before, now) && found.low <= 1.0 && found.high >= 1.0) return false;
  p[at] = least_p_of_ranks(before, now, swing_of(*pair.reference, *pair.other));
  return adjusted(p)[at] >= significance;
}

double share_in(const std::string& text) {
  const auto percent = text.ends_with('%') ? parse_number<double>(text.substr(0, text.size() - 1)) : std::nullopt;
  if (!percent || !(*percent >= 0.0) || *percent > 1e6)
    throw bad_input("--slower-than: expected a share such as 5%, found {}", boltzmark::quoted(text));
  return 0.01 * *percent;
}

}  // namespace

const FigureColumns<RowPair>& comparison_columns() {
  using Pair = const RowPair&;
  static const FigureColumns<RowPair> columns = [] {
    FigureColumns<RowPair> all;
    const auto add = [&all](const std::string& side, const std::set<std::string>& names, auto row_of) {
      for (const auto& column : figure_columns())
        if (names.contains(column.name))
          all.emplace_back(side + column.description, column.type, [cell = column.cell, row_of](Pair pair) {
            const Row* const row = row_of(pair);
            return row ? cell(*row) : nlohmann::json();
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
        {"ratio: seconds of NEW over seconds of REF: median of the ratios of all pairs of rounds",
         of(&Difference::ratio)},
        {"ratio_low: lower end of its interval", of(&Difference::low)},
        {"ratio_high: upper end", of(&Difference::high)},
        {"coverage: probability that such an interval contains the true ratio", of(&Difference::coverage)},
        {"speed_up: seconds of REF over seconds of NEW, likewise",
         of([](const Difference& d) { return 1.0 / d.ratio; })},
        {"speed_up_low: lower end of its interval", of([](const Difference& d) { return 1.0 / d.high; })},
        {"speed_up_high: upper end", of([](const Difference& d) { return 1.0 / d.low; })},
        {"p: probability of a difference this large by chance; empty with too few rounds for any",
         [](Pair pair) { return pair.p ? std::optional(pair.difference->p) : std::nullopt; }},
        {"p_adjusted: p, corrected for the number of rows", &RowPair::p},
        {"verdict: slower, faster, within noise, too few rounds, or why the two were not compared", &RowPair::verdict},
        {"too_slow: slower than allowed and beyond noise, no longer right, or missing", &RowPair::is_too_slow}};
    all.insert(all.end(), figures.begin(), figures.end());
    return all;
  }();
  return columns;
}

std::vector<RowPair> pair_rows(const std::vector<Row>& reference, const std::vector<Row>& other) {
  Partners partners(of_plans(reference), of_plans(other));
  pair_by_record(partners);
  pair_by_plan(partners);
  return partners.pairs();
}

void judge(std::vector<RowPair>& pairs, double slower_than) {
  std::vector<double> p, p_too_slow;
  std::vector<RowPair*> tested;
  std::set<std::string> plans;
  for (const RowPair& pair : pairs)
    if (pair.other) plans.insert(pair.other->plan);
  for (RowPair& pair : pairs) {
    pair.verdict = obstacle(pair);
    pair.is_too_slow = is_no_longer_right(pair, plans);
    if (!pair.verdict.empty()) continue;
    const auto before = seconds_of_a_step(*pair.reference), now = seconds_of_a_step(*pair.other);
    const double swing = swing_of(*pair.reference, *pair.other);
    pair.difference = difference(before, now, swing);
    pair.verdict = too_few_rounds;
    if (!can_differ(before.size(), now.size(), swing)) continue;
    auto allowed = before;
    for (double& seconds : allowed) seconds *= 1.0 + slower_than;
    tested.push_back(&pair);
    p.push_back(pair.difference->p);
    p_too_slow.push_back(p_of_slower(allowed, now, swing));
  }
  const auto all = adjusted(p), all_too_slow = adjusted(p_too_slow);
  for (std::size_t i = 0; i < tested.size(); ++i) {
    RowPair& pair = *tested[i];
    pair.p = all[i];
    pair.is_too_slow = all_too_slow[i] < significance;
    if (pair.p < significance)
      pair.verdict = pair.difference->ratio > 1.0 ? "slower" : "faster";
    else if (!are_too_few(pair, p, i))
      pair.verdict = "within noise";
  }
}

std::vector<RowPair> compare_results(const std::vector<Row>& reference, const std::vector<Row>& other,
                                     double slower_than) {
  auto pairs = pair_rows(reference, other);
  judge(pairs, slower_than);
  return pairs;
}

std::string scoreboard(const Machine& a, const Machine& b, std::vector<RowPair> pairs, int width) {
  const auto find = [&pairs](const Row* reference, const Row* other) {
    return find_where(pairs, [&](const RowPair& one) { return one.reference == reference && one.other == other; });
  };
  std::vector<RowPair> more;
  for (const MachineFigure& of_a : a.figures)
    if (const MachineFigure* const of_b = find_by(b.figures, of_a.name, &MachineFigure::name))
      for (std::size_t i = 0; i < std::min(of_a.rows.size(), of_b->rows.size()); ++i)
        if (!find(of_a.rows[i], of_b->rows[i]))
          more.emplace_back().reference = of_a.rows[i], more.back().other = of_b->rows[i];
  judge(more, 0.0);
  pairs.insert(pairs.end(), more.begin(), more.end());
  const auto winner = [&find](const Rows& of_a, const Rows& of_b) {
    std::set<std::string> verdicts;
    for (std::size_t i = 0; i < of_a.size(); ++i)
      verdicts.insert(i < of_b.size() ? find(of_a[i], of_b[i])->verdict : "");
    return verdicts.size() > 1 ? 0 : verdicts.contains("slower") ? 1 : verdicts.contains("faster") ? 2 : 0;
  };
  return comparison_of(a, b, winner, width);
}

FileWords comparison_words() {
  return {comparison_file, "a row per pair of rows (compare --out)", comparison_columns()};
}

void write_comparison(const std::vector<RowPair>& pairs, const fs::path& folder) {
  prepare_folder(folder);
  write_whole(folder / comparison_file, csv_of(comparison_columns(), pairs));
  write_columns({comparison_words()}, folder);
}

namespace {

/// "1 row slower by more than 5% beyond noise, 2 no longer right, 3 missing; 4 rows with too few rounds to tell; 5 rows
/// with an interval that reaches beyond 5%: more rounds would tell".
std::string gate_words(const std::vector<RowPair>& pairs, const std::string& allowed) {
  std::ptrdiff_t slow = 0, lost = 0, missing = 0, untold = 0, open = 0;
  for (const RowPair& pair : pairs)
    if (pair.is_too_slow)
      ++(pair.difference ? slow : pair.other ? lost : missing);
    else if (pair.verdict == too_few_rounds)
      ++untold;
    else if (pair.difference && pair.difference->high > 1.0 + share_in(allowed))
      ++open;
  std::string words =
      fmt::format("{} slower by more than {} beyond noise", slow == 0 ? "no row is" : counted(slow, "row"), allowed);
  if (lost > 0) words += fmt::format(", {} no longer right", counted(lost, "row"));
  if (missing > 0) words += fmt::format(", {} missing", counted(missing, "row"));
  if (untold > 0) words += fmt::format("; {} with too few rounds to tell", counted(untold, "row"));
  if (open > 0)
    words += fmt::format("; {} with an interval that reaches beyond {}: more rounds would tell", counted(open, "row"),
                         allowed);
  return words;
}

/// The day of the latest run, " of 2026-11-29".
std::string day_words(const std::vector<Row>& rows) {
  std::string last;
  for (const Row& row : rows)
    if (row.record) last = std::max(last, row.record->provenance.date.substr(0, 10));
  return last.empty() ? "" : " of " + last;
}

}  // namespace

int compare_command(const CompareOptions& options) {
  const double allowed = options.slower_than.empty() ? 0.0 : share_in(options.slower_than);
  const bool is_gate = !options.slower_than.empty();
  const Results reference = read_results(options.reference), other = read_results(options.other);
  const auto before = make_rows(reference), now = make_rows(other);
  const auto pairs = compare_results(before, now, allowed);
  if (!options.out.empty()) write_comparison(pairs, options.out);
  const int width = table_width();
  if (!is_gate)
    print_text(stdout, scoreboard(machine_of(options.reference, reference, before),
                                  machine_of(options.other, other, now), pairs, width) +
                           '\n');
  print_text(stdout, comparison_text(pairs, is_gate, width));
  if (!is_gate) return 0;
  if (std::ranges::none_of(pairs, [](const RowPair& pair) { return pair.reference && pair.other; }))
    throw bad_input("{}, {}: expected runs of the same problems in both, found none", options.reference, options.other);
  print("REF{}, NEW{}: {}\n", day_words(before), day_words(now), gate_words(pairs, options.slower_than));
  if (std::ranges::any_of(pairs, &RowPair::is_too_slow)) return 1;
  if (std::ranges::none_of(pairs,
                           [](const RowPair& pair) { return pair.difference && pair.verdict != too_few_rounds; }))
    throw bad_input("{}, {}: expected rows with enough rounds to judge, found none: run both with --repeats 6",
                    options.reference, options.other);
  return 0;
}

}  // namespace boltzmark
