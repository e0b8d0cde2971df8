#include "analysis/roofline/results.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <utility>

#include "analysis/support/by_name.hpp"
#include "analysis/support/json.hpp"
#include "common/base/error.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

using nlohmann::json;

/// An entry and its place: "FILE:LINE".
struct PlacedEntry {
  RunEntry entry;
  std::string place;
};

std::vector<PlacedEntry> read_entries(const fs::path& file, std::vector<std::string>& complaints) {
  RunsFile runs = read_runs(file);
  complaints.insert(complaints.end(), runs.complaints.begin(), runs.complaints.end());
  std::vector<PlacedEntry> placed;
  for (std::size_t i = 0; i < runs.entries.size(); ++i)
    placed.push_back({std::move(runs.entries[i]), fmt::format("{}:{}", file.string(), runs.lines[i])});
  return placed;
}

/// Whether an option was asked for. Records older than `asked` only have their command line, with `words` in it.
bool is_asked(const Record& record, const std::string& option, const std::string& words) {
  if (!record.asked.empty()) return record.asked.contains(option);
  return (record.provenance.command + ' ').find(words) != std::string::npos;
}

/// Options of the model that were asked for, as words: those among its settings.
std::vector<std::string> options_asked_for(const Record& record) {
  std::vector<std::string> options;
  for (const auto& [key, setting] : record.settings.items()) {
    if (key == "work_group" || setting.is_structured()) continue;
    std::string name = key, value = setting.is_string() ? setting.get<std::string>() : setting.dump();
    std::replace(name.begin(), name.end(), '_', '-');
    if (!is_asked(record, name, fmt::format(" --{} {} ", name, value))) continue;
    if (const auto asked = record.asked.find(name); asked != record.asked.end()) value = asked->second;
    options.push_back("--" + name);
    if (!value.empty()) options.push_back(value);
  }
  return options;
}

/// The entry that `boltzmark run` would have written around a record.
RunEntry entry_around(Record record) {
  RunEntry entry;
  RunKey& key = entry.key;
  key.workload = record.workload;
  key.model = record.model;
  key.variant = record.variant;
  key.precision = record.precision;
  key.threads = record.threads;
  key.ranks = record.ranks;
  key.device = record.device;
  key.steps = static_cast<int>(record.steps);
  key.case_ = record.case_.digest;
  key.options = options_asked_for(record);
  // A work-group that was not asked for does not tell a run from others.
  if (is_asked(record, "work-group", "--work-group") && record.settings.is_object())
    key.work_group = record.settings.value("work_group", "");
  entry.case_name = record.case_.name;
  if (!record.check.passed.value_or(true)) {
    entry.status = RunStatus::wrong;
    entry.reason = "its check failed, says its record";
  }
  entry.command = record.provenance.command;
  entry.record = std::move(record);
  return entry;
}

std::vector<PlacedEntry> read_records(const fs::path& file, std::vector<std::string>& complaints) {
  std::ifstream in(file);
  if (!in)
    throw bad_input("{}: expected a results folder or a file of records, found none that can be read", file.string());
  std::vector<PlacedEntry> placed;
  std::map<std::string, int> rounds;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    const std::string place = fmt::format("{}:{}", file.string(), ++number);
    if (line.empty()) continue;
    try {
      RunEntry entry = entry_around(parse_json(line).get<Record>());
      entry.key.round = ++rounds[entry.key.configuration()];
      placed.push_back({std::move(entry), place});
    } catch (const std::exception& fault) {
      complaints.push_back(
          fmt::format("{}: expected a record, found something else ({}); the line is ignored", place, fault.what()));
    }
  }
  return placed;
}

/// What keeps a record out of the figures, "" when nothing does. Its shape is right, or it would not be one.
std::string fault_in(const Record& record) {
  const auto positive = [](double value) { return value > 0.0; };
  const auto timed = [&](const std::vector<double>& seconds) {
    return !seconds.empty() && std::all_of(seconds.begin(), seconds.end(), positive);
  };
  std::vector<double> seconds;
  for (const Timing& repeat : record.repeats) seconds.push_back(repeat.compute_seconds);
  if (!timed(seconds)) return "repeats: expected seconds above zero, found others or none";
  if (!positive(record.compute_seconds)) return "compute_seconds: expected seconds above zero, found others";
  for (const Part& part : record.parts)
    if (!timed(part.seconds))
      return fmt::format("parts: {}: expected seconds above zero, found others or none", part.name);
  if (!positive(record.work.updates) || !positive(record.work.bytes_per_update))
    return "work: expected updates and bytes above zero, found others";
  if (record.metrics.empty()) return "metrics: expected a rate, found none";
  if (!record.settings.is_object()) return "settings: expected an object, found something else";
  return "";
}

/// Without entries that cannot be used: they must not stand in for earlier ones that can.
std::vector<PlacedEntry> usable(std::vector<PlacedEntry> all, std::vector<std::string>& complaints) {
  std::erase_if(all, [&complaints](const PlacedEntry& placed) {
    const std::string fault = placed.entry.record ? fault_in(*placed.entry.record) : "";
    if (!fault.empty()) complaints.push_back(fmt::format("{}: {}; the line is ignored", placed.place, fault));
    return !fault.empty();
  });
  return all;
}

/// A run apart from when and from what it was built.
std::string lasting_identity(RunKey key) {
  key.program.clear();
  key.oracle.clear();
  return key.configuration();
}

/// Of every configuration the runs of the build that ran last, and of those the newest of every round.
std::vector<RunEntry> newest_of(std::vector<PlacedEntry> all) {
  std::map<std::string, std::pair<std::string, std::string>> latest;
  for (const auto& [entry, place] : all) latest[lasting_identity(entry.key)] = {entry.key.program, entry.key.oracle};
  ByName<RunEntry*> newest;
  for (auto& [entry, place] : all)
    if (latest[lasting_identity(entry.key)] == std::pair(entry.key.program, entry.key.oracle))
      newest[entry.key.identity()] = &entry;
  std::vector<RunEntry> kept;
  for (const auto& [identity, entry] : newest) kept.push_back(std::move(*entry));
  return kept;
}

}  // namespace

Results read_results(const fs::path& folder_or_file) {
  if (!fs::exists(folder_or_file))
    throw bad_input("{}: expected a results folder or a file of records, found nothing; `boltzmark run` makes one",
                    folder_or_file.string());
  Results results;
  results.folder = folder_or_file;
  auto& complaints = results.complaints;
  if (fs::is_directory(folder_or_file)) {
    results.entries = newest_of(usable(read_entries(folder_or_file / runs_file, complaints), complaints));
    results.tuning = newest_of(usable(read_entries(folder_or_file / tuning_file, complaints), complaints));
    if (const fs::path peaks = folder_or_file / "peaks.json"; fs::exists(peaks)) try {
        results.peaks = read_peaks(peaks);
      } catch (const Error& error) {
        complaints.push_back(fmt::format("{}; the figures go without peaks", error.what()));
      }
  } else {
    results.entries = newest_of(usable(read_records(folder_or_file, complaints), complaints));
  }
  if (results.empty())
    throw bad_input("{}: expected finished runs, found {}; `boltzmark run` makes some", folder_or_file.string(),
                    complaints.empty() ? "none" : "none that can be read (" + complaints.front() + ")");
  return results;
}

}  // namespace boltzmark
