#include "analysis/roofline/run_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "analysis/roofline/figures.hpp"
#include "analysis/roofline/words.hpp"
#include "analysis/support/json.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/ranges.hpp"
#include "common/base/statistics.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

using R = const Row&;

bool is_unchecked(const Row& row) { return row.is_done() && !row.is_checked(); }

bool has_any(const Rows& rows, bool (*fits)(const Row&)) {
  return std::ranges::any_of(rows, [fits](const Row* row) { return fits(*row); });
}

Rows chosen(const Rows& rows, const std::function<bool(const Row&)>& fits) {
  Rows kept = rows;
  std::erase_if(kept, [&fits](const Row* row) { return !fits(*row); });
  return kept;
}

/// Appended to a noisy figure; the notes below the table say how noisy.
std::string mark_of(const Row& row) { return row.is_noisy() ? "!" : ""; }

/// Placeholder for the spread of a single round.
constexpr const char* no_spread = "1 run";

std::string rounds_spread(const Row& row) {
  if (!row.has_figures()) return "";
  const Spread rounds = spread_of(row.round_seconds);
  return row.coverage == 0.0 ? no_spread
                             : fmt::format("{:.0f}", 100.0 * (rounds.maximum - rounds.minimum) / rounds.median);
}

/// "±2%": the distance of the farther end of the median's interval.
std::string interval_note(const Row& row) {
  const Spread& t = row.time_interval;
  if (row.coverage == 0.0) return no_spread + mark_of(row);
  const double off = std::max(t.median / t.minimum - 1.0, 1.0 - t.median / t.maximum);
  return fmt::format("±{:.0f}%{}", 100.0 * off, mark_of(row));
}

/// From the fastest to the slowest repeat.
std::string range_words(const Row& row) {
  if (!row.has_figures() || row.time.minimum == row.time.maximum) return row.seconds.size() == 1 ? no_spread : "";
  return significant(row.time.minimum, 4) + " to " + significant(row.time.maximum, 4);
}

std::string extent_words(const Row& row) {
  if (row.check.extent && row.check.passed) return row.check.extent->words();
  return row.check.passed.value_or(false) ? "yes" : "no";
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

}  // namespace

json cell_of(const Row& row, const std::string& name) {
  static const auto columns = [] {
    std::map<std::string, std::function<json(const Row&)>> all;
    for (const FigureColumns<Row>& group : {columns_of_tables(), figure_columns()})
      for (const auto& column : group) all.emplace(column.name, column.cell);
    return all;
  }();
  return without_controls(columns.at(name)(row));
}

namespace {

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

const Keys said_in_titles = {"precision", "steps", "device", "workers_words", "workload", "state", "elements"};

/// The unit of these rows' rates, or several.
std::string rate_units(const Rows& rows) {
  std::set<std::string> units;
  for (const Row* row : rows)
    if (row->has_figures() && row->rate_unit != "GB/s" && !row->rate_unit.empty()) units.insert(row->rate_unit);
  return fmt::format("{}", fmt::join(units, " or "));
}

/// Rows with columns of these names, separated by blanks.
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

/// Rows without parts; on a terminal those of one case.
TableData case_table(const Rows& rows) {
  TableData table = table_of(
      "model program problem precision steps device workers median! least spread rate GB/s bound "
      "x-textbook x-same deviation result",
      rows);
  table.notes = notes_of(rows);
  if (!has_any(rows, [](const Row& row) { return row.roofline.share.has_value(); })) table.without({"verdict"});
  return table.without_empty();
}

/// Rows of parts: a line per run, a column per part.
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

/// The tables of a page, each with its rows.
class PageTables {
 public:
  explicit PageTables(const std::vector<Row>& rows) : first_(rows.data()), rows_(of_plans(rows)) {
    add_every_run();
    ByName<Rows> workloads;
    for (const Row* row : rows_) workloads[row->key.workload].push_back(row);
    for (const auto& [workload, of] : workloads) {
      workload_ = workload;
      const Rows whole = chosen(of, [](const Row& row) { return row.part.empty(); });
      const Rows done = chosen(whole, [](const Row& row) { return row.is_done(); });
      add("runs", "All runs of {}", "files", case_table(whole), whole);
      add("kernels", "Bandwidth of {}", "kernels",
          parts_table(chosen(of, [](const Row& row) { return !row.part.empty(); })), {},
          "GB/s at the median of all executions, and the farther end of the median's interval over the rounds; ! is noisy.");
      add_roofline(done);
      add_scaling(chosen(of, [](const Row& row) { return row.status == RunStatus::ok; }));
      const Rows counted_joules = chosen(done, [](const Row& row) { return !row.joules.empty(); });
      add("energy", "Energy of {}", "energy",
          table_of("model variant problem precision steps device workers median J W updates/J", counted_joules),
          counted_joules,
          "Energy of the timed part, median of the repeats: of all processors of the machine, other users' work "
          "included, or of the GPU with its memory.");
      add_builds(chosen(done, [](const Row& row) { return !row.key.build.empty(); }));
    }
    std::erase_if(all, [](const TableData& table) { return table.rows.empty(); });
  }

