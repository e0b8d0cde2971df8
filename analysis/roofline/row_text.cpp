#include "analysis/roofline/row_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "analysis/support/terminal.hpp"
#include "common/base/ranges.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

using CellOf = std::function<Cell(const Row&)>;

/// A column of a case's table, and its cell of a row.
using Shown = std::pair<Column, CellOf>;

CellOf timed(double (*value)(const Row&), int digits) {
  return [=](const Row& row) { return row.has_figures() ? significant(value(row), digits) : "-"; };
}

CellOf speed_up(std::optional<Spread> Row::*over) {
  return [=](const Row& row) { return row.*over ? significant((row.*over)->median, 3) : "-"; };
}

std::string variant_and_marks(const Row& row) {
  return (row.is_best_of_model ? "* " : "") + variant_words(row) + (row.tuned.empty() ? "" : " (tuned)");
}

bool is_unchecked(const Row& row) { return row.is_done() && !row.is_checked(); }
bool any(const Rows& rows, bool (*fits)(const Row&)) {
  return std::ranges::any_of(rows, [fits](const Row* row) { return fits(*row); });
}

/// Of one model: where each has one device, the lines at the end name it.
bool several_devices(const Rows& rows) {
  std::map<std::string, std::set<std::string>> devices;
  for (const Row* row : rows)
    if (!row->device.empty()) devices[row->key.model].insert(row->device);
  return std::ranges::any_of(devices, [](const auto& one) { return one.second.size() > 1; });
}

/// Appended to a noisy figure; the notes below the table say how noisy.
const char* mark_of(const Row& row) { return row.is_noisy() ? "!" : ""; }

/// What stands where the spread of a single round would.
constexpr const char* no_spread = "1 run";

/// "44.4 ±2%": the median, and the distance of the farther end of its interval.
std::string rate_and_interval(const Row& row) {
  const Spread& t = row.time_interval;
  if (row.coverage == 0.0) return fmt::format("{} {}{}", significant(row.gb_per_s.median, 3), no_spread, mark_of(row));
  const double off = std::max(t.median / t.minimum - 1.0, 1.0 - t.median / t.maximum);
  return fmt::format("{} ±{:.0f}%{}", significant(row.gb_per_s.median, 3), 100.0 * off, mark_of(row));
}

std::string device_words(const Row& row) { return row.device.empty() ? "-" : plain_device(row.device); }

std::vector<Shown> columns_for(const Rows& rows) {
  const auto unit = std::ranges::find_if(rows, [](const Row* row) { return row->has_figures(); });
  std::vector<Shown> all = {{cut("model"), [](const Row& row) { return row.key.model; }},
                            {cut("variant"), variant_and_marks}};
  if (several_devices(rows)) all.push_back({cut("device", 4), device_words});
  all.push_back({right("ranks x\nthreads"), workers_words});
  all.push_back({right("median\ns"), [](const Row& row) {
                   return row.has_figures() ? significant(row.time.median, 4) + mark_of(row) : "-";
                 }});
  all.push_back({right("best\ns", 3), timed([](const Row& row) { return row.time.minimum; }, 4)});
  all.push_back({right("spread\n%"), [](const Row& row) {
                   if (!row.has_figures()) return std::string("-");
                   const Spread rounds = spread_of(row.round_seconds);
                   return row.coverage == 0.0
                              ? no_spread
                              : fmt::format("{:.0f}", 100.0 * (rounds.maximum - rounds.minimum) / rounds.median);
                 }});
  all.push_back({right(unit == rows.end() ? "rate" : (*unit)->rate_unit),
                 [](const Row& row) { return row.rate ? significant(row.rate->median, 4) : "-"; }});
  all.push_back({right("GB/s", 2), timed([](const Row& row) { return row.gb_per_s.median; }, 3)});
  if (any(rows, [](const Row& row) { return row.roofline.share.has_value(); }))
    all.push_back({left("bound"), [](const Row& row) { return row.has_figures() ? row.roofline.verdict : "-"; }});
  if (any(rows, [](const Row& row) { return row.over_textbook.has_value(); }))
    all.push_back({right("x serial\ntextbook"), speed_up(&Row::over_textbook)});
  if (any(rows, [](const Row& row) { return row.over_like_for_like.has_value(); }))
    all.push_back({right("x same\nalgorithm"), speed_up(&Row::over_like_for_like)});
  if (any(rows, [](const Row& row) { return row.is_checked(); }))
    all.push_back({right("largest\ndeviation", 4),
                   [](const Row& row) { return row.is_checked() ? number_cell(row.check.worst().value, 2) : "-"; }});
  if (any(rows, [](const Row& row) { return row.status != RunStatus::ok || is_unchecked(row); }))
    all.push_back(
        {left("status", 1), [](const Row& row) { return is_unchecked(row) ? "not checked" : to_string(row.status); }});
  return all;
}

