#include "analysis/report/measured.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "analysis/run/comparison_output.hpp"
#include "analysis/run/launcher.hpp"
#include "analysis/support/json_reader.hpp"

namespace boltzmark {
namespace {

using nlohmann::json;

/// A record of the problem; null when nothing ran.
const json& record_of(const ProblemComparison& problem) {
  static const json none;
  for (const auto& row : problem.rows)
    if (row.record.is_object()) return row.record;
  return none;
}

bool same_parameters(const json& record, const StandardProblem& standard) {
  const auto is = [&](const char* pointer, double value) { return number_at(record, pointer) == value; };
  return text_at(record, "/problem/name") == standard.name && is("/problem/nx", standard.nx) &&
         is("/problem/ny", standard.ny) && is("/problem/iterations", standard.iterations) &&
         is("/problem/reynolds_dim", standard.reynolds_dim) && is("/problem/density", standard.density) &&
         is("/problem/accel", standard.accel) && is("/problem/omega", standard.omega) &&
         is("/problem/fluid_cells", standard.fluid_cells);
}

std::string host_of(const json& provenance) { return text_at(provenance, "/host"); }

/// Whether two hosts can be the same: one that is not known can be any.
bool same_host(const std::string& a, const std::string& b) { return a.empty() || b.empty() || a == b; }

/// STREAM runs on the device of a row.
std::vector<const StreamResult*> streams_on(const Results& results, const ComparisonRow& row) {
  const std::string type = device_type_of(row), host = text_at(row.record, "/provenance/host");
  std::vector<const StreamResult*> same_type, same_name;
  std::set<std::string> names;
  for (const auto& stream : results.streams) {
    if (!stream.passed || !stream.find("triad") || stream.device_type != type ||
        !same_host(host_of(stream.provenance), host))
      continue;
    same_type.push_back(&stream);
    names.insert(stream.device);
    if (stream.device == row.device) same_name.push_back(&stream);
  }
  if (type == "cpu" || (same_name.empty() && names.size() == 1)) return same_type;
  return same_name;
}

std::string workers_words(const StreamResult& stream) {
  std::string words;
  if (stream.ranks > 1) words += fmt::format(", {} ranks", stream.ranks);
  if (stream.threads > 0)
    words += fmt::format(", {} thread{}", stream.threads, stream.threads == 1 ? "" : "s");
  return words;
}

std::optional<DeviceBandwidth> stream_bandwidth(const Results& results, const ComparisonRow& row) {
  const StreamResult* best = nullptr;
  const auto rank = [](const StreamResult& stream) {
    return std::pair(stream.precision == "f32", stream.find("triad")->gb_per_s);
  };
  for (const StreamResult* stream : streams_on(results, row))
    if (!best || rank(*best) < rank(*stream)) best = stream;
  if (!best) return {};
  return DeviceBandwidth{best->find("triad")->gb_per_s, fmt::format("STREAM triad of {}, {}{}", best->model,
                                                                    best->precision, workers_words(*best))};
}

std::optional<DeviceBandwidth> peak_bandwidth(const Results& results, const ComparisonRow& row) {
  if (!results.peaks || !same_host(results.peaks->host, text_at(row.record, "/provenance/host"))) return {};
  const Peaks& peaks = *results.peaks;
  const std::string type = device_type_of(row);
  const BandwidthPeak* peak = nullptr;
  if (type == "cpu") {
    peak = find_bandwidth(peaks.processor.bandwidths, "DRAM", "triad", peaks.processor.cores);
  } else {
    const DevicePeaks* device = find_device(peaks, row.device);
    const auto same = [&](const DevicePeaks& d) { return d.type == type; };
    if (!device && std::count_if(peaks.devices.begin(), peaks.devices.end(), same) == 1)
      device = &*std::find_if(peaks.devices.begin(), peaks.devices.end(), same);
    if (device) peak = find_bandwidth(device->bandwidths, "memory", "triad", 0);
  }
  if (!peak) return {};
  return DeviceBandwidth{peak->gb_per_s.median, "triad of boltzmark peaks"};
}

}  // namespace

const StandardProblem* standard_problem(const ProblemComparison& problem, const Published& published) {
  const json& record = record_of(problem);
  const std::string digest = text_at(record, "/problem/digest");
  const StandardProblem* found = nullptr;
  for (const auto& standard : published.problems) {
    if (!digest.empty() && standard.digest == digest) return &standard;
    const bool same = record.is_null() ? problem.problem == standard.name : same_parameters(record, standard);
    if (same) found = &standard;
  }
  return found;
}

Measurement measure(const ProblemComparison& problem, const ComparisonRow& row,
                    const StandardProblem* standard) {
  const double share =
      standard && problem.steps > 0 ? static_cast<double>(standard->iterations) / problem.steps : 1.0;
  return {&problem, standard, &row, row.median * share};
}

std::vector<Measurement> measurements(const Results& results, const Published& published,
                                      const StandardProblem& standard) {
  std::vector<Measurement> all;
  for (const auto& problem : results.comparison.problems) {
    if (problem.precision != "f32" || standard_problem(problem, published) != &standard) continue;
    for (const auto& row : problem.rows)
      if (row.is_right()) all.push_back(measure(problem, row, &standard));
  }
  return all;
}

MeasuredByProblem step_measurements(const Results& results, const Published& published) {
  MeasuredByProblem measured;
  for (const StandardProblem& problem : published.problems)
    if (std::any_of(published.steps.steps.begin(), published.steps.steps.end(),
                    [&](const auto& step) { return step.seconds.contains(problem.name); }))
      measured[problem.name] = measurements(results, published, problem);
  return measured;
}

std::vector<std::pair<std::string, std::string>> devices_of(const MeasuredByProblem& measured,
                                                            const std::string& model) {
  std::vector<std::pair<std::string, std::string>> devices;
  for (const auto& [problem, all] : measured)
    for (const Measurement& one : all) {
      const std::pair device(device_type_of(*one.row), one.row->device);
      if (one.row->model == model && std::find(devices.begin(), devices.end(), device) == devices.end())
        devices.push_back(device);
    }
  std::stable_sort(devices.begin(), devices.end(),
                   [](const auto& a, const auto& b) { return a.first == "gpu" && b.first != "gpu"; });
  return devices;
}

const Measurement* step_run(const std::vector<Measurement>& all, const PublishedSteps& steps,
                            const PublishedSteps::Step& step, const std::string& device_type,
                            const std::string& device) {
  return fastest(all, [&](const ComparisonRow& row) {
    return row.model == steps.model && row.variant == step.variant && row.device == device &&
           device_type_of(row) == device_type;
  });
}

const Measurement* fastest(const std::vector<Measurement>& all,
                           const std::function<bool(const ComparisonRow&)>& fits) {
  const Measurement* found = nullptr;
  for (const Measurement& one : all) {
    if (!fits(*one.row)) continue;
    if (!found || std::pair(one.is_scaled(), one.seconds) < std::pair(found->is_scaled(), found->seconds))
      found = &one;
  }
  return found;
}

const Measurement* best_variant(const std::vector<Measurement>& all,
                                const std::function<bool(const ComparisonRow&)>& fits) {
  std::set<std::string> variants;
  for (const Measurement& one : all)
    if (fits(*one.row)) variants.insert(one.row->variant);
  const Measurement* best = nullptr;
  for (const std::string& variant : variants) {
    const Measurement* const of_variant =
        fastest(all, [&](const ComparisonRow& row) { return row.variant == variant && fits(row); });
    if (!best || of_variant->seconds < best->seconds) best = of_variant;
  }
  return best;
}

std::string device_type_of(const ComparisonRow& row) { return text_at(row.record, "/device_type"); }

std::optional<std::string> wanted_work_group(const ComparisonRow& row) {
  const std::string used = text_at(row.record, "/settings/work_group");
  // The setting is the work-group that was asked for, if any, and then the other options.
  const bool wanted = !used.empty() && (row.setting + ' ').starts_with(used + ' ');
  return wanted ? std::optional(used) : std::nullopt;
}

std::string other_options(const ComparisonRow& row) {
  const auto wanted = wanted_work_group(row);
  if (!wanted) return row.setting;
  return row.setting.size() > wanted->size() ? row.setting.substr(wanted->size() + 1) : "";
}

std::optional<DeviceBandwidth> device_bandwidth(const Results& results, const ComparisonRow& row) {
  const auto from_streams = stream_bandwidth(results, row);
  return from_streams ? from_streams : peak_bandwidth(results, row);
}

std::vector<std::string> failures(
    const Results& results, const Published& published,
    const std::function<bool(const StandardProblem* problem, const ComparisonRow& row)>& fits) {
  std::vector<std::string> causes;
  std::map<std::string, std::vector<std::string>> problems;
  for (const auto& problem : results.comparison.problems) {
    if (problem.precision != "f32") continue;
    const StandardProblem* const standard = standard_problem(problem, published);
    for (const auto& row : problem.rows) {
      if (row.status == RunStatus::ok || !fits(standard, row)) continue;
      const std::string cause = status_line(row);
      auto& names = problems[cause];
      if (names.empty()) causes.push_back(cause);
      if (std::find(names.begin(), names.end(), problem.problem) == names.end())
        names.push_back(problem.problem);
    }
  }
  std::vector<std::string> lines;
  for (const std::string& cause : causes)
    lines.push_back(fmt::format("{} ({})", cause, join_words(problems[cause], ", ")));
  return lines;
}

}  // namespace boltzmark
