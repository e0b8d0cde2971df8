// Table II: what each optimisation step is worth.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "analysis/report/table_cells.hpp"
#include "analysis/report/tables.hpp"
#include "analysis/run/comparison_output.hpp"
#include "analysis/run/launcher.hpp"

namespace boltzmark {
namespace {

/// One step on one grid; `run` is nullptr where there is none.
void add_step(const std::string& problem, const PublishedSteps::Step& step, const Measurement* run,
              const std::string& device, const Published& published, const Results& results,
              ReportTable& table) {
  const auto seconds = seconds_of(step.seconds, problem);
  const Ratios ratios = ratios_of(seconds, published.device(published.steps.hardware), run, results, table);
  table.rows.push_back({problem, step.name, run ? Cell(variant_shown(*run->row)) : Cell("-", ""),
                        device.empty() ? Cell("-", "") : Cell(plain_device(device)),
                        run ? steps_cell(*run) : Cell("-", ""), published_cell(seconds),
                        number_cell(run ? std::optional(run->seconds) : std::nullopt, 4), ratios.plain,
                        ratios.scaled});
  note_scaling(run, table);
  note_tuned(run ? run->row : nullptr, table);
}

/// All steps on all grids for one device; with an empty name the published figures alone.
void add_device(const std::string& type, const std::string& device, const MeasuredByProblem& measured,
                const Published& published, const Results& results, ReportTable& table) {
  const PublishedSteps& steps = published.steps;
  std::map<std::string, std::vector<std::string>> missing;  // problems by variant
  for (const StandardProblem& problem : published.problems) {
    const auto all = measured.find(problem.name);
    if (all == measured.end()) continue;
    for (const auto& step : steps.steps) {
      const Measurement* const run = step_run(all->second, steps, step, type, device);
      if (!run) missing[step.variant].push_back(problem.name);
      add_step(problem.name, step, run, device, published, results, table);
    }
  }
  std::vector<std::string> lines;
  for (const auto& step : steps.steps)
    if (const auto at = missing.find(step.variant); at != missing.end())
      lines.push_back(fmt::format("{} ({})", step.variant, join_words(at->second, ", ")));
  if (!device.empty() && !lines.empty())
    table.note(fmt::format("{}: no right run in single precision among these results of: {}.",
                           plain_device(device), join_words(lines, "; ")));
}

}  // namespace

ReportTable step_table(const Results& results, const Published& published) {
  const PublishedSteps& steps = published.steps;
  const Hardware& hardware = published.device(steps.hardware);
  ReportTable table;
  table.id = "table-2";
  table.title = "Table II. Seconds of each OpenCL optimisation step";
  table.caption = fmt::format(
      "Compute seconds of all iterations in single precision; each step stands on the one before. Our steps "
      "are "
      "the variants of the same name, on each device they ran on. {}",
      how_ratios_are_made);
  table.source = published.citation(steps.origin) + ", on " + hardware.description();
  table.columns = {left("grid"),
                   left("step"),
                   left("our variant", true),
                   left("measured\non", true),
                   right("steps\nrun"),
                   right("published\ns"),
                   right("measured\ns"),
                   right("ratio"),
                   right("ratio at\nequal\nbandwidth")};
  const MeasuredByProblem measured = step_measurements(results, published);
  const auto devices = devices_of(measured, steps.model);
  for (const auto& [type, device] : devices) add_device(type, device, measured, published, results, table);
  if (devices.empty()) {
    add_device("", "", measured, published, results, table);
    table.note(fmt::format("No right run of {} in single precision on these grids among these results.",
                           steps.model));
  } else if (std::none_of(devices.begin(), devices.end(), [](const auto& d) { return d.first == "gpu"; })) {
    table.note(
        fmt::format("No run of {} on a GPU among these results: what was measured ran on another type "
                    "of device than what was published.",
                    steps.model));
  }
  for (const auto& line : failures(results, published, [&](const StandardProblem*problem, const auto&row) {
         return problem && measured.contains(problem->name) && row.model == steps.model;
       }))
    table.note(line);
  for (const auto& step : steps.steps) table.note(fmt::format("Step {}: {}.", step.name, step.changes));
  return table;
}

}  // namespace boltzmark