std::string text_of(const Rows& rows, const std::vector<Shown>& shown, int width) {
  Table table(each(shown, &Shown::first));
  for (const Row* row : rows) table.add_row(each(shown, [&](const Shown& one) { return one.second(*row); }));
  return table.text(width);
}

/// Of right rows that were not checked: the spread of a metric, relative to the largest.
std::string unchecked_words(const Rows& rows) {
  std::map<std::string, std::vector<double>> values;
  for (const Row* row : rows)
    if (is_unchecked(*row))
      for (std::size_t i = 1; i < row->record->metrics.size(); ++i)  // the first is the rate
        if (const Metric& metric = row->record->metrics[i]; metric.value) values[metric.name].push_back(*metric.value);
  std::string words = "not checked where there is no deviation";
  for (const auto& [name, all] : values) {
    const auto [least, most] = std::ranges::minmax_element(all);
    if (all.size() > 1 && *most != 0.0)
      words +=
          fmt::format("; {} are within {} of each other", name, significant((*most - *least) / std::abs(*most), 2));
  }
  return words;
}

/// Why rows are not right, tuned options, what to know of figures: a line for each, with the rows that it is of.
std::vector<std::string> notes_of(const Rows& rows) {
  std::vector<std::string> lines;
  const auto add = [&lines](const std::string& line) { add_once(lines, line); };
  ByName<std::vector<std::string>> causes;
  for (const Row* row : rows) {
    if (row->status == RunStatus::ok) continue;
    const std::string name = row->key.model + ' ' + variant_words(*row), cause = status_words(*row).substr(name.size());
    add_once(causes[cause], name);
  }
  for (const auto& [cause, names] : causes) add(join(names, ", ") + cause);
  ByName<std::vector<std::string>> remarks;
  for (const Row* row : rows) {
    const std::string name = row->key.model + ' ' + variant_words(*row);
    if (!row->tuned.empty())
      add(fmt::format("{}: tuned options were used: {}; --no-tuned leaves them out", name, row->tuned));
    for (const std::string& note : row->notes) add_once(remarks[note], name);
  }
  for (const auto& [note, names] : remarks) add(fmt::format("{}: {}", note, join(names, ", ")));
  if (any(rows, is_unchecked)) add(unchecked_words(rows));
  return lines;
}

std::string with_notes(const std::string& heading, const std::string& table, const Rows& rows, int width) {
  std::string text = fmt::format("{}\n\n{}{}", one_line(heading), table, table.empty() ? "" : "\n");
  const auto notes = notes_of(rows);
  for (const std::string& note : notes) text += wrapped(one_line("- " + note), width, 2);
  return notes.empty() ? text : text + '\n';
}

/// "lbm 128x128, 40000 steps, f32": what all rows of a case have in common.
std::string case_words(const Row& row) {
  std::string words = fmt::format("{} {}", row.key.workload, row.case_name);
  if (row.record) {
    const std::string extent = fmt::format("{}", fmt::join(row.record->case_.extent, " x "));
    const std::string short_extent = fmt::format("{}", fmt::join(row.record->case_.extent, "x"));
    if (row.case_name.find(short_extent) == row.case_name.npos) words += fmt::format(" ({})", extent);
  }
  if (row.steps() > 1) words += fmt::format(", {}", counted(row.steps(), "step"));
  return fmt::format("{}, {}", words, row.key.precision);
}

std::string case_text(const Rows& rows, int width) {
  std::string heading = case_words(*rows.front());
  for (const Row* row : rows)
    if (row->record) heading = case_words(*row);
  if (any(rows, [](const Row& row) { return row.is_best_of_model; })) heading += "; *: fastest of its model";
  const bool none = !any(rows, [](const Row& row) { return row.has_figures(); });
  return with_notes(heading, none ? "" : text_of(rows, columns_for(rows), width), rows, width);
}

/// Rows of parts: a line per configuration, a column per part.
std::string parts_text(const Rows& rows, int width) {
  std::vector<std::string> parts;
  ByName<Rows> lines;
  for (const Row* row : rows) {
    if (!row->part.empty()) add_once(parts, row->part);
    lines[row->key.configuration()].push_back(row);
  }
  std::vector<Column> columns = {cut("model"), cut("device", several_devices(rows) ? 0 : 1), right("ranks x\nthreads"),
                                 left("precision"), right("elements")};
  for (const std::string& part : parts) columns.push_back(right(part));
  columns.push_back(left("status"));
  Table table(columns);
  for (const auto& [configuration, line] : lines) {
    const Row& first = *line.front();
    std::vector<Cell> cells = {first.setting.empty() ? first.key.model : first.key.model + ' ' + first.setting,
                               device_words(first), workers_words(first), first.key.precision, first.case_name};
    for (const std::string& part : parts) {
      const auto* const at = find_by(line, part, &Row::part);
      cells.push_back(at && (*at)->has_figures() ? rate_and_interval(**at) : "-");
    }
    cells.push_back(to_string(first.status));
    table.add_row(std::move(cells));
  }
  return with_notes(rows.front()->key.workload + ": GB/s at the median, ± the farther end of its interval",
                    table.text(width), rows, width);
}

}  // namespace

