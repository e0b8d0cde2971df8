#include "analysis/roofline/run_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "analysis/roofline/figures.hpp"
#include "analysis/roofline/words.hpp"
#include "analysis/support/json.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/statistics.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

using R = const Row&;

/// Placeholder for the spread of a single round.
constexpr const char* no_spread = "1 run";

std::string rounds_spread(const Row& row) {
  if (!row.has_figures()) return "";
  const Spread rounds = spread_of(row.round_seconds);
  return row.coverage == 0.0 ? no_spread
                             : fmt::format("{:.0f}", 100.0 * (rounds.maximum - rounds.minimum) / rounds.median);
}

/// From the fastest to the slowest repeat.
std::string range_words(const Row& row) {
  if (!row.has_figures() || row.time.minimum == row.time.maximum) return row.seconds.size() == 1 ? no_spread : "";
  return significant(row.time.minimum, 4) + " to " + significant(row.time.maximum, 4);
}

/// Columns that only tables have, or have in other words than figures.csv.
FigureColumns<Row> columns_of_tables() {
  return {
      {"program: variant, setting and part; whether it is the fastest of its model, and with tuned options",
       [](R row) {
         return (row.is_best_of_model ? "* " : "") + variant_words(row) + (row.tuned.empty() ? "" : " (tuned)");
       }},
      {"who: model, variant and setting", who_words},
      {"name: variant and setting",
       [](R row) {
         return join_not_empty({row.variant, row.setting});
       }},
      {"of_device: the processor, or the device", [](R row) { return row.record ? device_of(row) : ""; }},
      {"all_steps: per repeat", &Row::steps},
      {"seconds_best: of a tuner's trials the shortest, else the median",
       [](R row) { return row.source == "tuning" ? row.time.minimum : row.time.median; }},
      {"chosen: whether the model itself chose the work-group",
       [](R row) { return row.key.work_group.empty() ? "chosen" : ""; }},
      {"workers_words: ranks and threads", [](R row) { return workers_words(row) == "-" ? "" : workers_words(row); }},
      {"workers_counted: ranks, threads or devices",
       [](R row) {
         const std::string units = !row.workers_unit.empty() ? row.workers_unit
                                   : row.ranks > 1           ? "ranks"
                                   : row.threads > 0         ? "threads"
                                                             : "devices";
         return counted(row.workers(), units.substr(0, units.rfind('s')));
       }},
      {"storage: of its numbers, if narrower than the precision", &Row::storage},
      {"team: ranks times threads; 0 if the device decides", [](R row) { return row.ranks * row.threads; }},
      {"steps: of a workload with several",
       [](R row) { return row.steps() > 1 ? std::optional(row.steps()) : std::nullopt; }},
      {"state: outcome", state_words},
      {"mark: of a noisy figure", mark_of},
      {"noise: why it is noisy", &Row::noise},
      {"remarks: on its figures, except on noise", [](R row) { return join(row.notes, "; "); }},
      {"spread: of the rounds, %", rounds_spread},
      {"interval: of the median", [](R row) { return row.has_figures() ? interval_note(row) : ""; }},
      {"range: from the fastest to the slowest repeat",
       [](R row) {
         return join_not_empty({range_words(row), mark_of(row)}, ", ");
       }},
      {"extent: whether it was checked, or how much of it", extent_words}};
}

