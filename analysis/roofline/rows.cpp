#include "analysis/roofline/rows.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/roofline/words.hpp"
#include "analysis/support/json.hpp"
#include "common/base/ranges.hpp"
#include "common/base/statistics.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

using Rounds = std::vector<const RunEntry*>;

/// Options for the number of repeats in a round, each with a value.
bool is_of_repeats(const std::string& word) { return word == "--repeat" || word == "--seconds"; }

/// The same for all rounds of a configuration, with any number of repeats.
std::string configuration_of(RunKey key) {
  for (auto word = key.options.begin(); word != key.options.end();)
    word = is_of_repeats(*word) && word + 1 != key.options.end() ? key.options.erase(word, word + 2) : word + 1;
  return key.configuration();
}

/// Rounds that belong together: a named device or variant and the same one chosen by default are one configuration.
ByName<Rounds> configurations(const std::vector<RunEntry>& entries) {
  std::map<std::string, std::pair<std::string, std::string>> found;  // device and variant
  for (const RunEntry& entry : entries)
    if (entry.record) found[configuration_of(entry.key)] = {entry.record->device, entry.record->variant};
  ByName<Rounds> all;
  for (const RunEntry& entry : entries) {
    RunKey key = entry.key;
    if (const auto as = found.find(configuration_of(key)); as != found.end())
      std::tie(key.device, key.variant) = as->second;
    all[configuration_of(key)].push_back(&entry);
  }
  return all;
}

std::string setting_of(const RunKey& key) {
  std::vector<std::string> words;
  if (!key.work_group.empty()) words.push_back(key.work_group);
  for (auto word = key.options.begin(); word != key.options.end(); ++word)
    if (is_of_repeats(*word) && word + 1 != key.options.end())
      ++word;
    else
      words.push_back(*word);
  if (!key.build.empty()) words.push_back(key.build);
  return join(words, " ");
}

/// Keeps the worst of each deviation; a row of a part has only that part's.
void take_check(const Check& found, Row& row) {
  if (!found.passed) return;
  Check& check = row.check;
  check.against = found.against;
  check.tolerance = found.tolerance;
  const auto is_part = [&row](const Deviation& d) { return d.of == row.part; };
  const bool has_part = std::ranges::any_of(found.deviations, is_part);
  std::vector<Deviation> taken = found.deviations;
  if (has_part) std::erase_if(taken, std::not_fn(is_part));
  check.take(taken);
  // The round that checked the smallest share; unknown in older records.
  const auto share = [](const Extent& one) {
    return static_cast<double>(one.checked) / static_cast<double>(std::max<std::int64_t>(1, one.of));
  };
  if (found.extent && (!check.extent || share(*found.extent) < share(*check.extent))) check.extent = found.extent;
}

void take_record(const Record& record, Row& row) {
  row.variant = record.variant;
  row.device = record.device;
  row.threads = record.threads;
  row.ranks = record.ranks;
  row.tuned = tuned_of(record);
  const auto before = static_cast<std::ptrdiff_t>(row.seconds.size());
  for (const Timing& repeat : record.repeats)
    if (row.part.empty()) row.seconds.push_back(repeat.compute_seconds);
  if (const Part* const part = find_by(record.parts, row.part, &Part::name))
    row.seconds.insert(row.seconds.end(), part->seconds.begin(), part->seconds.end());
  row.round_seconds.push_back(median({row.seconds.begin() + before, row.seconds.end()}));
  if (row.part.empty()) {
    const EnergyRecord& energy = record.energy;
    row.joules.insert(row.joules.end(), energy.joules.begin(), energy.joules.end());
    if (energy.joules.empty()) row.why_no_joules = energy.why_not;
  }
  take_check(record.check, row);
}

/// Medians of all repeats of the rounds; a rank's exchanges belong to the last repeat of each.
void condense(const std::vector<Record>& rounds, Row& row) {
  std::vector<double> init, collate, halo, most;
  for (const Record& record : rounds) {
    for (const Timing& repeat : record.repeats) {
      init.push_back(repeat.init_seconds);
      collate.push_back(repeat.collate_seconds);
    }
    const double last = record.repeats.back().compute_seconds;
    const auto seconds = number_in(record.settings, "halo_seconds");
    if (!seconds) continue;
    halo.push_back(*seconds / last);
    most.push_back(number_in(record.settings, "halo_seconds_most").value_or(*seconds) / last);
  }
  row.init_seconds = median(init);
  row.collate_seconds = median(collate);
  if (halo.empty()) return;
  row.halo_share = median(halo);
  row.halo_share_most = median(most);
}

Work work_of(const Record& record, const std::string& part_name) {
  const WorkRecord& work = record.work;
  if (const Part* const part = find_by(record.parts, part_name, &Part::name))
    return {work.updates, part->bytes, part->flops, part->bytes_moved, {}};
  Work whole = {work.updates, work.updates * work.bytes_per_update, work.updates * work.flops_per_update, {}, {}};
  for (const auto& [name, number] : work.operations_per_update) whole.operations[name] = work.updates * number;
  if (work.conventional_flops_per_update) whole.conventional_flops = work.updates * *work.conventional_flops_per_update;
  return whole;
}

