#include "analysis/roofline/comparison_text.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>

#include "analysis/roofline/comparison.hpp"
#include "analysis/roofline/row_words.hpp"
#include "analysis/support/progress.hpp"
#include "analysis/support/table.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

using Rows = std::vector<const Row*>;
using Words = std::function<std::string(const Row&)>;

/// A column of a case's table.
struct Shown {
  Column column;
  Words words;
  int spare = 0;  ///< the highest goes first where the terminal is too narrow; 0 never goes
};

Words timed(double (*value)(const Row&), int digits) {
  return [=](const Row& row) { return row.has_figures() ? significant(value(row), digits) : "-"; };
}

std::string speed_up(const std::optional<Spread>& over) { return over ? significant(over->median, 3) : "-"; }

std::string variant_and_marks(const Row& row) {
  return variant_words(row) + (row.tuned.empty() ? "" : " (tuned)") + (row.is_best_of_model ? " *" : "");
}

bool any(const Rows& rows, bool (*fits)(const Row&)) {
  return std::any_of(rows.begin(), rows.end(), [fits](const Row* row) { return fits(*row); });
}

bool several_devices(const Rows& rows) {
  std::vector<std::string> names;
  for (const Row* row : rows)
    if (!row->device.empty() && !contains(names, row->device)) names.push_back(row->device);
  return names.size() > 1;
}

/// Behind a figure that is not to be trusted; the notes below the table say why.
const char* mark_of(const Row& row) { return row.notes.empty() ? "" : "!"; }

/// "44.4 +-2%": the median, and how far the farther end of its interval lies from it.
std::string rate_and_interval(const Row& row) {
  const Spread& t = row.time_interval;
  const double off = std::max(t.median / t.minimum - 1.0, 1.0 - t.median / t.maximum);
  return fmt::format("{} ±{:.0f}%{}", significant(row.gb_per_s.median, 3), 100.0 * off, mark_of(row));
}

std::string device_words(const Row& row) { return row.device.empty() ? "-" : plain_device(row.device); }

std::vector<Shown> columns_for(const Rows& rows) {
  const auto right = [](const std::string& header) { return Column{header, Align::right}; };
  const auto unit = std::find_if(rows.begin(), rows.end(), [](const Row* row) { return row->has_figures(); });
  std::vector<Shown> all = {
      {{"model", Align::left, true}, [](const Row& row) { return row.key.model; }},
      {{"variant", Align::left, true}, variant_and_marks},
      {right("ranks x\nthreads"), [](const Row& row) { return workers_words(row); }},
      {right("median\ns"),
       [](const Row& row) {
         return row.has_figures() ? significant(row.time.median, 4) + mark_of(row) : "-";
       }},
      {right("best\ns"), timed([](const Row& row) { return row.time.minimum; }, 4), 3},
      {right("spread\n%"),
       [](const Row& row) {
         const double spread = 100.0 * (row.time.maximum - row.time.minimum) / row.time.median;
         return row.has_figures() ? fmt::format("{:.0f}", spread) : "-";
       }},
      {right(unit == rows.end() ? "rate" : (*unit)->rate_unit),
       [](const Row& row) { return row.rate ? significant(row.rate->median, 4) : "-"; }},
      {right("GB/s"), timed([](const Row& row) { return row.gb_per_s.median; }, 3), 2}};
  if (several_devices(rows)) all.insert(all.begin() + 2, {{"device", Align::left, true}, device_words, 4});
  if (any(rows, [](const Row& row) { return row.roofline.share_of_roof.has_value(); }))
    all.push_back({right("% of\nroof"), [](const Row& row) {
                     const auto share = row.roofline.share_of_roof;
                     return share ? fmt::format("{:.0f}", 100.0 * *share) : "-";
                   }});
  if (any(rows, [](const Row& row) { return row.over_textbook.has_value(); }))
    all.push_back({right("x text-\nbook"), [](const Row& row) { return speed_up(row.over_textbook); }});
  if (any(rows, [](const Row& row) { return row.over_like_for_like.has_value(); }))
    all.push_back(
        {right("x like\nfor like"), [](const Row& row) { return speed_up(row.over_like_for_like); }});
  if (any(rows, [](const Row& row) { return row.is_checked(); }))
    all.push_back(
        {right("largest\ndeviation"),
         [](const Row& row) { return row.is_checked() ? number_cell(row.check.worst().value, 2) : "-"; }, 4});
  if (any(rows, [](const Row& row) { return row.status != RunStatus::ok; }))
    all.push_back({{"status"}, [](const Row& row) { return to_string(row.status); }, 1});
  return all;
}

