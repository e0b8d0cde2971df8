#include "analysis/report/results.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "analysis/roofline/roofline.hpp"
#include "analysis/run/store.hpp"
#include "analysis/support/json_reader.hpp"
#include "common/base/error.hpp"
#include "common/run/record.hpp"

namespace boltzmark {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// An entry and where it stands: "FILE:LINE".
struct PlacedEntry {
  RunEntry entry;
  std::string place;
};

bool is_stream(const json& record) { return record.is_object() && record.value("kind", "run") == "stream"; }

/// Throws Error (bad_input) unless the record has what a report needs, as RECORD.md says it.
void check_format(ObjectReader& in) {
  if (const std::int64_t format = in.integer("format"); format != record_format)
    in.fail("format", fmt::format("version {} of a record", record_format),
            fmt::format("version {}{}", format,
                        format > record_format ? ", which is newer than this program" : ""));
}

void check_run(const json& record, const std::string& place) {
  ObjectReader in(record, place, "record");
  check_format(in);
  figures_of(record, 1.0, place);
  in.object("check");
  in.object("provenance");
  const auto repeats = in.objects("repeats");
  if (repeats.empty()) in.fail("repeats", "at least one repeat", "none");
  for (ObjectReader repeat : repeats)
    if (const double seconds = repeat.number("compute_seconds"); !(seconds > 0.0))
      repeat.fail("compute_seconds", "seconds above zero", fmt::format("{}", seconds));
}

StreamResult read_stream(const json& record, const std::string& place) {
  ObjectReader in(record, place, "record");
  check_format(in);
  StreamResult stream;
  stream.model = in.text("model");
  stream.precision = in.text("precision");
  stream.device = in.any_text("device");
  stream.device_type = in.text("device_type");
  stream.threads = static_cast<int>(in.integer("threads"));
  stream.ranks = static_cast<int>(in.integer("ranks"));
  stream.elements = in.integer("elements");
  for (ObjectReader kernel : in.objects("kernels")) {
    StreamKernelResult& result = stream.kernels.emplace_back();
    result.name = kernel.text("name");
    result.gb_per_s = kernel.number("gb_per_s");
    result.gb_per_s_median = kernel.number("gb_per_s_median");
    result.min_seconds = kernel.number("min_seconds");
    result.median_seconds = kernel.number("median_seconds");
    result.max_seconds = kernel.number("max_seconds");
    if (!(result.min_seconds > 0.0))
      kernel.fail("min_seconds", "seconds above zero", fmt::format("{}", result.min_seconds));
  }
  if (stream.kernels.empty()) in.fail("kernels", "the five kernels", "none");
  stream.passed = in.object("check").truth("passed");
  in.object("provenance");
  stream.provenance = record["provenance"];
  return stream;
}

std::vector<PlacedEntry> read_entries(const fs::path& file, std::vector<std::string>& complaints) {
  RunsFile runs = read_runs(file);
  complaints.insert(complaints.end(), runs.complaints.begin(), runs.complaints.end());
  std::vector<PlacedEntry> placed;
  for (std::size_t i = 0; i < runs.entries.size(); ++i)
    placed.push_back({std::move(runs.entries[i]), fmt::format("{}:{}", file.string(), runs.lines[i])});
  return placed;
}

/// Options of the model's own that were asked for: the command line has them with the value that is among the
/// settings.
std::vector<std::string> own_options_of(const json& settings, const std::string& command) {
  std::vector<std::string> options;
  for (const auto& setting : settings.items()) {
    if (setting.key() == "work_group" || setting.value().is_structured()) continue;
    std::string name = "--" + setting.key();
    std::replace(name.begin(), name.end(), '_', '-');
    const std::string value =
        setting.value().is_string() ? setting.value().get<std::string>() : setting.value().dump();
    if ((command + ' ').find(fmt::format(" {} {} ", name, value)) == command.npos) continue;
    options.insert(options.end(), {name, value});
  }
  return options;
}

/// An entry as `boltzmark run` would have written it, for a record that was written with --json.
RunEntry entry_of(const json& record, const std::string& place) {
  ObjectReader in(record, place, "record");
  RunEntry entry;
  entry.record = record;
  entry.key.model = in.text("model");
  entry.key.precision = in.text("precision");
  entry.key.threads = static_cast<int>(in.integer("threads"));
  entry.key.ranks = static_cast<int>(in.integer("ranks"));
  entry.key.device = in.any_text("device");
  if (!is_stream(record)) {
    entry.key.variant = in.text("variant");
    entry.key.steps = static_cast<int>(in.integer("steps"));
    entry.problem = in.object("problem").text("name");
    entry.key.problem = in.object("problem").text("digest");
  }
  // A work-group that was not asked for is no setting of its own; only the command line tells.
  const std::string command = record.value(json::json_pointer("/provenance/command"), "");
  const json settings = record.value("settings", json::object());
  if (command.find("--work-group") != command.npos) entry.key.work_group = settings.value("work_group", "");
  entry.key.options = own_options_of(settings, command);
  const json& passed = record.at("check").at("passed");
  if (passed.is_boolean() && !passed.get<bool>()) {
    entry.status = RunStatus::wrong;
    entry.reason = "its check failed, says its record";
  }
  entry.command = command;
  return entry;
}

/// A file of bare records, one JSON object a line.
std::vector<PlacedEntry> read_records(const fs::path& file, std::vector<std::string>& complaints) {
  std::ifstream in(file);
  if (!in)
    throw bad_input("{}: expected a results folder or a file of records, found none that can be read",
                    file.string());
  std::vector<PlacedEntry> placed;
  std::map<std::string, int> rounds;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    const std::string place = fmt::format("{}:{}", file.string(), ++number);
    if (line.empty()) continue;
    try {
      RunEntry entry = entry_of(json::parse(line), place);
      entry.key.round = ++rounds[entry.key.configuration()];
      placed.push_back({std::move(entry), place});
    } catch (const json::exception& fault) {
      complaints.push_back(fmt::format(
          "{}: expected a record, found something else ({}); the line is ignored", place, fault.what()));
    } catch (const Error& error) {
      complaints.push_back(fmt::format("{}; the line is ignored", error.what()));
    }
  }
  return placed;
}

