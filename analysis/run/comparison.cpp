#include "analysis/run/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "analysis/run/launcher.hpp"
#include "analysis/support/json_reader.hpp"
#include "common/run/record.hpp"

namespace boltzmark {
namespace {

using nlohmann::json;

double number_or_zero(const json& record, const char* pointer) {
  return number_at(record, pointer).value_or(0.0);
}

std::string setting_of(const RunKey& key) {
  std::vector<std::string> words;
  if (!key.work_group.empty()) words.push_back(key.work_group);
  words.insert(words.end(), key.options.begin(), key.options.end());
  if (!key.build.empty()) words.push_back(key.build);
  return join_words(words);
}

/// What rounds have that their row shows in one number.
struct HaloShares {
  std::vector<double> mean, most;
};

/// Adds the timed repeats, the deviation and the halo exchanges of one round.
void add_record(const json& record, ComparisonRow& row, HaloShares& shares) {
  row.variant = text_at(record, "/variant", row.variant);
  row.tuned = tuned_in(record);
  row.device = text_at(record, "/device", row.device);
  row.threads = static_cast<int>(number_or_zero(record, "/threads"));
  row.ranks = static_cast<int>(number_or_zero(record, "/ranks"));
  if (const auto repeats = record.find("repeats"); repeats != record.end() && repeats->is_array())
    for (const json& repeat : *repeats)
      if (const double seconds = number_or_zero(repeat, "/compute_seconds"); seconds > 0.0)
        row.seconds.push_back(seconds);
  // A rank's exchanges belong to the last of its repeats.
  if (const auto halo = number_at(record, "/settings/halo_seconds"); halo && !row.seconds.empty()) {
    const double most = number_at(record, "/settings/halo_seconds_most").value_or(*halo);
    shares.mean.push_back(*halo / row.seconds.back());
    shares.most.push_back(most / row.seconds.back());
  }
  for (const char* part : {"/check/av_vels", "/check/speed", "/check/pressure"})
    if (const auto deviation = number_at(record, part))
      row.deviation = std::max(row.deviation.value_or(0.0), *deviation);
}

void add_entry(const RunEntry& entry, ComparisonRow& row, HaloShares& shares) {
  if (entry.status > row.status || row.worst_round == 0) {
    row.status = entry.status;
    row.reason = entry.reason;
    row.worst_round = entry.key.round;
  }
  if (entry.record.is_object()) add_record(entry.record, row, shares);
}

/// Medians and rates from the samples; every record of a row has the same grid and steps.
void finish_row(const json& record, ComparisonRow& row) {
  if (row.seconds.empty()) return;
  row.median = median(row.seconds);
  row.minimum = *std::min_element(row.seconds.begin(), row.seconds.end());
  row.maximum = *std::max_element(row.seconds.begin(), row.seconds.end());
  const double updates = number_or_zero(record, "/problem/nx") * number_or_zero(record, "/problem/ny") *
                         number_or_zero(record, "/steps");
  row.mlups = 1e-6 * updates / row.median;
  row.gb_per_s = number_or_zero(record, "/bytes_per_update") * row.mlups / 1e3;
}

/// The baseline's row: of several the first that is right.
const ComparisonRow* find_baseline(const std::vector<ComparisonRow>& rows, const Baseline& baseline) {
  for (const auto& row : rows)
    if (row.model == baseline.model && row.variant == baseline.variant && row.is_right()) return &row;
  return nullptr;
}

bool is_baseline(const ComparisonRow& row, const std::vector<Baseline>& baselines) {
  return std::any_of(baselines.begin(), baselines.end(),
                     [&row](const Baseline& b) { return b.model == row.model && b.variant == row.variant; });
}

void add_speed_ups(std::vector<ComparisonRow>& rows, const std::vector<Baseline>& baselines) {
  for (const auto& baseline : baselines) {
    const ComparisonRow* const base = find_baseline(rows, baseline);
    for (auto& row : rows) {
      const bool both = base && row.is_right();
      row.speed_ups.push_back(both ? std::optional(base->median / row.median) : std::nullopt);
    }
  }
}

void mark_best(std::vector<ComparisonRow>& rows) {
  std::map<std::string, ComparisonRow*> best;
  for (auto& row : rows) {
    if (!row.is_right()) continue;
    ComparisonRow*& fastest = best[row.model];
    if (!fastest || row.median < fastest->median) fastest = &row;
  }
  for (const auto& [model, row] : best) row->best_of_model = true;
}

/// Entries that belong to one ProblemComparison, in their order.
using Group = std::vector<const RunEntry*>;

/// The row of one configuration; the grid's size goes to the problem.
ComparisonRow compare_rounds(const Group& rounds, ProblemComparison& problem) {
  const RunKey& key = rounds.front()->key;
  ComparisonRow row;
  row.model = key.model;
  row.variant = key.variant;
  row.setting = setting_of(key);
  row.build = key.build;
  row.threads = key.threads;
  row.ranks = key.ranks;
  const json* record = nullptr;
  HaloShares shares;
  for (const RunEntry* entry : rounds) {
    add_entry(*entry, row, shares);
    if (entry->record.is_object()) record = &entry->record;
  }
  if (!shares.mean.empty()) {
    row.halo_share = median(shares.mean);
    row.halo_share_most = median(shares.most);
  }
  if (record) {
    finish_row(*record, row);
    row.record = *record;
    problem.nx = static_cast<int>(number_or_zero(*record, "/problem/nx"));
    problem.ny = static_cast<int>(number_or_zero(*record, "/problem/ny"));
  }
  return row;
}

ProblemComparison compare_group(const Group& entries, const LikeForLike& compare,
                                const std::vector<Baseline>& baselines) {
  const RunKey& key = entries.front()->key;
  ProblemComparison problem;
  problem.problem = entries.front()->problem;
  problem.precision = key.precision;
  problem.steps = key.steps;
  std::vector<std::string> order;
  std::map<std::string, Group> rounds;
  for (const RunEntry* entry : entries) {
    Group& group = rounds[entry->key.configuration()];
    if (group.empty()) order.push_back(entry->key.configuration());
    group.push_back(entry);
  }
  for (const auto& configuration : order) {
    ComparisonRow row = compare_rounds(rounds[configuration], problem);
    row.like_for_like = row.variant == compare.of(row.model) || is_baseline(row, baselines);
    problem.rows.push_back(std::move(row));
  }
  std::stable_partition(problem.rows.begin(), problem.rows.end(),
                        [&](const ComparisonRow& row) { return is_baseline(row, baselines); });
  add_speed_ups(problem.rows, baselines);
  mark_best(problem.rows);
  return problem;
}

}  // namespace

bool ProblemComparison::has_better_variants() const {
  return std::any_of(rows.begin(), rows.end(),
                     [](const ComparisonRow& row) { return row.best_of_model && !row.like_for_like; });
}

std::string tuned_in(const json& record) {
  std::vector<std::string> words;
  const json::json_pointer at("/settings/tuned");
  if (record.contains(at) && record[at].is_object())
    for (const auto& option : record[at].items()) {
      const std::string value = option.value().is_string() ? option.value().get<std::string>() : "";
      words.push_back(value.empty() ? option.key() : option.key() + ' ' + value);
    }
  return join_words(words, ", ");
}

std::optional<double> ProblemComparison::unchecked_spread() const {
  std::vector<double> values;
  for (const auto& row : rows)
    if (row.is_right() && !row.is_checked())
      if (const auto value = number_at(row.record, "/av_vel")) values.push_back(*value);
  if (values.size() < 2) return std::nullopt;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return (*most - *least) / std::abs(*most);
}

Comparison make_comparison(const std::vector<RunEntry>& entries, const LikeForLike& compare,
                           const std::vector<Baseline>& baselines) {
  using Id = std::tuple<std::string, int, std::string>;
  std::vector<Id> order;
  std::map<Id, Group> groups;
  for (const RunEntry& entry : entries) {
    const Id id{entry.key.problem, entry.key.steps, entry.key.precision};
    if (groups[id].empty()) order.push_back(id);
    groups[id].push_back(&entry);
  }
  Comparison comparison;
  comparison.compare = compare;
  comparison.baselines = baselines;
  for (const Id& id : order) comparison.problems.push_back(compare_group(groups[id], compare, baselines));
  return comparison;
}

}  // namespace boltzmark