std::string text_of(const Rows& rows, const std::vector<Shown>& shown, int width) {
  std::vector<Column> columns;
  for (const Shown& one : shown) columns.push_back(one.column);
  Table table(columns);
  for (const Row* row : rows) {
    std::vector<Cell> cells;
    for (const Shown& one : shown) cells.push_back(one.words(*row));
    table.add_row(std::move(cells));
  }
  return table.text(width);
}

int widest_line(const std::string& text) {
  int widest = 0;
  for (const std::string& line : split(text, '\n')) widest = std::max(widest, display_width(line));
  return widest;
}

/// Without columns that can be spared, as far as the width asks for it.
std::string fitted(const Rows& rows, std::vector<Shown> shown, int width) {
  for (;;) {
    std::string text = text_of(rows, shown, width);
    const auto spared = std::max_element(shown.begin(), shown.end(),
                                         [](const Shown& a, const Shown& b) { return a.spare < b.spare; });
    if (widest_line(text) <= width || spared->spare == 0) return text;
    const int least_needed = spared->spare;
    std::erase_if(shown, [least_needed](const Shown& one) { return one.spare == least_needed; });
  }
}

/// Of right rows that were not checked: how far a metric of theirs lies apart, relative to the largest.
std::string unchecked_words(const Rows& rows) {
  std::map<std::string, std::vector<double>> values;
  for (const Row* row : rows)
    if (row->is_right() && !row->is_checked())
      for (std::size_t i = 1; i < row->record->metrics.size(); ++i)  // the first is the rate
        if (const Metric& metric = row->record->metrics[i]; metric.value)
          values[metric.name].push_back(*metric.value);
  std::string words = "not checked where there is no deviation";
  for (const auto& [name, all] : values) {
    const auto [least, most] = std::minmax_element(all.begin(), all.end());
    if (all.size() > 1 && *most != 0.0)
      words += fmt::format("; {} lie within {} of each other", name,
                           significant((*most - *least) / std::abs(*most), 2));
  }
  return words;
}

/// Why rows are not right, a line for each cause; tuned options; what to know of figures.
std::vector<std::string> notes_of(const Rows& rows) {
  std::vector<std::string> lines;
  const auto add = [&lines](const std::string& line) {
    if (!contains(lines, line)) lines.push_back(line);
  };
  std::vector<std::pair<std::string, std::vector<std::string>>> causes;
  for (const Row* row : rows) {
    if (row->status == RunStatus::ok) continue;
    const std::string name = row->key.model + ' ' + variant_words(*row),
                      cause = status_words(*row).substr(name.size());
    auto at =
        std::find_if(causes.begin(), causes.end(), [&](const auto& known) { return known.first == cause; });
    if (at == causes.end()) at = causes.insert(at, {cause, {}});
    if (!contains(at->second, name)) at->second.push_back(name);
  }
  for (const auto& [cause, names] : causes) add(join(names, ", ") + cause);
  for (const Row* row : rows) {
    const std::string name = row->key.model + ' ' + variant_words(*row);
    if (!row->tuned.empty())
      add(fmt::format("{}: tuned options were used: {}; --no-tuned leaves them out", name, row->tuned));
    for (const std::string& note : row->notes) add(fmt::format("{}: {}", name, note));
  }
  if (any(rows, [](const Row& row) { return row.is_right() && !row.is_checked(); }))
    add(unchecked_words(rows));
  return lines;
}

std::string with_notes(const std::string& heading, const std::string& table, const Rows& rows, int width) {
  std::string text = fmt::format("{}\n\n{}{}", one_line(heading), table, table.empty() ? "" : "\n");
  const auto notes = notes_of(rows);
  for (const std::string& note : notes) text += wrapped(one_line("- " + note), width, 2);
  return notes.empty() ? text : text + '\n';
}

std::string case_text(const Rows& rows, int width) {
  std::string heading = case_words(*rows.front());
  for (const Row* row : rows)
    if (row->record) heading = case_words(*row);
  if (any(rows, [](const Row& row) { return row.is_best_of_model; })) heading += "; *: fastest of its model";
  const bool none = !any(rows, [](const Row& row) { return row.has_figures(); });
  return with_notes(heading, none ? "" : fitted(rows, columns_for(rows), width), rows, width);
}

