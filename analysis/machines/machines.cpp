#include "analysis/machines/machines.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "analysis/roofline/figures.hpp"
#include "analysis/roofline/words.hpp"
#include "analysis/summary/summary.hpp"
#include "analysis/support/json.hpp"
#include "common/base/error.hpp"
#include "common/base/print.hpp"
#include "common/base/ranges.hpp"
#include "common/base/statistics.hpp"
#include "common/lbm/check.hpp"

namespace boltzmark {
namespace {

/// Processor or GPUs of a machine.
struct Platform {
  std::string machine, device, name;
  std::string type;  ///< "cpu", "gpu" or "accelerator"
  const Peaks* peaks = nullptr;
  Rows rows;
};

bool counts(const Row& row) {
  const double most = lbm::tolerance(row.key.precision == "f64" ? Precision::f64 : Precision::f32);
  const bool is_part_of_interest = row.part.empty() || row.key.workload != "stream" || row.part == "triad";
  return row.rate && is_part_of_interest && (row.key.workload != "lbm" || row.check.tolerance <= most);
}

std::vector<Platform> platforms_of(const std::vector<MachineResults>& machines) {
  std::vector<Platform> all;
  for (const MachineResults& machine : machines) {
    ByName<Rows> of_devices;
    for (const Row* row : right_of_plans(machine.rows))
      if (counts(*row)) of_devices[plain_device(device_of(*row))].push_back(row);
    for (const auto& [device, rows] : of_devices)
      all.push_back({machine.name, device, of_devices.size() == 1 ? machine.name : machine.name + ", " + device,
                     rows.front()->record->device_type, machine.peaks ? &*machine.peaks : nullptr, rows});
  }
  return all;
}

/// Equal for rows of one application.
std::string application_of(const Row& row) {
  return fmt::format("{}|{}|{}|{}", row.key.workload, row.case_digest(), row.key.precision, row.part);
}

double rate_of(const Row& row) { return row.rate->median; }

bool is_model(const Row& row) { return row.record->role != "peer"; }

std::optional<double> architectural(const Row& row) {
  return if_any(row.roofline.share, [](double share) { return std::min(1.0, share); });
}

/// The problem of lattice Boltzmann that most platforms ran, of these the largest, in f32 first.
std::string headline(const std::vector<Platform>& platforms) {
  std::map<std::string, std::set<const Platform*>> ran;
  std::map<std::string, std::pair<double, bool>> order;
  for (const Platform& platform : platforms)
    for (const Row* row : platform.rows)
      if (row->key.workload == "lbm" && row->part.empty()) {
        ran[application_of(*row)].insert(&platform);
        order[application_of(*row)] = {row->work.updates / static_cast<double>(row->steps()),
                                       row->key.precision == "f32"};
      }
  std::string best;
  for (const auto& [name, on] : ran)
    if (best.empty() || std::tuple(on.size(), order[name]) > std::tuple(ran[best].size(), order[best])) best = name;
  return best;
}

/// Facts of a platform from its peaks.
void add_roofs(const Peaks& peaks, const Platform& platform, json& row) {
  const auto add = [&row](const auto& side, const char* memory, int cores) {
    const auto roof = level_roof(side.bandwidths, memory, cores, cores > 0);
    const ComputePeak* const peak = find_fastest(side.computes, "f32", cores);
    if (roof) row["roof_gb_per_s"] = roof->rate.median;
    if (peak) row["peak_gflop_per_s"] = peak->limit().median;
    if (roof && peak) row["ridge_flop_per_byte"] = peak->limit().median / roof->rate.median;
  };
  if (platform.type == "cpu")
    add(peaks.processor, "DRAM", peaks.processor.cores);
  else if (const DevicePeaks* const device = find_device(peaks, platform.rows.front()->device))
    add(*device, "memory", 0);
}

json machine_row(const Platform& platform, const std::string& application) {
  const auto dates = each(platform.rows, [](const Row* row) { return row->record->provenance.date.substr(0, 10); });
  json row = {
      {"machine", platform.machine},
      {"platform", platform.name},
      {"device", platform.device},
      {"type", platform.type},
      {"cores", std::ranges::max(each(platform.rows, [](const Row* one) { return one->record->provenance.cores; }))},
      {"runs", platform.rows.size()},
      {"first_date", std::ranges::min(dates)},
      {"last_date", std::ranges::max(dates)}};
  const auto add = [&row](const std::string& name, const char* by, const Row* best, double figure) {
    row.update({{name, figure}, {by, program_words(*best)}});
  };
  const auto with_role = [&](bool (*has_role)(const Row&)) {
    return best_of(
        platform.rows, [&](const Row& one) { return application_of(one) == application && has_role(one); }, rate_of);
  };
  if (const Row* const same = with_role([](const Row& one) { return one.record->role == "like-for-like"; }))
    add("like_for_like", "like_for_like_by", same, rate_of(*same));
  if (const Row* const best = with_role(is_model)) {
    add("best", "best_by", best, rate_of(*best));
    row.update({{"case", best->case_name},
                {"precision", best->key.precision},
                {"unit", best->rate_unit},
                {"share_of_roof", architectural(*best)}});
  }
  if (const Row* const triad = fastest_triad(platform.rows, "f32")) {
    add("triad_gb_per_s", "triad_by", triad, rate_of(*triad));
    row["triad_by"] = fmt::format("{}, {}", program_words(*triad), problem_words(triad->case_name));
  }
  const auto per_joule = [](const Row& one) { return one.work.updates / median(one.joules); };
  if (const Row* const frugal = best_of(
          platform.rows, [](const Row& one) { return one.key.workload == "lbm" && !one.joules.empty(); }, per_joule)) {
    add("updates_per_joule", "updates_per_joule_by", frugal, per_joule(*frugal));
    row["updates_per_joule_case"] = frugal->case_name;
  }
  if (platform.peaks) add_roofs(*platform.peaks, platform, row);
  return row;
}

/// A model's best on one platform.
struct Reached {
  const Platform* platform;
  const Row* row;
  double application;
};

json efficiency_row(const Reached& one, const std::string& words) {
  const Row& row = *one.row;
  const RooflineAnalysis& at = row.roofline;
  json all = {{"application", words},
              {"workload", row.key.workload},
              {"precision", row.key.precision},
              {"model", row.key.model},
              {"platform", one.platform->name},
              {"type", one.platform->type},
              {"program", program_words(row)},
              {"rate", rate_of(row)},
              {"unit", row.rate_unit},
              {"application_efficiency", one.application},
              {"architectural_efficiency", json(architectural(row))},
              {"bound", at.verdict}};
  if (at.flop_per_byte && at.ridge_flop_per_byte && at.share_of_peak)
    all.update(
        {{"intensity_over_ridge", *at.flop_per_byte / *at.ridge_flop_per_byte}, {"share_of_peak", *at.share_of_peak}});
  return all;
}

/// A model over a set of platforms on which the application ran.
json portability_row(const std::vector<Reached>& reached, const std::vector<const Platform*>& set) {
  std::vector<double> application, roofed;
  std::vector<std::string> names, without;
  for (const Platform* platform : set) {
    names.push_back(platform->name);
    const Reached* const at = find_by(reached, platform, &Reached::platform);
    if (!at) {
      without.push_back(platform->name);
      continue;
    }
    application.push_back(at->application);
    if (const auto share = architectural(*at->row)) roofed.push_back(*share);
  }
  const bool lacks_roof = roofed.size() < application.size();
  json row = {{"platforms", set.size()}, {"set", join(names, "; ")}, {"without", join(without, "; ")}};
  row["application"] = without.empty() ? harmonic_mean(application) : 0.0;
  // Zero for any roofs; else unknown if one of them is unknown.
  if (!without.empty() || !lacks_roof) row["architectural"] = without.empty() ? harmonic_mean(roofed) : 0.0;
  return row;
}

void add_application(const std::vector<Platform>& platforms, const std::string& application, MachineTables& tables) {
  std::vector<const Platform*> ran;
  ByName<std::vector<Reached>> models;
  std::string words;
  for (const Platform& platform : platforms) {
    const auto is_it = [&](const Row& row) { return application_of(row) == application; };
    const Row* const known = best_of(platform.rows, is_it, rate_of);
    if (!known) continue;
    ran.push_back(&platform);
    if (words.empty())
      words = join_not_empty({known->key.workload, problem_words(known->case_name), known->part, known->key.precision});
    std::map<std::string, Rows> of_models;
    for (const Row* row : platform.rows)
      if (is_it(*row) && is_model(*row)) of_models[row->key.model].push_back(row);
    for (const auto& [model, rows] : of_models) {
      const Row* const best = best_of(rows, is_it, rate_of);
      models[model].push_back({&platform, best, rate_of(*best) / rate_of(*known)});
    }
  }
  for (auto [model, reached] : models) {
    std::ranges::stable_sort(reached, std::greater(), &Reached::application);
    std::vector<double> so_far;
    for (const Reached& one : reached) {
      so_far.push_back(one.application);
      json row = efficiency_row(one, words);
      row.update({{"place", so_far.size()}, {"portability_so_far", harmonic_mean(so_far)}, {"platforms", ran.size()}});
      tables.efficiency.push_back(std::move(row));
    }
    for (const char* type : {"", "cpu", "gpu"}) {
      auto set = ran;
      std::erase_if(set, [&](const Platform* platform) { return *type && platform->type != type; });
      if (set.size() < 2 || (*type && set.size() == ran.size())) continue;
      json row = portability_row(reached, set);
      row.update({{"of", words}, {"model", model}, {"over", *type ? std::string(type) + "s" : "all"}});
      tables.portability.push_back(std::move(row));
    }
  }
}

FigureColumns<json> machine_columns() {
  return {
      {"machine: its name"},
      {"platform: the machine's processor, or its GPUs of one kind; the machine's name if it has only one platform"},
      {"device: name of the processor or GPU"},
      {"type: cpu, gpu or accelerator"},
      {"cores: logical processors that a process could use", numeric},
      {"runs: right rows on it", numeric},
      {"first_date: date of the first"},
      {"last_date: date of the last"},
      {"case: the lattice Boltzmann problem that most platforms ran (the largest of these)"},
      {"precision: precision of that run"},
      {"unit: unit of like_for_like and best"},
      {"like_for_like (unit): the fastest variant of the algorithm that all models share", numeric},
      {"like_for_like_by: model, variant, workers"},
      {"best (unit): the fastest of all variants but peers", numeric},
      {"best_by: likewise"},
      {"share_of_roof: the share of its bound that this run reaches, at most 1", numeric},
      {"triad_gb_per_s (GB/s): STREAM's fastest triad of the longest arrays, f32, at its median", numeric},
      {"triad_by: likewise, and the length"},
      {"updates_per_joule: most cell updates per joule in any lattice Boltzmann problem", numeric},
      {"updates_per_joule_by: likewise"},
      {"updates_per_joule_case: the problem of that run"},
      {"roof_gb_per_s (GB/s): roof of main or device memory with all cores, in bytes that move", numeric},
      {"peak_gflop_per_s (GFLOP/s): measured multiply-adds, f32, all cores", numeric},
      {"ridge_flop_per_byte (FLOP/byte): intensity at which these two meet", numeric}};
}

FigureColumns<json> efficiency_columns() {
  return {{"application: workload, case or part, and precision"},
          {"workload: workload of the application"},
          {"precision: precision of that run"},
          {"model: the model, with its fastest right row"},
          {"platform: as in machines.csv"},
          {"type: type of the platform"},
          {"program: model, variant, workers"},
          {"rate (unit): at the median", numeric},
          {"unit: unit of the rate"},
          {"application_efficiency: rate over that of the platform's fastest row of any model", numeric},
          {"architectural_efficiency: share of the time that its bound takes, at most 1; empty without peaks", numeric},
          {"bound: the limit that takes the longest time"},
          {"intensity_over_ridge: operational intensity over that of its roof's ridge", numeric},
          {"share_of_peak: of the multiply-add rate", numeric},
          {"place: rank among the platforms of this model, the best first", numeric},
          {"portability_so_far: harmonic mean of application_efficiency over the places up to this one", numeric},
          {"platforms: number of platforms that ran the application in any model", numeric}};
}

FigureColumns<json> portability_columns() {
  return {
      {"of: application, as in efficiency.csv"},
      {"model: the model, with its fastest rows"},
      {"over: the set of platforms: all on which any model ran it, or the cpus or gpus of these"},
      {"application: Pennycook's metric with application efficiencies; 0 if the model is missing on a platform",
       numeric},
      {"architectural: the same with architectural efficiencies; empty if a platform's roofs are not known", numeric},
      {"platforms: number of platforms in the set", numeric},
      {"set: names of these platforms"},
      {"without: those of them without a right run of the model"}};
}

}  // namespace

MachineTables compare_machines(const std::vector<MachineResults>& machines) {
  const auto platforms = platforms_of(machines);
  MachineTables tables;
  std::vector<std::string> applications;
  const std::string shown = headline(platforms);
  for (const Platform& platform : platforms) {
    tables.machines.push_back(machine_row(platform, shown));
    for (const Row* row : platform.rows) add_once(applications, application_of(*row));
  }
  for (const std::string& application : applications) add_application(platforms, application, tables);
  for (const MachineResults& machine : machines)
    if (!find_by(platforms, machine.name, &Platform::machine)) tables.left_out.push_back(machine.name);
  return tables;
}

std::vector<TableData> tables_of(const MachineTables& all) {
  MachineTables shown = all;
  for (json& row : shown.machines)
    if (row.contains("updates_per_joule")) row["per_joule"] = 1e-6 * row["updates_per_joule"].get<double>();
  const std::map<std::string, std::string> sets = {{"all", "all"}, {"cpus", "processors"}, {"gpus", "GPUs"}};
  ByName<std::string> platforms;
  // STREAM after what it bounds.
  const auto is_stream = [](const char* of) {
    return [of](const json& row) { return text_in(row, of).starts_with("stream"); };
  };
  std::ranges::stable_sort(shown.efficiency, {}, is_stream("application"));
  std::ranges::stable_sort(shown.portability, {}, is_stream("of"));
  for (json& row : shown.portability) {
    if (row["over"] == "all") platforms[row["of"]] = row["set"];
    row["over"] = sets.at(row["over"]);
  }
  const auto* const one = find_where(all.machines, [](const json& row) { return row.contains("case"); });
  const std::string unit = one ? text_in(*one, "unit") : "";
  std::vector<std::string> notes = {
      "Application efficiency: the rate over the best of any model on that platform.",
      "Architectural efficiency: the share of the time that the bound takes, at most 100 %; empty if a platform's "
      "roofs are not known."};
  for (const auto& [of, set] : platforms) notes.push_back(of + ": " + set);
  std::vector<std::string> elsewhere, left_out;
  for (const json& row : all.machines)
    if (one && !row.contains("best")) elsewhere.push_back(text_in(row, "platform"));
  if (!elsewhere.empty()) left_out.push_back("Without a right run of this problem: " + join(elsewhere, "; ") + '.');
  if (!all.left_out.empty()) left_out.push_back("Left out, without any right run: " + join(all.left_out, "; ") + '.');
  return {
      {"machines",
       "Lattice Boltzmann, " + (one ? text_in(*one, "case") + ' ' + text_in(*one, "precision")
                                    : std::string("no lattice Boltzmann problem")),
       "Right runs at their medians; shares of bounds are capped at 100 %. The problem is the one that most platforms "
       "ran.",
       {{"platform", "platform"},
        {"device", "device", "device"},
        {"cores", "cores", "1"},
        {"like_for_like", "same algorithm\n" + unit, "4", "like_for_like_by"},
        {"best", "best\n" + unit, "4", "best_by"},
        {"share_of_roof", "of its\nbound", "percent"},
        {"triad_gb_per_s", "triad\nGB/s", "4", "triad_by"},
        {"roof_gb_per_s", "roof\nGB/s", "4"},
        {"peak_gflop_per_s", "multiply-adds\nGFLOP/s", "4"},
        {"ridge_flop_per_byte", "ridge\nFLOP/byte", "3"},
        {"per_joule", "million\nupdates\na joule", "4", "updates_per_joule_case"},
        {"last_date", "measured"}},
       shown.machines,
       left_out},
      {"portability",
       "Pennycook's performance portability",
       "Harmonic means over all platforms on which any model ran the application (0 if a model has no right run on one "
       "of them), and over only the processors and only the GPUs among them.",
       {{"of", "application"},
        {"model", "model", "model"},
        {"over", "over"},
        {"platforms", "platforms", "1"},
        {"application", "application\nefficiency", "percent"},
        {"architectural", "architectural\nefficiency", "percent"},
        {"without", "not on", "", "", true}},
       shown.portability,
       notes,
       {{"Application", "of"}, {"Model", "model"}, {"Over", "over"}}},
      {"efficiency",
       "Fastest of each model on each platform",
       "",
       {{"application", "application"},
        {"platform", "platform"},
        {"model", "model", "model"},
        {"program", "fastest"},
        {"rate", "rate", "4", "unit"},
        {"application_efficiency", "application\nefficiency", "percent"},
        {"architectural_efficiency", "architectural\nefficiency", "percent"},
        {"bound", "bound"}},
       shown.efficiency,
       {},
       {{"Application", "application"}, {"Platform", "platform"}, {"Model", "model"}}}};
}

bool has_name(const std::string& results) { return results.find('=', 1) != results.npos && !fs::exists(results); }

MachineTables read_machines(const std::vector<std::string>& named) {
  ByName<Results> machines;
  for (const std::string& one : named) {
    const bool is_named = has_name(one);
    const auto equals = one.find('=', 1);
    const fs::path path = is_named ? one.substr(equals + 1) : one;
    const fs::path whole = fs::absolute(path).lexically_normal();
    const std::string last = (whole.has_filename() ? whole : whole.parent_path()).stem().string();
    const std::string name = is_named ? one.substr(0, equals) : last;
    const Results results = read_results(path);
    Results& machine = machines[name];
    if (!is_named && !machine.empty())
      throw bad_input("{}: expected machines of different names, found \"{}\" twice; rename one with NAME={}", one,
                      name, one);
    machine.entries.insert(machine.entries.end(), results.entries.begin(), results.entries.end());
    if (results.peaks) machine.peaks = results.peaks;
  }
  std::vector<MachineResults> all;
  for (const auto& [name, results] : machines) all.push_back({name, make_rows(results), results.peaks});
  return compare_machines(all);
}

void write_machines(const MachineTables& tables, const fs::path& folder) {
  prepare_folder(folder);
  write_whole(folder / "machines.csv", csv_of(machine_columns(), tables.machines));
  write_whole(folder / "efficiency.csv", csv_of(efficiency_columns(), tables.efficiency));
  write_whole(folder / "portability.csv", csv_of(portability_columns(), tables.portability));
  write_columns(machine_files(), folder);
  write_tables({{"tables", tables_of(tables)}}, folder);
}

std::vector<FileWords> machine_files() {
  return {{"machines.csv", "a row per platform (report A B ...)", machine_columns()},
          {"efficiency.csv", "a row per application, model and platform", efficiency_columns()},
          {"portability.csv", "a row per application, model and set of platforms", portability_columns()}};
}

}  // namespace boltzmark