  std::vector<TableData> all;

 private:
  /// `rows`: those of its lines, if each line is of one row.
  TableData& add(const std::string& id, const std::string& title, const std::string& section, TableData table,
                 const Rows& rows, const char* caption = "") {
    table.id = workload_.empty() ? id : id + '-' + workload_;
    table.title = fmt::format(fmt::runtime(title), model_words(workload_));
    table.section = section;
    table.caption = caption;
    for (std::size_t i = 0; i < rows.size(); ++i) table.rows[i]["id"] = fmt::format("run-{}", rows[i] - first_ + 1);
    if (section != "runs") table.without_constants(said_in_titles);
    return all.emplace_back(table);
  }

  void add_every_run() {
    TableData& runs =
        add("runs", "All runs", "runs",
            table_of("workload kernel problem precision steps model variant device workers result median "
                     "any-rate GB/s x-textbook x-same bound deviation",
                     rows_)
                .without_empty(),
            rows_,
            "Seconds: median compute time, with the range from the fastest to the slowest repeat. GB/s by the "
            "algorithm's own count of bytes. Bound: the limit that takes the longest time, and its share of the "
            "measured time. Deviation: the largest relative deviation from the reference in double precision.");
    runs.filters = {{"Workload", "workload"}, {"Problem", "case"},        {"Model", "model"},
                    {"Variant", "variant"},   {"Precision", "precision"}, {"Result", "state"}};
    const auto noisy_ones = std::ranges::count_if(rows_, [](const Row* row) { return row->is_noisy(); });
    if (noisy_ones > 0)
      runs.notes = {fmt::format("! Noisy, {}: the reason is among the remarks.", counted(noisy_ones, "figure"))};
    for (std::size_t i = 0; i < rows_.size(); ++i) runs.rows[i]["details"] = run_details(*rows_[i]);
    ByName<const Row*> best;
    for (const Row* row : rows_)
      if (row->is_right() && row->part.empty())
        if (const Row*& known =
                best[fmt::format("{}|{}|{}|{}", row->key.workload, row->case_name, row->key.precision, row->steps())];
            !known || row->time.median < known->time.median)
          known = row;
    const Rows fastest = each(best, [](const auto& one) { return one.second; });
    add("fastest", "The fastest right run of each problem", "files",
        table_of("workload problem precision steps who device workers median! rate GB/s x-textbook x-same bound",
                 fastest)
            .without_empty(),
        fastest);
    const Rows lost = chosen(rows_, [](const Row& row) { return row.status != RunStatus::ok; });
    add("not-run", "Runs that are wrong or were not made", "not-run",
        table_of("workload model variant problem precision steps workers result why", lost), lost);
  }

  void add_roofline(const Rows& done) {
    add("roofline", "Each run of {} under its roof", "roofline",
        table_of("model variant problem precision GB/s FLOP/byte GFLOP/s published level through moved roof of-peak "
                 "bound",
                 done)
            .without_empty(),
        done,
        "GB/s by the algorithm's own count of bytes; FLOPs counted by running the code on a type that counts, and by the "
        "published count. Level: of memory, the one whose bytes take longest; FLOP/byte, moved bytes and roof are those of "
        "it, with the lines that plain stores fetch; a processor's roof is of the patterns that write about as large a "
        "share of their bytes. Bound: the limit that takes "
        "the longest time, for as many workers, and its share of the measured time; under a noisy roof from its best to "
        "its slow moments.");
  }

  /// Lines of rows that differ in their workers, each from the fewest on.
  void add_scaling(const Rows& rows) {
    const auto add_kind = [&](const std::string& kind, const char* names, const auto& is_of_kind, const auto& line_of) {
      Rows sorted = chosen(rows, is_of_kind);
      std::ranges::stable_sort(sorted, {}, [](const Row* row) {
        return std::tuple(row->key.model, row->variant + ' ' + row->setting, row->workers());
      });
      ByName<Rows> lines;
      for (const Row* row : sorted)
        lines[fmt::format("{}|{}|{}|{}", line_of(*row), row->steps(), row->key.precision, row->part)].push_back(row);
      sorted.clear();
      for (const auto& [name, line] : lines) sorted.insert(sorted.end(), line.begin(), line.end());
      TableData& table = add(
          "scaling-" + kind, "Scaling of {} over ranks and threads, " + kind, "scaling", table_of(names, sorted), {},
          "Strong: the same problem for any number of workers; weak: a problem that grows with them. Efficiency: the "
          "rate over the ideal rate by the first row of the line. Halo: share of the compute time in which a rank "
          "only exchanges halo layers or waits for them, as the mean over the ranks and for the rank with the most; "
          "medians of the repeats.");
      if (has_any(sorted, [](const Row& row) { return extent_words(row) == "no"; }))
        table.notes = {"Not checked: too large to compute the reference in the time allowed."};
    };
    add_kind(
        "strong", "problem precision model variant device counted steps median! rate strong halo halo-most checked",
        [](const Row& row) { return row.strong.has_value(); }, [](const Row& row) { return row.case_name; });
    add_kind(
        "weak", "one-worker precision model variant device counted steps median! rate weak halo halo-most checked",
        [](const Row& row) { return row.weak.has_value(); }, [](const Row& row) { return row.weak_line; });
  }

