#include "analysis/roofline/run_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "analysis/roofline/figures.hpp"
#include "analysis/roofline/run_columns.hpp"
#include "analysis/roofline/words.hpp"
#include "analysis/support/json.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/ranges.hpp"
#include "common/base/statistics.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

bool is_unchecked(const Row& row) { return row.is_done() && !row.is_checked(); }

/// For right rows that were not checked: the spread of a metric, relative to its largest value.
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

/// Reasons why rows are not right, tuned options, remarks on figures: a line for each, with its rows.
std::vector<std::string> notes_of(const Rows& rows) {
  std::vector<std::pair<std::string, std::string>> said;
  for (const Row* row : rows) {
    const std::string name = row->key.model + ' ' + variant_words(*row);
    if (row->status != RunStatus::ok) said.emplace_back(status_words(*row).substr(name.size() + 2), name);
    if (!row->tuned.empty())
      said.emplace_back(fmt::format("tuned options were used ({}); --no-tuned leaves them out", row->tuned), name);
    for (const std::string& note : row->notes) said.emplace_back(note, name);
    if (row->is_noisy()) said.emplace_back("noisy (!)", fmt::format("{} ({})", name, row->noise()));
  }
  if (has_any(rows, is_unchecked)) said.emplace_back(unchecked_words(rows), "");
  return said_once(said);
}

}  // namespace

TableData case_table(const Rows& rows) {
  TableData table = table_of(
      "model program problem precision steps device workers median! least spread rate GB/s bound "
      "x-textbook x-same deviation result",
      rows);
  table.notes = notes_of(rows);
  if (!has_any(rows, [](const Row& row) { return row.roofline.share.has_value(); })) table.without({"verdict"});
  return table.without_empty();
}

TableData parts_table(const Rows& rows) {
  std::vector<std::string> parts;
  ByName<Rows> runs;
  for (const Row* row : rows) {
    if (!row->part.empty()) add_once(parts, row->part);
    runs[row->key.configuration()].push_back(row);
  }
  TableData table = table_of("model variant device precision workers elements result",
                             each(runs, [](const auto& run) { return run.second.front(); }));
  for (const std::string& part : parts)
    table.columns.insert(table.columns.end() - 1, {part, part, "3", part + " interval"});
  json* line = table.rows.data();
  for (const auto& [configuration, run] : runs) {
    for (const Row* row : run)
      if (row->has_figures())
        line->update({{row->part, row->gb_per_s.median}, {row->part + " interval", interval_note(*row)}});
    ++line;
  }
  table.notes = notes_of(rows);
  return table;
}

namespace {

/// For one model: if each has one device, the lines at the end name it.
bool has_several_devices(const Rows& rows) {
  std::map<std::string, std::set<std::string>> devices;
  for (const Row* row : rows)
    if (!row->device.empty()) devices[row->key.model].insert(row->device);
  return std::ranges::any_of(devices, [](const auto& one) { return one.second.size() > 1; });
}

/// "lbm 128x128, 40000 steps, f32": common to all rows of a case.
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

/// On a terminal, where each case has a table.
std::string text_of_case(const Rows& rows, bool has_parts, int width) {
  TableData table = has_parts ? parts_table(rows) : case_table(rows);
  Keys said = has_parts ? Keys() : Keys{"case", "precision", "steps"};  // by the heading
  if (!has_several_devices(rows)) said.emplace_back("device");
  if (std::ranges::all_of(rows, [](const Row* row) { return row->is_right(); })) said.emplace_back("state");
  table.without(said);
  if (!has_any(rows, [](const Row& row) { return row.has_figures(); })) table.rows.clear();
  const Row* const known = *std::ranges::max_element(rows, {}, [](const Row* row) { return row->record.has_value(); });
  table.title =
      has_parts ? known->key.workload + ": GB/s at the median, ± the farther end of its interval" : case_words(*known);
  if (!has_parts && has_any(rows, [](const Row& row) { return row.is_best_of_model; }))
    table.title += "; *: fastest of its model";
  table.title = one_line(table.title);
  return table.text(width) + (table.notes.empty() ? "" : "\n");
}

}  // namespace

std::string footer(const std::vector<Row>& rows, int width) {
  int cores = 0;  // the most that any run saw, because a launcher binds a rank to fewer than the machine has
  for (const Row& row : rows) cores = std::max(cores, row.record ? row.record->provenance.cores : 0);
  std::string text;
  const auto add = [&](const char* name, const std::string& words, const std::string& more = "") {
    if (!words.empty()) text += wrapped(one_line(name + words + more), width, 9);
  };
  const auto by = [&rows](const char* pattern) {
    std::vector<std::pair<std::string, std::string>> all;
    for (const Row& row : rows)
      if (const std::string words = row_words(row, pattern); !words.empty()) all.emplace_back(row.key.model, words);
    return all.empty() ? "" : by_model(all);
  };
  if (by("{host}").empty()) return "";
  add("Intervals: ", interval_words(rows));
  add("", noise_words(rows));
  add("Devices: ", by("{device}"));
  add("Machine: ", by("{host}, {cpu}, {system}"), ", " + counted(cores, "core"));
  add("Built: boltzmark ", by("{version} ({revision}), {compiler} {flags}"));
  return text;
}

std::string noise_words(const std::vector<Row>& rows) {
  const Row* const noisy = find_where(rows, [](const Row& row) { return !row.roofline.noise.empty(); });
  return noisy ? fmt::format(
                     "Noisy roofs, from their slow to their best moments: {}. A share is of the best; where two "
                     "are given, of both. To decide more: `boltzmark peaks --fresh` and the plan on a quiet machine.",
                     noisy->roofline.noise)
               : "";
}

std::string interval_words(const std::vector<Row>& rows) {
  std::map<std::size_t, double> coverages;  // by rounds
  for (const Row& row : rows)
    if (row.coverage > 0.0 && row.source != "tuning") coverages[row.round_seconds.size()] = row.coverage;
  if (coverages.empty()) return "";
  const auto of = [](const auto& one) { return fmt::format("{:.0f} % ({} rounds)", 100.0 * one.second, one.first); };
  return fmt::format("contain the true median with a probability of {}{}", of(*coverages.begin()),
                     coverages.size() == 1 ? "" : " to " + of(*coverages.rbegin()));
}

std::string comparison_text(const std::vector<Row>& rows, int width) {
  std::set<std::string> with_parts;
  for (const Row& row : rows)
    if (!row.part.empty()) with_parts.insert(row.key.workload);
  ByName<Rows> groups;  // rows with parts share one table for all sizes
  for (const Row* row : of_plans(rows))
    groups[with_parts.contains(row->key.workload) ? row->key.workload : case_of(*row)].push_back(row);
  std::string text;
  for (const auto& [name, group] : groups) text += text_of_case(group, with_parts.contains(name), width);
  return text + footer(rows, width);
}

}  // namespace boltzmark
