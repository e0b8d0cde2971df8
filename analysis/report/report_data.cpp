#include "analysis/report/report_data.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

#include "analysis/report/plot_data.hpp"
#include "common/lbm/result_files.hpp"
#include "common/run/provenance.hpp"

namespace boltzmark {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

template <class T>
json or_null(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

/// The STREAM triad that a run is held against: of its own model with as many workers, in its precision if
/// there is one.
std::optional<double> triad_for(const RunFigures& run, const std::vector<StreamResult>& streams) {
  const StreamResult* best = nullptr;
  for (const auto& stream : streams) {
    const bool same = stream.model == run.model && stream.device == run.device &&
                      stream.threads * stream.ranks == run.workers && stream.passed && stream.find("triad");
    if (same && (!best || stream.precision == run.precision)) best = &stream;
  }
  return best ? std::optional(best->find("triad")->gb_per_s) : std::nullopt;
}

/// Compute seconds of one worker for the same variant of the same problem: of the model itself, or of serial.
std::optional<double> one_worker_seconds(const ProblemComparison& problem, const ComparisonRow& row) {
  const ComparisonRow* found = nullptr;
  for (const auto& other : problem.rows) {
    const bool one = other.is_right() && other.variant == row.variant && other.threads * other.ranks == 1;
    if (one && (other.model == row.model || (!found && other.model == "serial"))) found = &other;
  }
  return found ? std::optional(found->median) : std::nullopt;
}

json json_of(const RooflineAnalysis& r) {
  return {{"bytes_per_update", r.counted.flops_per_update / r.counted.flop_per_byte},
          {"flops_per_update", r.counted.flops_per_update},
          {"gb_per_s", r.gb_per_s},
          {"flop_per_byte", r.counted.flop_per_byte},
          {"gflop_per_s", r.counted.gflop_per_s},
          {"conventional",
           {{"flops_per_update", r.conventional.flops_per_update},
            {"flop_per_byte", r.conventional.flop_per_byte},
            {"gflop_per_s", r.conventional.gflop_per_s}}},
          {"level", r.level.empty() ? json(nullptr) : json(r.level)},
          {"level_gb_per_s", or_null(r.level_gb_per_s)},
          {"fraction_of_level", or_null(r.fraction_of_level)},
          {"triad_gb_per_s", or_null(r.triad_gb_per_s)},
          {"fraction_of_triad", or_null(r.fraction_of_triad)},
          {"peak_gflop_per_s", or_null(r.peak_gflop_per_s)},
          {"fraction_of_peak", or_null(r.fraction_of_peak)},
          {"ridge_flop_per_byte", or_null(r.ridge_flop_per_byte)},
          {"bound", to_string(r.bound)},
          {"why", r.why}};
}

std::string setting_words(const ComparisonRow& row) {
  if (row.tuned.empty()) return row.setting;
  return (row.setting.empty() ? "tuned: " : row.setting + ", tuned: ") + row.tuned;
}

json json_of(const AnalysedRow& analysed) {
  const ComparisonRow& row = *analysed.row;
  const ProblemComparison& problem = *analysed.problem;
  const auto measured = [&row](double value) { return row.seconds.empty() ? json(nullptr) : json(value); };
  json speed_ups = json::array();
  for (const auto& speed_up : row.speed_ups) speed_ups.push_back(or_null(speed_up));
  return {{"id", analysed.id},
          {"problem", problem.problem},
          {"nx", problem.nx},
          {"ny", problem.ny},
          {"steps", problem.steps},
          {"precision", problem.precision},
          {"model", row.model},
          {"variant", row.variant},
          {"setting", setting_words(row)},
          {"device", row.device},
          {"threads", row.threads},
          {"ranks", row.ranks},
          {"seconds", row.seconds},
          {"median", measured(row.median)},
          {"min", measured(row.minimum)},
          {"max", measured(row.maximum)},
          {"mlups", measured(row.mlups)},
          {"gb_per_s", measured(row.gb_per_s)},
          {"speed_ups", speed_ups},
          {"deviation", or_null(row.deviation)},
          {"status", to_string(row.status)},
          {"reason", row.reason},
          {"like_for_like", row.like_for_like},
          {"best_of_model", row.best_of_model},
          {"roofline", analysed.roofline ? json_of(*analysed.roofline) : json(nullptr)},
          {"provenance", row.record.is_object() ? row.record["provenance"] : json(nullptr)}};
}

json json_of(const StreamResult& stream) {
  json kernels = json::array();
  for (const auto& kernel : stream.kernels)
    kernels.push_back({{"name", kernel.name},
                       {"gb_per_s", kernel.gb_per_s},
                       {"gb_per_s_median", kernel.gb_per_s_median},
                       {"min_seconds", kernel.min_seconds},
                       {"median_seconds", kernel.median_seconds},
                       {"max_seconds", kernel.max_seconds}});
  return {{"model", stream.model},       {"precision", stream.precision},
          {"device", stream.device},     {"device_type", stream.device_type},
          {"threads", stream.threads},   {"ranks", stream.ranks},
          {"elements", stream.elements}, {"passed", stream.passed},
          {"kernels", kernels}};
}

json json_of(const ReportTable& table) {
  json columns = json::array();
  for (const auto& column : table.columns)
    columns.push_back(
        {{"header", column.header}, {"align", column.align == Align::right ? "right" : "left"}});
  return {{"id", table.id},     {"title", table.title}, {"caption", table.caption}, {"source", table.source},
          {"columns", columns}, {"rows", table.rows},   {"notes", table.notes}};
}

/// The provenance of everything that was read, the newest last.
std::vector<json> provenances(const Results& results) {
  std::vector<json> all;
  for (const auto& entry : results.entries)
    if (entry.record.is_object()) all.push_back(entry.record["provenance"]);
  for (const auto& stream : results.streams) all.push_back(stream.provenance);
  return all;
}

json machine_of(const Results& results) {
  json machine = {{"host", ""},
                  {"cpu", ""},
                  {"system", ""},
                  {"cores", 0},
                  {"memory_bytes", nullptr},
                  {"caches", json::array()},
                  {"devices", json::array()}};
  for (const json& provenance : provenances(results)) {
    for (const char* key : {"host", "cpu", "system"}) machine[key] = provenance.value(key, "");
    // A launcher binds a rank to fewer cores than the machine has.
    machine["cores"] = std::max(machine["cores"].get<int>(), provenance.value("cores", 0));
  }
  if (!results.peaks) return machine;
  const ProcessorPeaks& processor = results.peaks->processor;
  if (machine["cpu"] == "") machine["cpu"] = processor.name;
  if (machine["host"] == "") machine["host"] = results.peaks->host;
  machine["memory_bytes"] = processor.memory_bytes;
  const json peaks = to_json(*results.peaks);
  machine["caches"] = peaks["processor"]["caches"];
  for (const auto& device : results.peaks->devices)
    machine["devices"].push_back(
        {{"name", device.name},
         {"type", device.type},
         {"details", fmt::format("{} compute units, {:.3g} GiB, {}", device.compute_units,
                                 static_cast<double>(device.memory_bytes) / (1 << 30), device.driver)}});
  return machine;
}

json build_of(const Results& results) {
  json build = {{"version", ""}, {"revision", ""}, {"compilers", json::array()}};
  std::set<std::string> compilers;
  for (const json& provenance : provenances(results)) {
    build["version"] = provenance.value("version", "");
    build["revision"] = provenance.value("revision", "");
    compilers.insert(provenance.value("compiler", "") + ' ' + provenance.value("flags", ""));
  }
  for (const auto& compiler : compilers) build["compilers"].push_back(compiler);
  return build;
}

json not_run(const Results& results, const std::vector<AnalysedRow>& rows) {
  json list = json::array();
  const auto add = [&list](const std::string& model, const std::string& variant, const std::string& problem,
                           RunStatus status, const std::string& reason) {
    list.push_back({{"model", model},
                    {"variant", variant},
                    {"problem", problem},
                    {"status", to_string(status)},
                    {"reason", reason}});
  };
  for (const auto& [problem, row, id, roofline] : rows)
    if (row->status != RunStatus::ok)
      add(row->model, row->variant, problem->problem, row->status, row->reason);
  for (const auto& entry : results.entries)
    if (entry.key.is_stream()) add(entry.key.model, "", entry.problem, entry.status, entry.reason);
  return list;
}

json comparison_of(const Comparison& comparison, const std::vector<AnalysedRow>& rows) {
  json baselines = json::array(), list = json::array();
  for (const auto& baseline : comparison.baselines)
    baselines.push_back(baseline.model + ' ' + baseline.variant);
  for (const auto& row : rows) list.push_back(json_of(row));
  return {{"variant", comparison.compare.words()}, {"baselines", baselines}, {"rows", list}};
}

}  // namespace

std::vector<AnalysedRow> analyse_rows(const Results& results) {
  std::vector<AnalysedRow> rows;
  for (const auto& problem : results.comparison.problems)
    for (const auto& row : problem.rows) {
      AnalysedRow& analysed = rows.emplace_back();
      analysed.problem = &problem;
      analysed.row = &row;
      analysed.id = fmt::format("run-{}", rows.size());
      if (row.seconds.empty()) continue;
      const RunFigures figures = figures_of(row.record, row.median, analysed.id);
      analysed.roofline = analyse(figures, {.peaks = results.peaks ? &*results.peaks : nullptr,
                                            .triad_gb_per_s = triad_for(figures, results.streams),
                                            .one_worker_seconds = one_worker_seconds(problem, row)});
    }
  return rows;
}

std::vector<std::string> write_report_data(const fs::path& folder, const Results& results,
                                           const Published& published,
                                           const std::vector<ReportTable>& tables) {
  prepare_folder(folder / "data");
  const std::vector<AnalysedRow> rows = analyse_rows(results);
  std::vector<std::string> complaints;
  const json plots = plot_data(results, published, rows, folder, complaints);
  const Provenance now = provenance_now();
  const json machine = machine_of(results);
  json streams = json::array(), table_list = json::array(), all_complaints = results.complaints;
  for (const auto& stream : results.streams) streams.push_back(json_of(stream));
  for (const auto& table : tables) table_list.push_back(json_of(table));
  for (const auto& complaint : complaints) all_complaints.push_back(complaint);
  const json report = {{"format", report_format},
                       {"title", fmt::format("Boltzmark on {}", machine["cpu"].get<std::string>())},
                       {"generated", now.date},
                       {"results", results.folder.string()},
                       {"machine", machine},
                       {"build", build_of(results)},
                       {"peaks_date", results.peaks ? json(results.peaks->date) : json(nullptr)},
                       {"complaints", all_complaints},
                       {"comparison", comparison_of(results.comparison, rows)},
                       {"not_run", not_run(results, rows)},
                       {"stream", streams},
                       {"tables", table_list},
                       {"plots", plots}};
  AtomicFile file(folder / "report.json");
  file.write(report.dump(1, ' ', false, json::error_handler_t::replace) + '\n');
  file.commit();
  return complaints;
}

}  // namespace boltzmark
