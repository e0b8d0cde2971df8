#include "analysis/roofline/figures.hpp"

#include <algorithm>
#include <map>

#include "analysis/roofline/comparison.hpp"
#include "analysis/support/by_name.hpp"
#include "common/base/statistics.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

using nlohmann::json;

using Rounds = std::vector<const RunEntry*>;

/// The same for all rounds of a configuration, however often each repeats.
std::string configuration_of(RunKey key) {
  if (const auto at = std::find(key.options.begin(), key.options.end(), "--repeat"); key.options.end() - at >= 2)
    key.options.erase(at, at + 2);
  return key.configuration();
}

/// Rounds that belong together: a device that was named and the same one, found, are one configuration.
ByName<Rounds> configurations(const std::vector<RunEntry>& entries) {
  std::map<std::string, std::string> device_found;
  for (const RunEntry& entry : entries)
    if (entry.record) device_found[configuration_of(entry.key)] = entry.record->device;
  ByName<Rounds> all;
  for (const RunEntry& entry : entries) {
    RunKey key = entry.key;
    if (const auto found = device_found.find(configuration_of(key)); found != device_found.end())
      key.device = found->second;
    all[configuration_of(key)].push_back(&entry);
  }
  return all;
}

std::string setting_of(const RunKey& key) {
  std::vector<std::string> words;
  if (!key.work_group.empty()) words.push_back(key.work_group);
  for (auto word = key.options.begin(); word != key.options.end(); ++word)
    if (*word == "--repeat" && word + 1 != key.options.end())
      ++word;
    else
      words.push_back(*word);
  if (!key.build.empty()) words.push_back(key.build);
  return join(words, " ");
}

/// Keeps the worst of each deviation; a row of a part has that part's alone.
void take_check(const Check& found, Row& row) {
  if (!found.passed) return;
  Check& check = row.check;
  check.against = found.against;
  check.tolerance = found.tolerance;
  const auto is_part = [&row](const Deviation& d) { return d.of == row.part; };
  const bool has_part = std::any_of(found.deviations.begin(), found.deviations.end(), is_part);
  for (const Deviation& one : found.deviations) {
    if (has_part && !is_part(one)) continue;
    const auto known = std::find_if(check.deviations.begin(), check.deviations.end(),
                                    [&one](const Deviation& d) { return d.of == one.of; });
    if (known == check.deviations.end())
      check.deviations.push_back(one);
    else if (known->value && (!one.value || *one.value > *known->value))
      *known = one;
  }
  check.passed = std::all_of(check.deviations.begin(), check.deviations.end(),
                             [&check](const Deviation& d) { return d.value && *d.value <= check.tolerance; });
}

const Part* find_part(const Record& record, const std::string& name) {
  for (const Part& part : record.parts)
    if (part.name == name) return &part;
  return nullptr;
}

std::optional<double> number_in(const json& object, const char* name) {
  const auto at = object.find(name);
  return at != object.end() && at->is_number() ? std::optional(at->get<double>()) : std::nullopt;
}

/// What rounds have that their row shows in one number.
struct OfRounds {
  std::vector<double> init, collate, halo, halo_most;
};

void take_record(const Record& record, Row& row, OfRounds& of_rounds) {
  row.variant = record.variant;
  row.device = record.device;
  row.threads = record.threads;
  row.ranks = record.ranks;
  row.tuned = tuned_of(record);
  for (const Timing& repeat : record.repeats) {
    of_rounds.init.push_back(repeat.init_seconds);
    of_rounds.collate.push_back(repeat.collate_seconds);
    if (row.part.empty()) row.seconds.push_back(repeat.compute_seconds);
  }
  if (const Part* const part = find_part(record, row.part))
    row.seconds.insert(row.seconds.end(), part->seconds.begin(), part->seconds.end());
  if (row.part.empty()) {
    const EnergyRecord& energy = record.energy;
    row.joules.insert(row.joules.end(), energy.joules.begin(), energy.joules.end());
    if (energy.joules.empty()) row.why_no_joules = energy.why_not;
  }
  // A rank's exchanges belong to the last of its repeats.
  const double last = record.repeats.back().compute_seconds;
  if (const auto halo = number_in(record.settings, "halo_seconds")) {
    of_rounds.halo.push_back(*halo / last);
    of_rounds.halo_most.push_back(number_in(record.settings, "halo_seconds_most").value_or(*halo) / last);
  }
  take_check(record.check, row);
}

Work work_of(const Record& record, const std::string& part_name) {
  const WorkRecord& work = record.work;
  if (const Part* const part = find_part(record, part_name))
    return {work.updates, part->bytes, part->flops, part->bytes_moved, {}};
  Work whole = {work.updates, work.updates * work.bytes_per_update, work.updates * work.flops_per_update, {}, {}};
  if (work.conventional_flops_per_update) whole.conventional_flops = work.updates * *work.conventional_flops_per_update;
  return whole;
}

/// `amount` in these times.
Spread rates_of(double amount, const Spread& time) {
  return {amount / time.median, amount / time.maximum, amount / time.minimum};
}

