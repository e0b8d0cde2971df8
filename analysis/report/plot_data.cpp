#include "analysis/report/plot_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>

#include "analysis/report/flow.hpp"
#include "analysis/report/measured.hpp"
#include "analysis/report/plot_words.hpp"
#include "analysis/report/scaling_data.hpp"
#include "analysis/run/comparison_output.hpp"
#include "analysis/run/launcher.hpp"
#include "analysis/support/json_reader.hpp"
#include "common/base/error.hpp"
#include "common/lbm/result_files.hpp"

namespace boltzmark {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int most_history_points = 2000, most_field_columns = 512;

/// The chart of a machine's side, without points.
json chart_of(const std::string& id, const std::string& title, const std::string& precision,
              const RooflineChart& chart) {
  json roofs = json::array(), ceilings = json::array(), ridge = nullptr;
  for (const auto& roof : chart.roofs)
    roofs.push_back({{"label", roof.label},
                     {"gb_per_s", roof.gb_per_s.median},
                     {"min", roof.gb_per_s.minimum},
                     {"max", roof.gb_per_s.maximum}});
  for (const auto& ceiling : chart.ceilings)
    ceilings.push_back({{"label", ceiling.label}, {"gflop_per_s", ceiling.gflop_per_s}});
  if (chart.ridge_flop_per_byte)
    ridge = {{"roof", chart.roofs.back().label},
             {"ceiling", chart.ceilings.front().label},
             {"flop_per_byte", *chart.ridge_flop_per_byte},
             {"gflop_per_s", chart.ceilings.front().gflop_per_s}};
  return {{"id", id},
          {"title", title},
          {"precision", precision},
          {"roofs", roofs},
          {"ceilings", ceilings},
          {"ridge", ridge},
          {"points", json::array()}};
}

json point_of(const AnalysedRow& analysed) {
  const ComparisonRow& row = *analysed.row;
  const RooflineAnalysis& r = *analysed.roofline;
  return {{"row", analysed.id},
          {"model", row.model},
          {"variant", row.variant},
          {"problem", analysed.problem->problem},
          {"flop_per_byte", r.counted.flop_per_byte},
          {"gflop_per_s", r.counted.gflop_per_s},
          {"min", r.counted.gflop_per_s * row.median / row.maximum},
          {"max", r.counted.gflop_per_s * row.median / row.minimum}};
}

/// The points that `fits` says belong to a chart, one for each configuration that was right.
void add_points(json& chart, const std::vector<AnalysedRow>& rows,
                const std::function<bool(const AnalysedRow&)>& fits) {
  for (const auto& analysed : rows)
    if (analysed.roofline && analysed.row->is_right() && fits(analysed))
      chart["points"].push_back(point_of(analysed));
}

json rooflines(const Results& results, const std::vector<AnalysedRow>& rows) {
  json list = json::array();
  if (!results.peaks) return list;
  const Peaks& peaks = *results.peaks;
  const auto type_of = [](const AnalysedRow& a) { return a.row->record.value("device_type", ""); };
  for (const std::string precision : {"f32", "f64"}) {
    const std::string words = precision_words(precision);
    json cpu = chart_of("roofline-cpu-" + precision,
                        fmt::format("{}, {} cores, {}", peaks.processor.name, peaks.processor.cores, words),
                        precision, processor_chart(peaks, precision));
    add_points(cpu, rows, [&](const AnalysedRow& a) {
      return a.problem->precision == precision && type_of(a) == "cpu";
    });
    // The machine is worth a picture by itself in single precision; in double precision only with runs on it.
    if (!cpu["points"].empty() || precision == "f32") list.push_back(std::move(cpu));
    int number = 0;
    for (const auto& device : peaks.devices) {
      ++number;
      if (device.type == "cpu") continue;  // its roofs are the processor's
      json chart =
          chart_of(fmt::format("roofline-device-{}-{}", number, precision),
                   fmt::format("{}, {}", device.name, words), precision, device_chart(device, precision));
      const auto same_type = [&](const DevicePeaks& d) { return d.type == device.type; };
      const bool only = std::count_if(peaks.devices.begin(), peaks.devices.end(), same_type) == 1;
      add_points(chart, rows, [&](const AnalysedRow& a) {
        return a.problem->precision == precision &&
               (a.row->device == device.name || (only && type_of(a) == device.type));
      });
      if (!chart["points"].empty() || precision == "f32") list.push_back(std::move(chart));
    }
  }
  return list;
}

json speed_ups(const Results& results) {
  json list = json::array();
  for (const auto& problem : results.comparison.problems)
    for (std::size_t b = 0; b < results.comparison.baselines.size(); ++b) {
      const Baseline& over = results.comparison.baselines[b];
      json bars = json::array();
      for (const auto& row : problem.rows) {
        if (!row.is_right() || !row.speed_ups[b]) continue;
        const double value = *row.speed_ups[b];
        const std::string variant = row.setting.empty() ? row.variant : row.variant + ' ' + row.setting;
        bars.push_back({{"model", row.model},
                        {"variant", variant},
                        {"device", row.device},
                        {"threads", row.threads},
                        {"ranks", row.ranks},
                        {"value", value},
                        {"min", value * row.median / row.maximum},
                        {"max", value * row.median / row.minimum}});
      }
      if (bars.size() < 2) continue;
      list.push_back(
          {{"id", file_name(fmt::format("speed-up-{}-{}-{}-over-{}-{}", problem.problem, problem.steps,
                                        problem.precision, over.model, over.variant))},
           {"problem", problem.problem},
           {"nx", problem.nx},
           {"ny", problem.ny},
           {"steps", problem.steps},
           {"precision", problem.precision},
           {"over", over.model + ' ' + over.variant},
           {"bars", bars}});
    }
  return list;
}

/// Takes "--vvl N" out of a setting; false when it is not there.
bool take_length(std::string& setting) {
  auto words = split_words(setting);
  const auto at = std::find(words.begin(), words.end(), "--vvl");
  if (words.end() - at < 2) return false;
  words.erase(at, at + 2);
  setting = join_words(words);
  return true;
}

/// Runs that differ in the vector length that was asked for only: at least two make a line.
json vector_lengths(const Results& results) {
  json list = json::array();
  for (const auto& problem : results.comparison.problems) {
    using Line = std::tuple<std::string, std::string, std::string, std::string>;
    std::map<Line, std::map<int, const ComparisonRow*>> lines;
    for (const auto& row : problem.rows) {
      std::string setting = row.setting;
      const auto lanes = number_at(row.record, "/settings/vector_lanes");
      if (!row.is_right() || !take_length(setting) || !lanes || *lanes < 1.0) continue;
      const ComparisonRow*& best =
          lines[{row.model, row.variant, setting, workers_of(row)}][static_cast<int>(*lanes)];
      if (!best || row.median < best->median) best = &row;
    }
    std::erase_if(lines, [](const auto& line) { return line.second.size() < 2; });
    json series = json::array();
    for (const auto& [line, points] : lines) {
      const auto& [model, variant, setting, workers] = line;
      const auto alike = [&line = line](const auto& other) {
        return std::get<0>(other.first) == std::get<0>(line) &&
               std::get<1>(other.first) == std::get<1>(line) && std::get<2>(other.first) == std::get<2>(line);
      };
      std::string name = setting.empty() ? variant : variant + ' ' + setting;
      if (std::count_if(lines.begin(), lines.end(), alike) > 1) name += ' ' + workers;
      json list_of_points = json::array();
      for (const auto& [lanes, row] : points)
        list_of_points.push_back({{"lanes", lanes},
                                  {"vectors", text_at(row->record, "/settings/vectors", "?")},
                                  {"mlups", row->mlups},
                                  {"min", row->mlups * row->median / row->maximum},
                                  {"max", row->mlups * row->median / row->minimum}});
      series.push_back({{"model", model}, {"variant", name}, {"points", list_of_points}});
    }
    if (series.empty()) continue;
    list.push_back({{"id", file_name(fmt::format("vectors-{}-{}-{}", problem.problem, problem.steps,
                                                 problem.precision))},
                    {"title", fmt::format("{}, {} steps, {}", problem.problem, problem.steps,
                                          precision_words(problem.precision))},
                    {"problem", problem.problem},
                    {"precision", problem.precision},
                    {"series", series}});
  }
  return list;
}

/// Seconds by work-group, and what the model chose by itself.
struct ShapeSweep {
  std::map<std::pair<int, int>, double> seconds;
  json chosen = nullptr;

