#include "analysis/run/comparison_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>

#include "analysis/run/launcher.hpp"
#include "analysis/support/json_reader.hpp"
#include "analysis/support/table.hpp"

namespace boltzmark {
namespace {

using Rows = std::vector<const ComparisonRow*>;

std::string deviation_of(const ComparisonRow& row) {
  return row.deviation ? significant(*row.deviation, 2) : "-";
}

Table table_of(const Rows& rows, const std::vector<Baseline>& baselines) {
  std::vector<Column> columns = {
      {"model"}, {"variant"}, {"device", Align::left, true}, {"ranks x\nthreads", Align::right}};
  for (const char* header : {"median\ns", "min\ns", "max\ns", "MLUPS", "GB/s"})
    columns.push_back({header, Align::right});
  for (const auto& baseline : baselines)
    columns.push_back({"speed-up\n" + baseline.model + '\n' + baseline.variant, Align::right});
  columns.push_back({"largest\ndeviation", Align::right});
  columns.push_back({"status"});
  Table table(columns);
  for (const ComparisonRow* row : rows) {
    std::vector<Cell> cells = {row->model, variant_shown(*row),
                               row->device.empty() ? "-" : plain_device(row->device), workers_of(*row)};
    for (const double value : {row->median, row->minimum, row->maximum, row->mlups, row->gb_per_s})
      cells.push_back(row->seconds.empty() ? "-" : significant(value, 4));
    for (const auto& speed_up : row->speed_ups) cells.push_back(speed_up ? significant(*speed_up, 3) : "-");
    cells.push_back(deviation_of(*row));
    cells.push_back(to_string(row->status));
    table.add_row(std::move(cells));
  }
  return table;
}

Rows rows_that(const ProblemComparison& problem, const std::function<bool(const ComparisonRow&)>& fit) {
  Rows rows;
  for (const auto& row : problem.rows)
    if (fit(row)) rows.push_back(&row);
  return rows;
}

/// A heading and the rows under it.
struct Block {
  std::string heading;
  Rows rows;
};

std::vector<Block> blocks_of(const ProblemComparison& problem, const LikeForLike& compare) {
  const bool better = problem.has_better_variants();
  std::vector<Block> blocks;
  blocks.push_back({"Like for like: variant " + compare.words(),
                    rows_that(problem, [](const auto& row) { return row.like_for_like; })});
  if (better)
    blocks.push_back({"Best variant of each model",
                      rows_that(problem, [](const auto& row) { return row.best_of_model; })});
  blocks.push_back({"Other runs", rows_that(problem, [better](const auto& row) {
                      return !row.like_for_like && !(better && row.best_of_model);
                    })});
  std::erase_if(blocks, [](const Block& block) { return block.rows.empty(); });
  return blocks;
}

std::string title_of(const ProblemComparison& problem) {
  const std::string grid = problem.nx > 0 ? fmt::format("{} x {} cells, ", problem.nx, problem.ny) : "";
  return fmt::format("{}: {}{} steps, {}", problem.problem, grid, problem.steps, problem.precision);
}

/// "timeout (round 2): because"
std::string cause_of(const ComparisonRow& row) {
  const std::string round = row.worst_round > 1 ? fmt::format(" (round {})", row.worst_round) : "";
  return fmt::format("{}{}: {}", to_string(row.status), round, row.reason);
}

/// What is known of results that no right answer was computed for.
std::string unchecked_words(const ProblemComparison& problem) {
  const auto spread = problem.unchecked_spread();
  return "deviation -: not checked against the oracle" +
         (spread ? fmt::format("; their average velocities of the last step lie within {} of each other",
                               significant(*spread, 2))
                 : "");
}

/// Why rows are not right, a line for each cause; which took tuned options; that some were not checked.
std::vector<std::string> notes_of(const ProblemComparison& problem) {
  std::vector<std::pair<std::string, std::vector<std::string>>> rows_by_cause;
  for (const auto& row : problem.rows) {
    if (row.status == RunStatus::ok) continue;
    const std::string cause = cause_of(row);
    auto at = std::find_if(rows_by_cause.begin(), rows_by_cause.end(),
                           [&cause](const auto& known) { return known.first == cause; });
    if (at == rows_by_cause.end()) at = rows_by_cause.insert(at, {cause, {}});
    const std::string name = row.model + ' ' + variant_of(row);
    auto& names = at->second;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  std::vector<std::string> notes;
  for (const auto& [cause, rows] : rows_by_cause)
    notes.push_back(fmt::format("{}: {}", join_words(rows, ", "), cause));
  for (const auto& row : problem.rows)
    if (const std::string line = tuned_line(row); !line.empty()) notes.push_back(line);
  const auto is_unchecked = [](const ComparisonRow& row) { return row.is_right() && !row.is_checked(); };
  if (std::any_of(problem.rows.begin(), problem.rows.end(), is_unchecked))
    notes.push_back(unchecked_words(problem));
  return notes;
}

std::string optional_number(const std::optional<double>& value) {
  return value ? fmt::format("{:.9g}", *value) : "";
}

}  // namespace

std::string plain_device(std::string name) {
  for (const char* noise : {"(R)", "(TM)", "(tm)", "(r)", " CPU", " Processor"})
    for (std::size_t at = 0; (at = name.find(noise)) != name.npos;) name.erase(at, std::string(noise).size());
  return name;
}

std::string workers_of(int ranks, int threads) {
  if (ranks <= 1 && threads == 0) return "-";
  return fmt::format("{}x{}", std::max(1, ranks), threads > 0 ? std::to_string(threads) : "-");
}

std::string workers_of(const ComparisonRow& row) { return workers_of(row.ranks, row.threads); }

std::string variant_of(const ComparisonRow& row) {
  const std::string variant = row.variant.empty() ? "default" : row.variant;
  return row.setting.empty() ? variant : variant + ' ' + row.setting;
}

std::string variant_shown(const ComparisonRow& row) {
  return variant_of(row) + (row.tuned.empty() ? "" : " (tuned)");
}

std::string tuned_line(const ComparisonRow& row) {
  if (row.tuned.empty()) return {};
  return fmt::format("{} {}: tuned options were used: {}; --no-tuned leaves them out", row.model,
                     variant_of(row), row.tuned);
}

std::string status_line(const ComparisonRow& row) {
  return fmt::format("{} {}: {}", row.model, variant_of(row), cause_of(row));
}

std::string by_model(const std::vector<std::pair<std::string, std::string>>& model_and_value) {
  std::vector<std::string> values;
  std::map<std::string, std::vector<std::string>> models;
  for (const auto& [model, value] : model_and_value) {
    auto& names = models[value];
    if (names.empty()) values.push_back(value);
    if (std::find(names.begin(), names.end(), model) == names.end()) names.push_back(model);
  }
  if (values.size() == 1) return values.front();
  std::vector<std::string> parts;
  for (const auto& value : values)
    parts.push_back(fmt::format("{} ({})", value, join_words(models[value], ", ")));
  return join_words(parts, "; ");
}

Footer make_footer(const std::vector<RunEntry>& entries) {
  std::vector<std::pair<std::string, std::string>> machines, compilers, revisions, devices;
  int cores = 0;
  for (const auto& entry : entries) {
    if (!entry.record.is_object() || !entry.record.contains("provenance")) continue;
    const auto& p = entry.record["provenance"];
    // A launcher binds a rank to fewer cores than the machine has; the most that any run saw says more.
    cores = std::max(cores, p.value("cores", 0));
    machines.emplace_back(entry.key.model, fmt::format("{}, {}, {}", text_at(p, "/host", "?"),
                                                       text_at(p, "/cpu", "?"), text_at(p, "/system", "?")));
    devices.emplace_back(entry.key.model, text_at(entry.record, "/device", "?"));
    compilers.emplace_back(entry.key.model,
                           fmt::format("{} {}", text_at(p, "/compiler", "?"), text_at(p, "/flags", "?")));
    revisions.emplace_back(entry.key.model,
                           fmt::format("{} ({})", text_at(p, "/version", "?"), text_at(p, "/revision", "?")));
  }
  if (machines.empty()) return {};
  return {.devices = by_model(devices),
          .machine = fmt::format("{}, {} cores", by_model(machines), cores),
          .built = fmt::format("boltzmark {}, {}", by_model(revisions), by_model(compilers))};
}

std::string comparison_text(const Comparison& comparison, const Footer& footer, int width) {
  std::string text;
  for (const auto& problem : comparison.problems) {
    text += title_of(problem) + "\n\n";
    for (const auto& block : blocks_of(problem, comparison.compare))
      text += block.heading + '\n' + table_of(block.rows, comparison.baselines).text(width) + '\n';
    const auto notes = notes_of(problem);
    for (const auto& note : notes) text += "  " + note + '\n';
    if (!notes.empty()) text += '\n';
  }
  if (!footer.machine.empty())
    text +=
        fmt::format("Devices: {}\nMachine: {}\nBuilt:   {}\n", footer.devices, footer.machine, footer.built);
  return text;
}

std::string comparison_markdown(const Comparison& comparison, const Footer& footer) {
  std::string text = "# Comparison\n\n";
  for (const auto& problem : comparison.problems) {
    text += "## " + title_of(problem) + "\n\n";
    for (const auto& block : blocks_of(problem, comparison.compare))
      text += "### " + block.heading + "\n\n" + table_of(block.rows, comparison.baselines).markdown() + '\n';
    const auto notes = notes_of(problem);
    for (const auto& note : notes) text += "- " + note + '\n';
    if (!notes.empty()) text += '\n';
  }
  if (!footer.machine.empty())
    text += fmt::format("Devices: {}  \nMachine: {}  \nBuilt: {}\n", footer.devices, footer.machine,
                        footer.built);
  return text;
}

std::string comparison_csv(const Comparison& comparison) {
  std::vector<Column> columns;
  for (const char* header :
       {"problem", "nx", "ny", "steps", "precision", "model", "variant", "setting", "tuned", "device",
        "ranks", "threads", "repeats", "median_seconds", "min_seconds", "max_seconds", "mlups", "gb_per_s"})
    columns.push_back({header});
  for (const auto& baseline : comparison.baselines)
    columns.push_back({fmt::format("speed_up_over_{}_{}", baseline.model, baseline.variant)});
  for (const char* header : {"largest_deviation", "status", "like_for_like", "best_of_model", "reason"})
    columns.push_back({header});
  Table table(columns);
  for (const auto& problem : comparison.problems)
    for (const auto& row : problem.rows) {
      std::vector<Cell> cells = {problem.problem,
                                 std::to_string(problem.nx),
                                 std::to_string(problem.ny),
                                 std::to_string(problem.steps),
                                 problem.precision,
                                 row.model,
                                 row.variant,
                                 row.setting,
                                 row.tuned,
                                 row.device,
                                 std::to_string(row.ranks),
                                 std::to_string(row.threads),
                                 std::to_string(row.seconds.size())};
      for (const double value : {row.median, row.minimum, row.maximum, row.mlups, row.gb_per_s})
        cells.push_back(row.seconds.empty() ? "" : fmt::format("{:.9g}", value));
      for (const auto& speed_up : row.speed_ups) cells.push_back(optional_number(speed_up));
      cells.insert(cells.end(),
                   {optional_number(row.deviation), to_string(row.status), row.like_for_like ? "yes" : "no",
                    row.best_of_model ? "yes" : "no", row.reason});
      table.add_row(std::move(cells));
    }
  return table.csv();
}

}  // namespace boltzmark
