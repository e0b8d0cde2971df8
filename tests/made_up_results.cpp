#include "made_up_results.hpp"

#include <algorithm>

#include "analysis/run/comparison.hpp"
#include "entries.hpp"
#include "programs.hpp"

namespace boltzmark::testing {

using nlohmann::json;

const Published& shipped() {
  static const Published published =
      read_published(std::filesystem::path(BOLTZMARK_SOURCE_DIR) / "analysis/report/published.json");
  return published;
}

RunEntry entry(const MadeUpRun& run) {
  const StandardProblem& problem = shipped().problem(run.problem);
  RunEntry e = entry(run.model, run.variant, 1, run.seconds);
  e.key.precision = run.precision;
  e.key.steps = run.steps > 0 ? run.steps : problem.iterations;
  e.key.problem = problem.digest;
  e.key.device = run.device;
  e.key.threads = run.threads;
  e.key.ranks = run.ranks;
  e.key.host = run.host;
  e.key.build = run.build;
  if (run.asked) e.key.work_group = run.work_group;
  e.problem = run.problem;
  e.status = run.status;
  if (run.status != RunStatus::ok) e.reason = "because";
  if (run.status != RunStatus::ok && run.status != RunStatus::wrong) {
    e.record = nullptr;
    return e;
  }
  e.record["problem"] = {{"name", problem.name},
                         {"digest", problem.digest},
                         {"nx", problem.nx},
                         {"ny", problem.ny},
                         {"iterations", problem.iterations},
                         {"reynolds_dim", problem.reynolds_dim},
                         {"density", problem.density},
                         {"accel", problem.accel},
                         {"omega", problem.omega},
                         {"fluid_cells", problem.fluid_cells}};
  e.record["steps"] = e.key.steps;
  e.record["device"] = run.device;
  e.record["device_type"] = run.type;
  e.record["threads"] = run.threads;
  e.record["ranks"] = run.ranks;
  e.record["settings"] = json::object();
  if (!run.work_group.empty()) e.record["settings"]["work_group"] = run.work_group;
  e.record["provenance"]["host"] = run.host;
  e.record["provenance"]["revision"] = run.revision;
  return e;
}

StreamResult stream(const std::string& model, const std::string& type, const std::string& device,
                    double gb_per_s, std::int64_t elements) {
  StreamResult result;
  result.model = model;
  result.precision = "f32";
  result.device = device;
  result.device_type = type;
  result.threads = result.ranks = 1;
  result.elements = elements;
  result.passed = true;
  result.provenance = {{"host", "h"}, {"revision", "r"}};
  for (const char* name : {"copy", "mul", "add", "triad", "dot"}) {
    const bool three = std::string(name) == "add" || std::string(name) == "triad";
    const double seconds = (three ? 12e-9 : 8e-9) * static_cast<double>(elements) / gb_per_s;
    result.kernels.push_back({name, gb_per_s / 0.9, gb_per_s, 0.9 * seconds, seconds, 1.1 * seconds});
  }
  return result;
}

Results results_of(const std::vector<MadeUpRun>& runs, std::vector<StreamResult> streams) {
  Results results;
  results.folder = "made up";
  for (const auto& run : runs) results.entries.push_back(entry(run));
  results.comparison =
      make_comparison(results.entries, {"fused", {}}, {{"serial", "textbook"}, {"serial", "fused"}});
  results.streams = std::move(streams);
  return results;
}

std::vector<std::string> row_of(const ReportTable& table, const std::vector<std::string>& first) {
  for (const auto& row : table.rows) {
    std::vector<std::string> texts;
    for (const Cell& cell : row) texts.push_back(cell.text);
    if (std::equal(first.begin(), first.end(), texts.begin())) return texts;
  }
  return {};
}

bool has_note(const ReportTable& table, const std::string& part) {
  return std::any_of(table.notes.begin(), table.notes.end(),
                     [&](const std::string& note) { return has(note, part); });
}

}  // namespace boltzmark::testing