/// Rates of `amount` at these times.
Spread rates_of(double amount, const Spread& time) {
  return {amount / time.median, amount / time.maximum, amount / time.minimum};
}

void finish(Row& row) {
  const Record& record = *row.record;
  row.time = spread_of(row.seconds);
  row.time.median = median(row.round_seconds);
  row.work = work_of(record, row.part);
  row.gb_per_s = rates_of(1e-9 * row.work.bytes, row.time);
  row.gflop_per_s = rates_of(1e-9 * row.work.flops, row.time);
  const Metric& metric = record.metrics.front();
  row.rate_unit = row.part.empty() ? metric.unit : "GB/s";
  if (!row.part.empty())
    row.rate = row.gb_per_s;
  else if (metric.value)  // it is for the median of its own round
    row.rate = rates_of(*metric.value * record.compute_seconds, row.time);
  const Interval interval = median_interval(row.round_seconds);
  row.time_interval = {row.time.median, interval.low, interval.high};
  row.coverage = interval.coverage;
  if (const std::string notes = text_in(record.settings, "notes"); !notes.empty()) row.notes.push_back(notes);
  if (row.repeats_left_out > 0) row.notes.emplace_back("without disturbed repeats");
  const Spread spread = spread_of(row.coverage > 0.0 ? row.round_seconds : row.seconds);
  row.spread = (spread.maximum - spread.minimum) / spread.median;
}

/// Whether three undisturbed repeats are left.
bool has_enough_undisturbed(const Rounds& rounds) {
  std::size_t left = 0;
  for (const RunEntry* entry : rounds)
    if (entry->record) left += entry->record->undisturbed().repeats.size();
  return left >= 3;
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
  std::vector<Record> records;
  const bool leaves_out = has_enough_undisturbed(rounds);
  for (const RunEntry* entry : rounds) {
    ++row.rounds;
    if (entry->order) row.plan = entry->order->plan;
    if (entry->status > row.status || row.worst_round == 0) {
      row.status = entry->status;
      row.reason = entry->reason;
      row.worst_round = entry->key.round;
    }
    if (!entry->record || (!part.empty() && !find_by(entry->record->parts, part, &Part::name))) continue;
    row.record = entry->record;
    row.case_name = entry->record->case_.name;
    const Record record = leaves_out ? entry->record->undisturbed() : *entry->record;
    const auto disturbed = std::ssize(entry->record->repeats) - std::ssize(entry->record->undisturbed().repeats);
    (leaves_out ? row.repeats_left_out : row.repeats_disturbed) += static_cast<int>(disturbed);
    row.repeats_made += static_cast<int>(entry->record->repeats.size());
    if (record.repeats.empty()) continue;
    take_record(record, row);
    records.push_back(record);
  }
  if (!row.record) return row;
  condense(records, row);
  finish(row);
  return row;
}

/// Names of the parts of all rounds; a single "" without parts.
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

/// For records without traffic: all data once in every sweep of steps, or the bytes it moves if these are fewer.
Traffic traffic_at_least(const WorkRecord& work, std::int64_t steps) {
  const double sweeps = static_cast<double>(std::max<std::int64_t>(1, steps)) /
                        static_cast<double>(std::max<std::int64_t>(1, work.steps_per_launch));
  return {{"data", work.bytes_held,
           std::min(work.bytes_per_update, work.bytes_held * std::max(1.0, sweeps) / work.updates)}};
}

/// The share of a run's bytes that it writes, if it passes over all its data in every step. Bytes that count once are
/// read, or fetched and written; those that count twice are both, in place. Not known of other counts, and of a step
/// that fetches nothing: it writes past the caches. A device never fetches lines: of several steps, each writes the
/// values that the next one reads.
std::optional<double> written_share(const Traffic& traffic, const Work& work, std::int64_t steps, bool is_device) {
  constexpr double near = 0.05;
  const WorkingSet& data = traffic.front();
  const double passes = static_cast<double>(std::max<std::int64_t>(1, steps)),
               counts = work.bytes / (data.bytes * passes), moved = data.per_update * work.updates,
               fetched = 1.0 - work.bytes / moved;
  if (traffic.size() > 1 || data.on_chip) return {};
  if (std::abs(counts - 2.0) < near && std::abs(fetched) < near) return 0.5;
  if (is_device) return steps > 1 && std::abs(counts - 1.0) < near ? std::optional(0.5) : std::nullopt;
  const bool is_known = counts < 1.0 + near && fetched >= 0.0 && (fetched > 0.0 || steps <= 1);
  return is_known ? std::optional(fetched) : std::nullopt;
}