/// A run apart from when and from what it was built.
std::string lasting_identity(RunKey key) {
  key.program.clear();
  key.oracle.clear();
  key.round = 0;
  return key.identity();
}

/// Of every configuration the runs of the build that ran last, and of those the newest of every round.
std::vector<PlacedEntry> newest_of(std::vector<PlacedEntry> all) {
  std::map<std::string, std::pair<std::string, std::string>> latest;
  for (const auto& placed : all)
    latest[lasting_identity(placed.entry.key)] = {placed.entry.key.program, placed.entry.key.oracle};
  std::vector<PlacedEntry> kept;
  std::map<std::string, std::size_t> position;
  for (auto& placed : all) {
    const RunKey& key = placed.entry.key;
    if (latest[lasting_identity(key)] != std::pair(key.program, key.oracle)) continue;
    const auto [at, is_new] = position.try_emplace(key.identity(), kept.size());
    if (is_new)
      kept.push_back(std::move(placed));
    else
      kept[at->second] = std::move(placed);
  }
  return kept;
}

/// Leaves out what cannot be used, with a complaint: it must not stand in for an earlier run that can.
std::vector<PlacedEntry> usable(std::vector<PlacedEntry> all, std::vector<std::string>& complaints) {
  std::vector<PlacedEntry> kept;
  for (auto& placed : all) try {
      const json& record = placed.entry.record;
      if (is_stream(record))
        read_stream(record, placed.place);
      else if (record.is_object())
        check_run(record, placed.place);
      kept.push_back(std::move(placed));
    } catch (const Error& error) {
      complaints.push_back(fmt::format("{}; the line is ignored", error.what()));
    }
  return kept;
}

/// What a tuner tried: it keeps the lowest of a shape's runs, so that stands for the median.
Comparison read_tuning(const fs::path& file, std::vector<std::string>& complaints) {
  std::vector<RunEntry> entries;
  for (auto& placed : newest_of(usable(read_entries(file, complaints), complaints)))
    entries.push_back(std::move(placed.entry));
  Comparison tuning = make_comparison(entries, {}, {});
  for (auto& problem : tuning.problems)
    for (auto& row : problem.rows) row.median = row.minimum;
  return tuning;
}