void finish(Row& row) {
  const Record& record = *row.record;
  row.time = spread_of(row.seconds);
  row.work = work_of(record, row.part);
  row.gb_per_s = rates_of(1e-9 * row.work.bytes, row.time);
  row.gflop_per_s = rates_of(1e-9 * row.work.flops, row.time);
  const Metric& metric = record.metrics.front();
  row.rate_unit = row.part.empty() ? metric.unit : "GB/s";
  if (!row.part.empty())
    row.rate = row.gb_per_s;
  else if (metric.value)  // it is for the median of its own round
    row.rate = rates_of(*metric.value * record.compute_seconds, row.time);
  const Interval interval = median_interval(row.seconds);
  row.time_interval = {row.time.median, interval.low, interval.high};
  if (is_best_far_above(row.gb_per_s)) row.notes.emplace_back("best far above its median: measure again");
}

Row make_row(const Rounds& rounds, const std::string& source, const std::string& part) {
  const RunEntry& first = *rounds.front();
  Row row;
  row.source = source;
  row.key = first.key;
  row.case_name = first.case_name;
  row.part = part;
  row.variant = first.key.variant;
  row.setting = setting_of(first.key);
  row.threads = first.key.threads;
  row.ranks = first.key.ranks;
  OfRounds of_rounds;
  for (const RunEntry* entry : rounds) {
    ++row.rounds;
    if (entry->status > row.status || row.worst_round == 0) {
      row.status = entry->status;
      row.reason = entry->reason;
      row.worst_round = entry->key.round;
    }
    if (!entry->record || (!part.empty() && !find_part(*entry->record, part))) continue;
    row.record = entry->record;
    row.case_name = entry->record->case_.name;
    take_record(*entry->record, row, of_rounds);
  }
  if (!row.record) return row;
  row.init_seconds = median(of_rounds.init);
  row.collate_seconds = median(of_rounds.collate);
  if (!of_rounds.halo.empty()) {
    row.halo_share = median(of_rounds.halo);
    row.halo_share_most = median(of_rounds.halo_most);
  }
  finish(row);
  return row;
}

/// Names of the parts of all rounds; one "" where there are none.
std::vector<std::string> parts_of(const Rounds& rounds) {
  std::vector<std::string> names;
  for (const RunEntry* entry : rounds)
    if (entry->record)
      for (const Part& part : entry->record->parts) add_once(names, part.name);
  if (names.empty()) names.emplace_back();
  return names;
}

void add_rows(const std::vector<RunEntry>& entries, const std::string& source, std::vector<Row>& rows) {
  for (const auto& [configuration, rounds] : configurations(entries))
    for (const std::string& part : parts_of(rounds)) rows.push_back(make_row(rounds, source, part));
}

/// STREAM's triad, which a row is held against: of its own model with as many workers, in its
/// precision if there is one.
std::optional<double> triad_for(const Row& row, const std::vector<Row>& rows) {
  const Row* found = nullptr;
  for (const Row& other : rows) {
    // What arrays in the wrong place allow is no yardstick.
    if (contains(other.key.options, "--first-touch")) continue;
    const bool same = other.part == "triad" && other.is_right() && other.key.model == row.key.model &&
                      other.device == row.device && other.threads * other.ranks == row.threads * row.ranks;
    if (same && (!found || other.key.precision == row.key.precision)) found = &other;
  }
  return found ? std::optional(found->gb_per_s.median) : std::nullopt;
}

void analyse(Row& row, const Results& results, const std::vector<Row>& rows) {
  const Record& record = *row.record;
  const RunFigures run = {.precision = record.precision,
                          .device = record.device,
                          .device_type = record.device_type,
                          .workers = record.threads * record.ranks,
                          .steps = std::max<std::int64_t>(1, record.steps),
                          .steps_per_launch = std::max<std::int64_t>(1, record.work.steps_per_launch),
                          .seconds = row.time.median,
                          .bytes_held = record.work.bytes_held,
                          .gb_per_s = row.gb_per_s.median,
                          .gflop_per_s = row.gflop_per_s.median,
                          .one_worker_seconds = one_worker_seconds(row, rows)};
  row.roofline = analyse(run, results.peaks ? &*results.peaks : nullptr);
  row.triad_gb_per_s = triad_for(row, rows);
  if (row.roofline.roof_gb_per_s && is_best_far_above(*row.roofline.roof_gb_per_s))
    row.notes.emplace_back("best of its roof far above the roof's median: measure the peaks again");
  if (row.roofline.is_doubtful) row.notes.emplace_back("above the roof and nothing explains it: measure again");
}

}  // namespace

std::string tuned_of(const Record& record) {
  std::vector<std::string> words;
  if (const auto tuned = record.settings.find("tuned"); tuned != record.settings.end() && tuned->is_object())
    for (const auto& [option, value] : tuned->items())
      words.push_back(value.is_string() && value != "" ? option + ' ' + value.get<std::string>() : option);
  return join(words, ", ");
}

std::vector<Row> make_rows(const Results& results) {
  std::vector<Row> rows;
  add_rows(results.entries, "runs", rows);
  add_rows(results.tuning, "tuning", rows);
  compare_rows(rows);
  for (Row& row : rows)
    if (row.has_figures()) analyse(row, results, rows);
  add_portability(rows);
  add_shortfalls(rows, results.peaks ? &*results.peaks : nullptr);
  return rows;
}

}  // namespace boltzmark