/// Figures of work done in this many seconds.
RunFigures run_figures(const Record& record, const std::string& part, const Work& work, double seconds) {
  RunFigures run = {.precision = record.precision,
                    .device = record.device,
                    .device_type = record.device_type,
                    .workers = record.threads * record.ranks,
                    .seconds = seconds,
                    .updates = work.updates,
                    .flops = work.flops,
                    .traffic = record.work.traffic,
                    .has_traffic = !part.empty() || !record.work.traffic.empty(),
                    .tensor_cores = text_in(record.settings, "tensor_cores"),
                    .memory = text_in(record.settings, "memory"),
                    .is_opencl = record.model == "opencl",
                    .operations = work.operations};
  const Part* const of = find_by(record.parts, part, &Part::name);
  if (of)
    run.traffic = {{"data", of->bytes_held > 0.0 ? of->bytes_held : record.work.bytes_held,
                    work.bytes_moved.value_or(work.bytes) / work.updates}};
  else if (!run.has_traffic)
    run.traffic = traffic_at_least(record.work, record.steps);
  if (of && of->bytes_written)
    run.written = *of->bytes_written / work.bytes_moved.value_or(work.bytes);
  else if (run.has_traffic)
    run.written = written_share(run.traffic, work, record.steps, record.device_type != "cpu");
  run.calls = record.calls.value_or(Calls());
  if (part.empty()) return run;
  // Not counted for parts; each is launched and waited for if the run has as many.
  const auto parts = static_cast<std::int64_t>(record.parts.size());
  run.calls.launches = run.calls.launches >= parts;
  run.calls.waits = run.calls.waits >= parts;
  return run;
}

void analyse(Row& row, const Results& results, const std::vector<Row>& rows) {
  const Peaks* const peaks = results.peaks ? &*results.peaks : nullptr;
  if (peaks) predict(row, *peaks, rows);
  RunFigures run = run_figures(*row.record, row.part, row.work, row.time.median);
  run.least_seconds = row.time_interval.minimum;
  run.network_seconds = row.network_seconds;
  row.roofline = analyse(run, peaks);
  if (!row.roofline.defect.empty()) row.notes.push_back(row.roofline.defect);
}

}  // namespace

Rows of_plans(const std::vector<Row>& rows) {
  Rows found;
  for (const Row& row : rows)
    if (row.source != "tuning") found.push_back(&row);
  return found;
}

Rows right_of_plans(const std::vector<Row>& rows) {
  Rows found = of_plans(rows);
  std::erase_if(found, [](const Row* row) { return !row->is_right(); });
  return found;
}

const Row* best_of(const Rows& rows, const std::function<bool(const Row&)>& fits,
                   const std::function<double(const Row&)>& figure) {
  const auto* const best = find_highest(
      rows, [&](const Row* row) { return fits(*row); }, [&](const Row* row) { return figure(*row); });
  return best ? *best : nullptr;
}

std::string Row::work_group() const {
  const std::string shape = record ? text_in(record->settings, "work_group") : "";
  return sides_in(shape, 1 << 20).size() > 1 ? shape : "";
}

std::string Row::storage() const {
  const std::string stored = record ? text_in(record->settings, "storage") : "";
  return stored == key.precision ? "" : stored;
}

std::string Row::noise() const {
  const int disturbed = repeats_left_out + repeats_disturbed;
  return join_not_empty({spread > noisy_spread ? fmt::format("spread {:.0f} %", 100.0 * spread) : "",
                         disturbed > 0 && 2 * disturbed >= repeats_made
                             ? fmt::format("{} of {} disturbed", disturbed, counted(repeats_made, "repeat"))
                             : ""},
                        ", ");
}

double Row::swing() const {
  const Spread by_round = spread_of(round_seconds);
  return std::max(roofline.swing, is_noisy() ? by_round.maximum / by_round.minimum : 1.0);
}

std::string tuned_of(const Record& record) {
  std::vector<std::string> words;
  if (const auto tuned = record.settings.find("tuned"); tuned != record.settings.end() && tuned->is_object())
    for (const auto& [option, value] : tuned->items())
      words.push_back(value.is_string() && value != "" ? option + ' ' + value.get<std::string>() : option);
  return join(words, ", ");
}

void judge_rate(RunEntry& entry, const std::optional<Peaks>& peaks) {
  if (entry.status != RunStatus::ok || !entry.record || !peaks) return;
  const Record& record = *entry.record;
  const auto judge = [&](const std::string& part, double seconds) {
    const std::string why = analyse(run_figures(record, part, work_of(record, part), seconds), &*peaks).impossible;
    if (why.empty() || entry.status != RunStatus::ok) return;
    entry.status = RunStatus::wrong;
    entry.reason = (part.empty() ? "" : part + ": ") + why;
  };
  for (const Part& part : record.parts)
    for (const double seconds : part.seconds) judge(part.name, seconds);
  if (record.parts.empty())
    for (const Timing& repeat : record.repeats) judge("", repeat.compute_seconds);
}

std::vector<Row> make_rows(const Results& results) {
  std::vector<Row> rows;
  const auto add = [&](std::vector<RunEntry> entries, const char* source) {
    for (RunEntry& entry : entries) judge_rate(entry, results.peaks);
    add_rows(entries, source, rows);
  };
  add(results.entries, "runs");
  add(results.tuning, "tuning");
  compare_rows(rows);
  add_factors(rows);
  for (Row& row : rows)
    if (row.has_figures()) analyse(row, results, rows);
  add_portability(rows);
  add_shares(rows);
  return rows;
}

}  // namespace boltzmark