  /// Seconds in each build that a plan named.
  void add_builds(const Rows& built) {
    TableData table = table_of("problem precision steps model variant workers", built);
    ByName<json> lines;
    ByName<std::vector<std::string>> made_by;
    for (std::size_t i = 0; i < built.size(); ++i) {
      const Row& row = *built[i];
      const std::string& build = row.key.build;
      json& cells = table.rows[i];
      const std::size_t rest = row.setting.size() - build.size();  // the setting without its build
      cells["setting"] = row.setting.substr(0, rest > 0 ? rest - 1 : 0);
      json& line = lines[json_line(cells)];
      line.update(cells);
      line.update({{build, row.time.median},
                   {build + " speed-up", json(row.over_first_build)},
                   {build + " verdict", row.verdict_over_build + mark_of(row)}});
      add_once(made_by[build], row_words(row, "{compiler}, {flags}"));
    }
    for (const auto& [build, compilers] : made_by) {
      table.columns.push_back({build, build + "\ns", "4"});
      if (!table.notes.empty())
        table.columns.push_back({build + " speed-up", build + "\nspeed-up", "3", build + " verdict"});
      table.notes.push_back(fmt::format("{}: {}", build, join(compilers, "; ")));
    }
    table.rows = each(lines, [](const auto& line) { return line.second; });
    add("compilers", "Compilers and flags, {}", "compilers", table, {},
        "Median compute seconds in each build; speed-up: the seconds in the first over these, and whether rounds show "
        "it (tie: the interval of the ratio is within 5 %; undecided: too noisy).");
  }

  const Row* first_;
  Rows rows_;
  std::string workload_;
};

}  // namespace

std::vector<TableData> run_tables(const std::vector<Row>& rows) { return PageTables(rows).all; }

TableData own_table(const std::vector<Row>& all) {
  Rows rows = chosen(right_of_plans(all), [](const Row& row) { return row.part.empty() && row.rate; });
  if (rows.empty()) rows = chosen(right_of_plans(all), [](const Row& row) { return row.rate.has_value(); });
  ByName<Rows> problems;
  for (const Row* row : rows) problems[problem_of(*row)].push_back(row);
  rows.clear();
  for (auto [problem, some] : problems) {
    std::ranges::stable_sort(some, std::greater(), [](const Row* row) { return row->rate->median; });
    rows.insert(rows.end(), some.begin(), some.end());
  }
  TableData table =
      table_of("workload kernel problem precision steps device workers model variant any-rate interval bound", rows);
  table.id = "own";
  table.title = "Rates and bounds";
  table.caption =
      "Rate at the median of the rounds; interval: the farther end of the median's, 1 run: one round has none; !: noisy. "
      "Bound: the limit that takes the longest time by measured rates, and its share of the measured time.";
  table.without_constants({"workload", "part", "case", "precision", "steps", "device", "workers_words"});
  return table.without_empty();
}

TableData verdict_table(const std::vector<Row>& rows) {
  TableData table = {
      "verdicts",
      "What bounds the runs",
      "Figures by verdict, each kernel of a run counted, and their shares of the measured time. Latency or "
      "code: every limit takes less than half, even at the best ends of the intervals of run and roof.",
      {{"verdict", "verdict"},
       {"figures", "figures", "whole"},
       {"least", "smallest\nshare", "percent"},
       {"median", "median", "percent"},
       {"most", "largest", "percent"}},
      {}};
  table.section = "roofline";
  ByName<std::vector<double>> shares;
  ByName<int> figures;
  for (const Row* row : of_plans(rows))
    if (row->is_done()) {
      const RooflineAnalysis& at = row->roofline;
      ++figures[at.kind];
      if (at.share) shares[at.kind].push_back(*at.share);
    }
  for (const auto& [kind, count] : figures) {
    json& line = table.rows.emplace_back(json{{"verdict", kind}, {"figures", count}});
    if (const auto& found = shares[kind]; !found.empty()) {
      const Spread spread = spread_of(found);
      line.update({{"least", spread.minimum}, {"median", spread.median}, {"most", spread.maximum}});
    }
  }
  std::ranges::stable_sort(table.rows, std::greater(), [](const json& line) { return line["figures"].get<int>(); });
  return table.without_empty();
}

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