std::string footer(const std::vector<Row>& rows, int width) {
  std::vector<std::pair<std::string, std::string>> devices, machines, builds;
  int cores = 0;
  for (const Row& row : rows) {
    if (!row.record) continue;
    const Provenance& p = row.record->provenance;
    // A launcher binds a rank to fewer cores than the machine has: the most that any run saw.
    cores = std::max(cores, p.cores);
    devices.emplace_back(row.key.model, row.device);
    machines.emplace_back(row.key.model, fmt::format("{}, {}, {}", p.host, p.cpu, p.system));
    if (p.compiler.empty()) continue;  // the user's own program
    builds.emplace_back(row.key.model, fmt::format("{} ({}), {} {}", p.version, p.revision, p.compiler, p.flags));
  }
  if (devices.empty()) return "";
  const std::string intervals = interval_words(rows);
  const auto lines = [width](const std::string& text) { return wrapped(one_line(text), width, 9); };
  return (intervals.empty() ? "" : lines("Intervals: " + intervals)) + lines("Devices: " + by_model(devices)) +
         lines(fmt::format("Machine: {}, {}", by_model(machines), counted(cores, "core"))) +
         (builds.empty() ? "" : lines("Built: boltzmark " + by_model(builds)));
}

std::string interval_words(const std::vector<Row>& rows) {
  std::map<std::size_t, double> coverages;  // by rounds
  for (const Row& row : rows)
    if (row.coverage > 0.0 && row.source != "tuning") coverages[row.round_seconds.size()] = row.coverage;
  if (coverages.empty()) return "";
  const auto of = [](const auto& one) { return fmt::format("of {} rounds {:.0f} %", one.first, 100.0 * one.second); };
  return fmt::format("of medians of rounds; they cover, {}{}", of(*coverages.begin()),
                     coverages.size() == 1 ? "" : ", " + of(*coverages.rbegin()));
}

std::string variant_words(const Row& row) {
  std::string words = row.variant.empty() ? "default" : row.variant;
  for (const std::string& more : {row.setting, row.part})
    if (!more.empty()) words += ' ' + more;
  return words;
}

std::string workers_words(const Row& row) {
  if (row.ranks <= 1 && row.threads == 0) return "-";
  if (!row.record && row.threads == 0) return counted(row.ranks, "rank");
  return fmt::format("{}x{}", std::max(1, row.ranks), row.threads > 0 ? std::to_string(row.threads) : "-");
}

std::string program_words(const Row& row) {
  const std::string workers = workers_words(row);
  return fmt::format("{} {}{}", row.key.model, variant_words(row), workers == "-" ? "" : ' ' + workers);
}

std::string device_of(const Row& row) {
  return row.record->device_type == "cpu" ? row.record->provenance.cpu : row.device;
}

std::string status_words(const Row& row) {
  const std::string round = row.worst_round > 1 ? fmt::format(" (round {})", row.worst_round) : "";
  return fmt::format("{} {}: {}{}: {}", row.key.model, variant_words(row), to_string(row.status), round, row.reason);
}

std::string plain_device(std::string name) {
  for (const char* noise : {"(R)", "(TM)", "(tm)", "(r)", " CPU", " Processor"})
    for (std::size_t at = 0; (at = name.find(noise)) != name.npos;) name.erase(at, std::string(noise).size());
  return name;
}

std::string by_model(const std::vector<std::pair<std::string, std::string>>& model_and_value) {
  ByName<std::vector<std::string>> models;
  for (const auto& [model, value] : model_and_value) add_once(models[value], model);
  if (models.size() == 1) return models.begin()->first;
  return joined(models, "; ",
                [](const auto& one) { return fmt::format("{} ({})", one.first, join(one.second, ", ")); });
}

std::string comparison_text(const std::vector<Row>& rows, int width) {
  std::set<std::string> with_parts;
  for (const Row& row : rows)
    if (!row.part.empty()) with_parts.insert(row.key.workload);
  ByName<Rows> groups;  // rows with parts share one table for all sizes
  for (const Row* row : of_plans(rows))
    groups[with_parts.contains(row->key.workload) ? row->key.workload : case_of(*row)].push_back(row);
  std::string text;
  for (const auto& [name, group] : groups)
    text += with_parts.contains(name) ? parts_text(group, width) : case_text(group, width);
  return text + footer(rows, width);
}

}  // namespace boltzmark