/// One kernel over all rounds: the shortest and the longest of all executions, and the median of the rounds'
/// medians.
StreamKernelResult join_rounds(const std::vector<StreamKernelResult>& rounds) {
  StreamKernelResult joined = rounds.back();
  const double gigabytes = joined.gb_per_s * joined.min_seconds;
  std::vector<double> medians;
  for (const StreamKernelResult& round : rounds) {
    joined.min_seconds = std::min(joined.min_seconds, round.min_seconds);
    joined.max_seconds = std::max(joined.max_seconds, round.max_seconds);
    medians.push_back(round.median_seconds);
  }
  joined.median_seconds = median(medians);
  joined.gb_per_s = gigabytes / joined.min_seconds;
  joined.gb_per_s_median = gigabytes / joined.median_seconds;
  return joined;
}

/// Of all rounds of a configuration one result, right when all of them were; the rest is the last one's.
StreamResult join_rounds(const std::vector<StreamResult>& rounds) {
  StreamResult joined = rounds.back();
  joined.passed = std::all_of(rounds.begin(), rounds.end(), [](const StreamResult& r) { return r.passed; });
  for (StreamKernelResult& kernel : joined.kernels) {
    std::vector<StreamKernelResult> of_kernel;
    for (const StreamResult& round : rounds)
      if (const StreamKernelResult* const found = round.find(kernel.name)) of_kernel.push_back(*found);
    kernel = join_rounds(of_kernel);
  }
  return joined;
}

/// STREAM runs of one configuration become one, where its first was.
void join_rounds_of_each(std::vector<StreamResult>& streams) {
  std::map<std::tuple<std::string, std::string, std::string, int, int, std::int64_t>, std::size_t> position;
  std::vector<std::vector<StreamResult>> configurations;
  for (auto& stream : streams) {
    const auto [at, is_new] = position.try_emplace(
        {stream.model, stream.precision, stream.device, stream.threads, stream.ranks, stream.elements},
        configurations.size());
    if (is_new) configurations.emplace_back();
    configurations[at->second].push_back(std::move(stream));
  }
  streams.clear();
  for (const auto& rounds : configurations) streams.push_back(join_rounds(rounds));
}

}  // namespace

const StreamKernelResult* StreamResult::find(const std::string& kernel) const {
  const auto at =
      std::find_if(kernels.begin(), kernels.end(), [&](const auto& k) { return k.name == kernel; });
  return at == kernels.end() ? nullptr : &*at;
}

Results read_results(const fs::path& folder_or_file) {
  Results results;
  results.folder = folder_or_file;
  const bool is_folder = fs::is_directory(folder_or_file);
  if (!fs::exists(folder_or_file))
    throw bad_input(
        "{}: expected a results folder or a file of records, found nothing; `boltzmark run` makes one",
        folder_or_file.string());
  const fs::path runs = folder_or_file / runs_file, peaks = folder_or_file / "peaks.json";
  auto all =
      is_folder ? read_entries(runs, results.complaints) : read_records(folder_or_file, results.complaints);
  for (auto& [entry, place] : newest_of(usable(std::move(all), results.complaints))) {
    if (is_stream(entry.record))
      results.streams.push_back(read_stream(entry.record, place));
    else
      results.entries.push_back(std::move(entry));
  }
  join_rounds_of_each(results.streams);
  if (is_folder) results.tuning = read_tuning(folder_or_file / tuning_file, results.complaints);
  if (is_folder && fs::exists(peaks)) try {
      results.peaks = read_peaks(peaks);
    } catch (const Error& error) {
      results.complaints.push_back(fmt::format("{}; the report goes without peaks", error.what()));
    }
  std::vector<RunEntry>
      runs_of_the_method;  // a STREAM run that failed has no record, and is nothing to compare
  std::copy_if(results.entries.begin(), results.entries.end(), std::back_inserter(runs_of_the_method),
               [](const RunEntry& entry) { return !entry.key.is_stream(); });
  results.comparison = make_comparison(runs_of_the_method, Plan{}.compare, Plan{}.baselines);
  if (results.entries.empty() && results.streams.empty() && results.tuning.problems.empty() && !results.peaks)
    throw bad_input(
        "{}: expected finished runs, found {}; `boltzmark run` makes some", folder_or_file.string(),
        results.complaints.empty() ? "none" : "none that can be read (" + results.complaints.front() + ")");
  return results;
}

}  // namespace boltzmark