  double best() const {
    double lowest = HUGE_VAL;
    for (const auto& [shape, time] : seconds) lowest = std::min(lowest, time);
    return lowest;
  }
};

void add_shape(const ComparisonRow& row, ShapeSweep& sweep) {
  int x = 0, y = 0;
  if (std::sscanf(text_at(row.record, "/settings/work_group").c_str(), "%dx%d", &x, &y) != 2) return;
  const auto [at, is_new] = sweep.seconds.try_emplace({x, y}, row.median);
  if (!is_new) at->second = std::min(at->second, row.median);
  if (!wanted_work_group(row)) sweep.chosen = {{"x", x}, {"y", y}, {"seconds", row.median}};
}

json points_of(const ShapeSweep& sweep) {
  json points = json::array();
  for (const auto& [shape, seconds] : sweep.seconds)
    points.push_back({{"x", shape.first}, {"y", shape.second}, {"seconds", seconds}});
  return points;
}

/// Runs of one variant on one device in several work-group shapes, with no other options, or with those that
/// are fastest.
json work_groups(const Results& results) {
  using Key = std::tuple<std::string, std::string, std::string, std::string>;
  std::map<Key, std::map<std::string, ShapeSweep>> all;  // by the other options
  for (const Comparison* const comparison : {&results.comparison, &results.tuning})
    for (const auto& problem : comparison->problems)
      for (const auto& row : problem.rows)
        if (row.is_right())
          add_shape(row,
                    all[{fmt::format("{}, {} steps, {}", problem.problem, problem.steps, problem.precision),
                         row.model, row.variant, row.device}][other_options(row)]);
  json list = json::array();
  for (auto& [key, sweeps] : all) {
    std::erase_if(sweeps, [](const auto& sweep) { return sweep.second.seconds.size() < 2; });
    if (sweeps.empty()) continue;
    auto chosen = sweeps.find("");
    if (chosen == sweeps.end())
      chosen = std::min_element(sweeps.begin(), sweeps.end(), [](const auto& a, const auto& b) {
        return a.second.best() < b.second.best();
      });
    const auto& [problem, model, variant, device] = key;
    const std::string name = chosen->first.empty() ? variant : variant + ' ' + chosen->first;
    const json points = points_of(chosen->second);
    const auto faster = [](const json& a, const json& b) { return a["seconds"] < b["seconds"]; };
    list.push_back({{"id", file_name(fmt::format("work-group-{}-{}-{}", problem, name, device))},
                    {"title", fmt::format("{} {}, {}", model, name, problem)},
                    {"problem", problem},
                    {"model", model},
                    {"variant", name},
                    {"device", device},
                    {"points", points},
                    {"best", *std::min_element(points.begin(), points.end(), faster)},
                    {"worst", *std::max_element(points.begin(), points.end(), faster)},
                    {"default", chosen->second.chosen}});
  }
  return list;
}

/// Seconds of every optimisation step, a picture for each device; the published figures alone where nothing
/// ran.
json optimisation_steps(const Results& results, const Published& published) {
  const MeasuredByProblem measured = step_measurements(results, published);
  auto devices = devices_of(measured, published.steps.model);
  if (devices.empty()) devices.emplace_back();
  json list = json::array();
  for (const auto& [type, device] : devices) {
    json problems = json::array(), steps = json::array();
    for (const auto& [problem, all] : measured) problems.push_back(problem);
    for (const auto& step : published.steps.steps) {
      json seconds = json::object();
      for (const auto& [problem, all] : measured)
        if (const Measurement* const run = step_run(all, published.steps, step, type, device))
          seconds[problem] = run->seconds;
      steps.push_back({{"name", step.name}, {"seconds", seconds}, {"published", step.seconds}});
    }
    list.push_back({{"id", file_name("optimisation-steps" + (device.empty() ? "" : '-' + device))},
                    {"title", device.empty() ? "OpenCL optimisation steps, as published"
                                             : fmt::format("OpenCL optimisation steps on {}", device)},
                    {"device", device},
                    {"problems", problems},
                    {"steps", steps}});
  }
  return list;
}

/// Every problem that was solved, the one that was solved furthest of each.
std::vector<FlowKey> solved_problems(const Results& results) {
  std::vector<FlowKey> keys;
  for (const auto& entry : results.entries) {
    if (!entry.record.is_object()) continue;
    const json& problem = entry.record["problem"];
    const FlowKey key = {problem["name"], problem["digest"], problem["nx"], problem["ny"],
                         entry.record["steps"]};
    const auto same =
        std::find_if(keys.begin(), keys.end(), [&](const FlowKey& k) { return k.digest == key.digest; });
    if (same == keys.end())
      keys.push_back(key);
    else if (same->steps < key.steps)
      *same = key;
  }
  return keys;
}

void add_flow(const Results& results, const fs::path& folder, json& plots,
              std::vector<std::string>& complaints) {
  plots["average_velocity"] = plots["flow"] = json::array();
  for (const FlowKey& key : solved_problems(results)) try {
      const std::string prefix = find_answer(results.folder / "oracle", key);
      if (prefix.empty()) continue;
      const std::string id = file_name(fmt::format("{}-{}", key.problem, key.steps));
      const VelocityHistory history = read_history(prefix, key.steps, most_history_points);
      plots["average_velocity"].push_back({{"id", "average-velocity-" + id},
                                           {"problem", key.problem},
                                           {"series", json::array({{{"label", "oracle, double precision"},
                                                                    {"steps", history.steps},
                                                                    {"values", history.values}}})}});
      const FlowField field = read_field(prefix, key.nx, key.ny, most_field_columns);
      const std::string name = fmt::format("data/flow-{}.f32", id);
      AtomicFile file(folder / name);
      file.write(planes_of(field));
      file.commit();
      plots["flow"].push_back({{"id", "flow-" + id},
                               {"title", fmt::format("{} after {} steps", key.problem, key.steps)},
                               {"problem", key.problem},
                               {"nx", key.nx},
                               {"ny", key.ny},
                               {"steps", key.steps},
                               {"columns", field.columns},
                               {"rows", field.rows},
                               {"file", name}});
    } catch (const Error& error) {
      complaints.push_back(fmt::format("{}; the report goes without that flow", error.what()));
    }
}

}  // namespace

json plot_data(const Results& results, const Published& published, const std::vector<AnalysedRow>& rows,
               const fs::path& folder, std::vector<std::string>& complaints) {
  json plots = {{"rooflines", rooflines(results, rows)},
                {"speed_ups", speed_ups(results)},
                {"optimisation_steps", optimisation_steps(results, published)},
                {"work_groups", work_groups(results)},
                {"scaling", scaling_data(results.comparison)},
                {"vector_lengths", vector_lengths(results)}};
  add_flow(results, folder, plots, complaints);
  return plots;
}

}  // namespace boltzmark