/// Rows of parts: a line per configuration, a column per part.
std::string parts_text(const Rows& rows, int width) {
  std::vector<std::string> parts;
  std::map<std::string, Rows> lines;
  std::vector<std::string> order;
  for (const Row* row : rows) {
    if (!contains(parts, row->part) && !row->part.empty()) parts.push_back(row->part);
    Rows& line = lines[row->key.configuration()];
    if (line.empty()) order.push_back(row->key.configuration());
    line.push_back(row);
  }
  std::vector<Column> columns = {{"model", Align::left, true},
                                 {"device", Align::left, true},
                                 {"ranks x\nthreads", Align::right},
                                 {"precision"},
                                 {"elements", Align::right}};
  for (const std::string& part : parts) columns.push_back({part, Align::right});
  columns.push_back({"status"});
  Table table(columns);
  for (const std::string& configuration : order) {
    const Rows& line = lines[configuration];
    const Row& first = *line.front();
    std::vector<Cell> cells = {
        first.setting.empty() ? first.key.model : first.key.model + ' ' + first.setting, device_words(first),
        workers_words(first), first.key.precision, first.case_name};
    for (const std::string& part : parts) {
      const auto at =
          std::find_if(line.begin(), line.end(), [&](const Row* row) { return row->part == part; });
      cells.push_back(at == line.end() || !(*at)->has_figures() ? "-" : rate_and_interval(**at));
    }
    cells.push_back(to_string(first.status));
    table.add_row(std::move(cells));
  }
  return with_notes(
      rows.front()->key.workload + ": GB/s at the median, ± the farther end of its 95 % interval",
      table.text(width), rows, width);
}

std::string footer(const std::vector<Row>& rows, int width) {
  std::vector<std::pair<std::string, std::string>> devices, machines, builds;
  int cores = 0;
  for (const Row& row : rows) {
    if (!row.record) continue;
    const Provenance& p = row.record->provenance;
    // A launcher binds a rank to fewer cores than the machine has; the most that any run saw says more.
    cores = std::max(cores, p.cores);
    devices.emplace_back(row.key.model, row.device);
    machines.emplace_back(row.key.model, fmt::format("{}, {}, {}", p.host, p.cpu, p.system));
    if (p.compiler.empty()) continue;  // not built by us
    builds.emplace_back(row.key.model,
                        fmt::format("{} ({}), {} {}", p.version, p.revision, p.compiler, p.flags));
  }
  if (devices.empty()) return "";
  const auto lines = [width](const std::string& text) { return wrapped(one_line(text), width, 9); };
  return lines("Devices: " + by_model(devices)) +
         lines(fmt::format("Machine: {}, {}", by_model(machines), counted(cores, "core"))) +
         (builds.empty() ? "" : lines("Built: boltzmark " + by_model(builds)));
}

/// Rows with parts stand together whatever their size is.
std::string table_of(const Row& row, const std::vector<std::string>& workloads_with_parts) {
  return contains(workloads_with_parts, row.key.workload) ? row.key.workload : case_of(row);
}

}  // namespace

std::string comparison_text(const std::vector<Row>& rows, int width) {
  std::vector<std::string> with_parts;
  for (const Row& row : rows)
    if (!row.part.empty()) with_parts.push_back(row.key.workload);
  std::vector<std::string> order;
  std::map<std::string, Rows> groups;
  for (const Row& row : rows) {
    if (row.source != "runs") continue;  // what a tuner tried is its own
    Rows& group = groups[table_of(row, with_parts)];
    if (group.empty()) order.push_back(table_of(row, with_parts));
    group.push_back(&row);
  }
  std::string text;
  for (const std::string& name : order) {
    const Rows& group = groups[name];
    text += contains(with_parts, group.front()->key.workload) ? parts_text(group, width)
                                                              : case_text(group, width);
  }
  return text + footer(rows, width);
}

int table_width() {
  constexpr int narrowest = 80, widest = 120;
  const char* const columns = std::getenv("COLUMNS");
  const auto asked = columns ? parse_number<int>(columns) : std::nullopt;
  return std::clamp(asked.value_or(terminal_width(STDOUT_FILENO, widest)), narrowest, widest);
}

}  // namespace boltzmark