/// Columns of tables by name.
const std::map<std::string, TableColumn>& known_columns() {
  static const std::map<std::string, TableColumn> columns = {
      {"workload", {"workload", "workload", "model"}},
      {"kernel", {"part", "kernel", "", "", false, "workload"}},
      {"problem", {"case", "problem", "problem"}},
      {"precision", {"precision", "precision", "", "", false, "case"}},
      {"steps", {"steps", "steps", "whole", "", false, "case"}},
      {"model", {"model", "model", "model"}},
      {"variant", {"variant", "variant", "", "setting"}},
      {"program", {"program", "variant"}},
      {"who", {"who", "fastest run"}},
      {"device", {"device", "device", "device", "", false, "model", 4}},
      {"workers", {"workers_words", "ranks \u00d7\nthreads", "problem"}},
      {"elements", {"elements", "elements", "grouped"}},
      {"result", {"state", "result", "", "", false, "", 1}},
      {"why", {"reason", "why", "", "", true}},
      {"median", {"seconds_median", "median\ns", "4", "range"}},
      {"median!", {"seconds_median", "median\ns", "4", "mark"}},
      {"least", {"seconds_min", "best\ns", "4", "", false, "", 3}},
      {"spread", {"spread", "spread\n%", "whole"}},
      {"rate", {"rate", "rate", "4"}},
      {"any-rate", {"rate", "rate", "4", "rate_unit"}},
      {"GB/s", {"gb_per_s", "GB/s", "4", "", false, "", 2}},
      {"x-textbook", {"speed_up_over_textbook", "x serial\ntextbook", "3"}},
      {"x-same", {"speed_up_over_like_for_like", "x same\nalgorithm", "3"}},
      {"bound", {"verdict", "bound"}},
      {"interval", {"interval", "interval"}},
      {"deviation", {"deviation", "largest\ndeviation", "2", "", false, "", 4}},
      {"FLOP/byte", {"flop_per_byte", "FLOP/\nbyte", "3"}},
      {"GFLOP/s", {"gflop_per_s", "GFLOP/s", "4"}},
      {"published", {"conventional_gflop_per_s", "GFLOP/s\npublished\ncount", "4"}},
      {"level", {"level", "level"}},
      {"through", {"level_bytes_per_update", "through it,\nbytes\nan update", "3"}},
      {"moved", {"level_gb_per_s", "moved\nGB/s", "4"}},
      {"roof", {"roof_gb_per_s", "roof\nGB/s", "4", "roof_of"}},
      {"of-peak", {"share_of_peak", "of\npeak", "percent"}},
      {"one-worker", {"weak_line", "problem of\none worker", "problem"}},
      {"counted", {"workers_counted", "cores or\ndevices"}},
      {"strong", {"strong_efficiency", "effi-\nciency\n%", "tenths"}},
      {"weak", {"weak_efficiency", "effi-\nciency\n%", "tenths"}},
      {"halo", {"halo_share", "halo\n%", "tenths"}},
      {"halo-most", {"halo_share_most", "halo,\nmost\n%", "tenths"}},
      {"checked", {"extent", "checked"}},
      {"J", {"joules", "J", "4"}},
      {"W", {"watts", "W", "4"}},
      {"updates/J", {"updates_per_joule", "updates\na joule", "4"}}};
  return columns;
}

/// The unit of these rows' rates, or several.
std::string rate_units(const Rows& rows) {
  std::set<std::string> units;
  for (const Row* row : rows)
    if (row->has_figures() && row->rate_unit != "GB/s" && !row->rate_unit.empty()) units.insert(row->rate_unit);
  return fmt::format("{}", fmt::join(units, " or "));
}

}  // namespace

std::string mark_of(const Row& row) { return row.is_noisy() ? "!" : ""; }

std::string interval_note(const Row& row) {
  const Spread& t = row.time_interval;
  if (row.coverage == 0.0) return no_spread + mark_of(row);
  const double off = std::max(t.median / t.minimum - 1.0, 1.0 - t.median / t.maximum);
  return fmt::format("±{:.0f}%{}", 100.0 * off, mark_of(row));
}

std::string extent_words(const Row& row) {
  if (row.check.extent && row.check.passed) return row.check.extent->words();
  return row.check.passed.value_or(false) ? "yes" : "no";
}

json cell_of(const Row& row, const std::string& name) {
  static const auto columns = [] {
    std::map<std::string, std::function<json(const Row&)>> all;
    for (const FigureColumns<Row>& group : {columns_of_tables(), figure_columns()})
      for (const auto& column : group) all.emplace(column.name, column.cell);
    return all;
  }();
  return without_controls(columns.at(name)(row));
}

TableData table_of(const char* names, const Rows& rows) {
  TableData table;
  table.unit = "run";
  for (const std::string& name : words_in(names)) {
    TableColumn column = known_columns().at(name);
    if (name == "rate") column.header = rate_units(rows);
    if (!column.header.empty()) table.columns.push_back(column);
  }
  for (const Row* row : rows) {
    json& line = table.rows.emplace_back(json::object());
    for (const TableColumn& column : table.columns)
      for (const std::string& key : {column.key, column.note})
        if (!key.empty()) line[key] = cell_of(*row, key);
  }
  return table;
}

bool has_any(const Rows& rows, bool (*fits)(const Row&)) {
  return std::ranges::any_of(rows, [fits](const Row* row) { return fits(*row); });
}

Rows chosen(const Rows& rows, const std::function<bool(const Row&)>& fits) {
  Rows kept = rows;
  std::erase_if(kept, [&fits](const Row* row) { return !fits(*row); });
  return kept;
}

}  // namespace boltzmark
