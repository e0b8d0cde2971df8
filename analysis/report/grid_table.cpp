// Seconds and rates of everything that was run, grid by grid.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/report/table_cells.hpp"
#include "analysis/report/tables.hpp"
#include "analysis/run/comparison_output.hpp"
#include "analysis/run/launcher.hpp"

namespace boltzmark {
namespace {

class GridTable {
 public:
  GridTable(const Published& published, ReportTable& table) : published_(published), table_(table) {}

  /// A run of ours; what was published for its model on its type of device stands beside it.
  void add(const ProblemComparison& problem, const ComparisonRow& row) {
    const StandardProblem* const standard = standard_problem(problem, published_);
    const Measurement run = measure(problem, row, standard);
    const bool right = row.is_right();
    const std::string precision = problem.precision == "f32" ? "" : ' ' + problem.precision;
    std::vector<Cell> cells = {problem.problem + precision,
                               row.model,
                               variant_shown(row),
                               device_cell(row),
                               workers_of(row),
                               steps_cell(run),
                               number_cell(right ? std::optional(run.seconds) : std::nullopt, 4),
                               number_cell(right ? std::optional(row.mlups) : std::nullopt, 4)};
    for (const PublishedRuns& source : published_.best_times)
      cells.push_back(problem.precision == "f32" && standard
                          ? published_for(source, *standard, row.model, device_type_of(row))
                          : none_);
    table_.rows.push_back(std::move(cells));
    if (right) note_scaling(&run, table_);
    if (right) note_tuned(&row, table_);
    if (row.status != RunStatus::ok) table_.note(fmt::format("{}: {}", problem.problem, status_line(row)));
  }

  /// What was published for a model on a type of device of which nothing of ours is there; a row for each.
  void add_rest() {
    for (const StandardProblem& problem : published_.problems)
      for (const PublishedRuns& source : published_.best_times)
        for (const PublishedRun& run : source.runs)
          if (run.seconds.contains(problem.name) && !shown_.contains({&run, problem.name}))
            add_alone(problem, run.model, published_.device(run.hardware).type);
  }

 private:
  /// What a source has for a model on a type of device; it is then taken as shown.
  Cell published_for(const PublishedRuns& source, const StandardProblem& problem, const std::string& model,
                     const std::string& type) {
    for (const PublishedRun& run : source.runs) {
      if (run.model != model || published_.device(run.hardware).type != type) continue;
      if (const auto seconds = seconds_of(run.seconds, problem.name)) {
        shown_.insert({&run, problem.name});
        return published_cell(seconds);
      }
    }
    return none_;
  }

  void add_alone(const StandardProblem& problem, const std::string& model, const std::string& type) {
    std::vector<Cell> cells = {problem.name, model, none_, type_words(type), none_, none_, none_, none_};
    for (const PublishedRuns& source : published_.best_times)
      cells.push_back(published_for(source, problem, model, type));
    table_.rows.push_back(std::move(cells));
    table_.note("Rows without a variant: published; no run of that model on that type of device is here.");
  }

  const Cell none_{"-", ""};
  const Published& published_;
  ReportTable& table_;
  std::set<std::pair<const PublishedRun*, std::string>> shown_;
};

/// "B: Goldstein, ...: OpenCL GPU on NVIDIA K20".
std::string source_words(const PublishedRuns& runs, const Published& published) {
  std::vector<std::string> parts;
  for (const PublishedRun& run : runs.runs) {
    const std::string remark = run.remark.empty() ? "" : " (" + run.remark + ')';
    parts.push_back(
        fmt::format("{} on {}{}", run.label, published.device(run.hardware).description(), remark));
  }
  return fmt::format("{}: {}: {}", runs.origin.source, published.citation(runs.origin),
                     join_words(parts, ", "));
}

}  // namespace

ReportTable grid_table(const Results& results, const Published& published) {
  ReportTable table;
  table.id = "grid-sizes";
  table.title = "Grid sizes";
  table.caption =
      "Everything that was run: median compute seconds (of all iterations on the standard grids), million "
      "cell "
      "updates a second, and the best published seconds for the same work in the same model on the same type "
      "of "
      "device.";
  table.columns = {left("grid"),
                   left("model"),
                   left("variant", true),
                   left("measured\non", true),
                   right("ranks x\nthreads"),
                   right("steps\nrun"),
                   right("measured\ns"),
                   right("MLUPS")};
  for (const PublishedRuns& runs : published.best_times) {
    table.columns.push_back(right(fmt::format("source {}\ns", runs.origin.source)));
    table.source += (table.source.empty() ? "" : "; ") + source_words(runs, published);
  }
  GridTable rows(published, table);
  for (const auto& problem : results.comparison.problems)
    for (const auto& row : problem.rows) rows.add(problem, row);
  rows.add_rest();
  return table;
}

}  // namespace boltzmark
