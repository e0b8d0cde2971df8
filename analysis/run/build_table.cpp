#include "analysis/run/build_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/run/comparison_output.hpp"
#include "analysis/support/json_reader.hpp"

namespace boltzmark {
namespace {

constexpr const char* heading = "Compilers and flags";

/// What a row's runs have in common; they differ in the build.
struct Work {
  const ProblemComparison* problem = nullptr;
  const ComparisonRow* row = nullptr;  ///< of any of the builds
  std::map<std::string, const ComparisonRow*> of_build;
};

/// The variant and its setting without the build.
std::string work_of(const ComparisonRow& row) {
  ComparisonRow plain = row;
  const std::size_t rest = row.setting.size() - row.build.size();
  plain.setting = row.setting.substr(0, rest > 0 ? rest - 1 : 0);
  return variant_of(plain);
}

std::vector<Work> works_of(const Comparison& comparison) {
  std::vector<Work> works;
  std::map<std::tuple<const ProblemComparison*, std::string, std::string, std::string>, std::size_t> position;
  for (const auto& problem : comparison.problems)
    for (const auto& row : problem.rows) {
      if (row.build.empty()) continue;
      // What did not run knows its workers only as far as it was told.
      const std::string workers = workers_of(std::max(1, row.ranks), std::max(1, row.threads));
      const auto [at, is_new] =
          position.try_emplace({&problem, row.model, work_of(row), workers}, works.size());
      if (is_new) works.push_back({&problem, &row, {}});
      works[at->second].of_build.try_emplace(row.build, &row);
    }
  return works;
}

std::vector<std::string> builds_of(const Comparison& comparison) {
  std::vector<std::string> names;
  for (const auto& problem : comparison.problems)
    for (const auto& row : problem.rows)
      if (!row.build.empty() && std::find(names.begin(), names.end(), row.build) == names.end())
        names.push_back(row.build);
  return names;
}

/// Median seconds of a build, none where it has no right result.
std::optional<double> seconds_in(const Work& work, const std::string& build) {
  const auto at = work.of_build.find(build);
  return at != work.of_build.end() && at->second->is_right() ? std::optional(at->second->median)
                                                             : std::nullopt;
}

std::vector<Cell> cells_of(const Work& work, const std::vector<std::string>& builds) {
  const ProblemComparison& problem = *work.problem;
  std::vector<Cell> cells = {
      problem.precision == "f32" ? problem.problem : problem.problem + ' ' + problem.precision,
      std::to_string(problem.steps), work.row->model, work_of(*work.row), workers_of(*work.row)};
  const auto first = seconds_in(work, builds.front());
  for (const auto& build : builds) {
    const auto seconds = seconds_in(work, build);
    cells.push_back(number_cell(seconds, 4));
    if (&build == &builds.front()) continue;
    cells.push_back(number_cell(first && seconds ? std::optional(*first / *seconds) : std::nullopt, 3));
  }
  return cells;
}

/// "gcc-o3: GNU 12.2.0, -O3 -march=native", by the records of its runs.
std::string what_is(const std::string& build, const Comparison& comparison) {
  std::vector<std::pair<std::string, std::string>> found;
  for (const auto& problem : comparison.problems)
    for (const auto& row : problem.rows)
      if (row.build == build && row.record.is_object())
        found.emplace_back(row.model, fmt::format("{}, {}", text_at(row.record, "/provenance/compiler", "?"),
                                                  text_at(row.record, "/provenance/flags", "?")));
  return fmt::format("{}: {}", build, found.empty() ? "nothing ran" : by_model(found));
}

Table table_of(const BuildTable& builds, std::vector<Column> columns) {
  Table table(std::move(columns));
  for (const auto& row : builds.rows) table.add_row(row);
  return table;
}

}  // namespace

std::string BuildTable::caption() const {
  return fmt::format("Median compute seconds in each build; speed-up: the seconds in {} over these.",
                     builds.empty() ? "the first" : builds.front());
}

BuildTable make_build_table(const Comparison& comparison) {
  BuildTable table;
  table.builds = builds_of(comparison);
  table.columns = {
      {"problem"}, {"steps", Align::right}, {"model"}, {"variant"}, {"ranks x\nthreads", Align::right}};
  for (const auto& build : table.builds) {
    table.columns.push_back({build + "\ns", Align::right});
    if (&build != &table.builds.front()) table.columns.push_back({build + "\nspeed-up", Align::right});
    table.notes.push_back(what_is(build, comparison));
  }
  for (const Work& work : works_of(comparison))
    if (std::any_of(work.of_build.begin(), work.of_build.end(),
                    [](const auto& build) { return build.second->is_right(); }))
      table.rows.push_back(cells_of(work, table.builds));
  return table;
}

std::string build_text(const BuildTable& builds, int width) {
  if (builds.rows.empty()) return {};
  std::string text = fmt::format("\n{}\n{}\n\n{}\n", heading, builds.caption(),
                                 table_of(builds, builds.columns).text(width));
  for (const auto& note : builds.notes) text += wrapped("- " + note, width, 2);
  return text + '\n';
}

std::string build_markdown(const BuildTable& builds) {
  if (builds.rows.empty()) return {};
  std::string text = fmt::format("\n## {}\n\n{}\n\n{}\n", heading, builds.caption(),
                                 table_of(builds, builds.columns).markdown());
  for (const auto& note : builds.notes) text += "- " + note + '\n';
  return text;
}

std::string build_csv(const BuildTable& builds) {
  std::vector<Column> columns = builds.columns;
  for (Column& column : columns) std::replace(column.header.begin(), column.header.end(), '\n', ' ');
  return table_of(builds, std::move(columns)).csv();
}

}  // namespace boltzmark
