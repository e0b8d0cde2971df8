// Reading: finished runs, files of records, and peaks with the roofs of a session.
#include "analysis/store/store.hpp"

#include <cmath>
#include <fstream>

#include "analysis/support/json.hpp"
#include "common/base/error.hpp"
#include "common/base/print.hpp"
#include "common/base/ranges.hpp"
#include "common/base/statistics.hpp"

namespace boltzmark {
namespace {

using nlohmann::json;

using TakeLine = std::function<void(const json& line, const std::string& place)>;

/// An object, unchanged or without control characters, which are escaped or not printable ASCII.
json read_line(const std::string& line, Texts texts) {
  json value;
  try {
    value = parse_json(line);
  } catch (const json::parse_error& fault) {
    if (fault.byte > line.size()) throw std::invalid_argument("one that is cut off");
    throw;
  }
  if (!value.is_object()) throw std::invalid_argument("no object");
  const auto may_be_control = [](unsigned char c) { return c == '\\' || c >= 0x7f; };
  return texts == Texts::to_show && std::ranges::any_of(line, may_be_control) ? without_controls(std::move(value))
                                                                              : value;
}

struct OtherVersion : Error {
  using Error::Error;
};

/// Throws OtherVersion for a line of another version of the suite: results without it would look whole.
void expect_version(const json& line, const std::string& place) {
  const auto expect = [&place](const json& object, const char* key, int readable) {
    if (const auto format = object.find(key); format != object.end() && format->is_number() && *format != readable)
      throw OtherVersion(ExitStatus::bad_input,
                         fmt::format("{}: expected a line of format {}, found one of format {}; use the version of "
                                     "boltzmark that wrote it, or another folder",
                                     place, readable, json_line(*format)));
  };
  expect(line, "shared", shared_format);
  if (line.contains("key")) expect(line, "format", run_entry_format);
  if (line.contains("workload")) expect(line, "format", record_format);
  if (line.contains("record") && line["record"].is_object()) expect(line["record"], "format", record_format);
}

/// A line for which `take` throws becomes a complaint. Throws OtherVersion.
void take_lines(const std::string& text, const fs::path& file, const char* expected, Texts texts, const TakeLine& take,
                std::vector<std::string>& complaints) {
  int number = 0;
  for (const std::string& line : split(text, '\n')) {
    const std::string place = fmt::format("{}:{}", file.string(), ++number);
    if (!line.empty()) try {
        const json value = read_line(line, texts);
        expect_version(value, place);
        take(value, place);
      } catch (const OtherVersion&) {
        throw;
      } catch (const std::exception& fault) {
        complaints.push_back(fmt::format("{}: expected {}, found something else ({}); the line is ignored", place,
                                         expected, plain_words(fault)));
      }
  }
}

/// Whether an option was asked for. Records older than `asked` have only their command line, with `words` in it.
bool is_asked(const Record& record, const std::string& option, const std::string& words) {
  if (!record.asked.empty()) return record.asked.contains(option);
  return (record.provenance.command + ' ').find(words) != std::string::npos;
}

/// Options of the model that were asked for, as words: those among its settings.
std::vector<std::string> options_asked_for(const Record& record) {
  std::vector<std::string> options;
  for (const auto& [key, setting] : record.settings.items()) {
    if (key == "work_group" || setting.is_structured()) continue;
    std::string name = key, value = plain_text(setting);
    std::ranges::replace(name, '_', '-');
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
  // A work-group that was not requested does not distinguish a run from others.
  if (is_asked(record, "work-group", "--work-group") && record.settings.is_object())
    key.work_group = record.settings.value("work_group", "");
  entry.case_name = record.case_.name;
  entry.command = record.provenance.command;
  entry.record = std::move(record);
  entry.heed_check();
  return entry;
}

/// A line of a file of records: one of these, or a line of `boltzmark share`.
void take_line(const json& line, const std::string& place, std::map<std::string, int>& rounds, Results& results) {
  if (line.contains("shared")) {
    if (!line.at("peaks").is_null()) results.peaks = peaks_from_json(line["peaks"], place);
    return;
  }
  const bool is_entry = line.contains("key");
  RunEntry entry = is_entry ? RunEntry::from_json(line) : entry_around(line.get<Record>());
  if (!is_entry) entry.key.round = ++rounds[entry.key.configuration()];
  entry.place = place;
  (line.value("tuning", false) ? results.tuning : results.entries).push_back(std::move(entry));
}

void read_records(const fs::path& file, Results& results) {
  const std::string text = read_regular(file, "a results folder or a file of records");
  std::map<std::string, int> rounds;
  take_lines(
      text, file, "a record", Texts::to_show,
      [&](const json& line, const std::string& place) { take_line(line, place, rounds, results); }, results.complaints);
}

/// The kind of a file without any record, as far as its beginning shows; "" if it does not.
std::string foreign_kind(const fs::path& file) {
  if (fs::is_directory(file)) return "";
  const std::string text = read_regular(file, "a file of records");
  const std::string line = text.substr(0, text.find('\n'));
  if (text.find_first_not_of(blanks) == text.npos) return "an empty file";
  if (text.find('\0') != text.npos) return "a binary file";
  if (line.starts_with("function,num_times,")) return "BabelStream's CSV";
  if (line.starts_with("source,workload,")) return "a table of figures, which is made from records";
  json value;
  try {
    value = parse_json(text);
  } catch (const std::exception&) {
    if (text.find_first_not_of(blanks) == text.find('{')) return "";
    return std::ranges::count(line, ',') >= 2 ? "a table of values between commas" : "a text that is no JSON";
  }
  const auto has = [&value](const char* key) { return value.is_object() && value.contains(key); };
  if (has("context") && has("benchmarks")) return "Google Benchmark's JSON";
  if (has("processor") && has("devices")) return "measured peaks (peaks.json), which are read with their folder";
  if (has("runs")) return "a plan";
  if (has("tuned")) return "a file of tuned options";
  return value.is_object() ? "" : "JSON that is no object";
}

bool is_near(double a, double b) { return std::abs(a - b) <= 1e-3 * std::abs(b); }

/// Whether the rate is that of the seconds: of updates, bytes or FLOPs, or of a part's bytes.
bool has_rate_of_seconds(const Record& r) {
  const WorkRecord& work = r.work;
  const double per_second = work.updates / r.compute_seconds;
  std::vector<double> rates = {1e-6 * per_second, 1e-9 * per_second, r.gb_per_s(), r.gflop_per_s(),
                               1e-9 * work.conventional_flops_per_update.value_or(0.0) * per_second};
  for (const Part& part : r.parts) rates.push_back(1e-9 * part.bytes / median(part.seconds));
  const auto& rate = r.metrics.front().value;
  return !rate || std::ranges::any_of(rates, [&](double right) { return is_near(*rate, right); });
}

/// The reason to exclude a record, whose form is valid, from the figures; "" if there is none.
std::string fault_in(const Record& record) {
  const auto positive = [](double value) { return value > 0.0; };
  const auto timed = [&](const std::vector<double>& seconds) {
    return !seconds.empty() && std::ranges::all_of(seconds, positive);
  };
  if (!timed(each(record.repeats, &Timing::compute_seconds)))
    return "repeats: expected seconds above zero, found others or none";
  if (!positive(record.compute_seconds)) return "compute_seconds: expected seconds above zero, found others";
  for (const Part& part : record.parts)
    if (!timed(part.seconds))
      return fmt::format("parts: {}: expected seconds above zero, found others or none", part.name);
  const auto none_negative = [](double a, double b) { return a >= 0.0 && b >= 0.0 && a + b > 0.0; };
  if (!positive(record.work.updates) || !none_negative(record.work.bytes_per_update, record.work.flops_per_update))
    return "work: expected updates, and bytes or FLOPs of each, found others";
  for (const auto& [name, number] : record.work.operations_per_update)
    if (!positive(number))
      return fmt::format("work: expected numbers of operations above zero, found others of {}", name);
  if (record.metrics.empty()) return "metrics: expected a rate, found none";
  if (!is_near(record.compute_seconds, record.median_timing().compute_seconds) || !has_rate_of_seconds(record))
    return "metrics: expected the rate of the median repeat, found another";
  constexpr int most_workers = 1 << 24;
  if (record.ranks < 1 || record.threads < 0 || std::max(record.ranks, record.threads) > most_workers)
    return fmt::format("ranks, threads: expected from 1 and from 0 to {}, found {} and {}", most_workers, record.ranks,
                       record.threads);
  if (!record.settings.is_object()) return "settings: expected an object, found something else";
  return "";
}

/// Drops unusable entries, which must not replace earlier usable ones.
std::vector<RunEntry> usable(std::vector<RunEntry> all, std::vector<std::string>& complaints) {
  std::erase_if(all, [&complaints](const RunEntry& entry) {
    const std::string fault = entry.record ? fault_in(*entry.record) : "";
    if (!fault.empty()) complaints.push_back(fmt::format("{}: {}; the line is ignored", entry.place, fault));
    return !fault.empty();
  });
  return all;
}

/// The pattern of a part of STREAM.
std::string pattern_of(const std::string& part) {
  return part == "mul" ? "copy" : part == "add" ? "triad" : part == "dot" ? "read" : part;
}

/// The roofs of a session are the best confirmed values of its peaks, its probes, and its right runs of STREAM; a part
/// of STREAM accesses memory like the pattern of its name.
void raise_roofs(const std::vector<RunEntry>& entries, Peaks& peaks) {
  const auto moments = each(entries, &RunEntry::roofs);
  judge_roofs(moments, peaks);
  ProcessorPeaks& processor = peaks.processor;
  for (const RunEntry& entry : entries) {
    if (entry.status != RunStatus::ok || !entry.record) continue;
    const Record& record = *entry.record;
    DevicePeaks* const device = find_by(peaks.devices, record.device, &DevicePeaks::name);
    const bool on_processor = record.device_type == "cpu";
    if (!on_processor && !device) continue;
    const int workers = record.ranks * record.threads,
              cores = workers > 0 ? std::min(workers, processor.cores) : processor.cores;
    const double held = record.work.bytes_held;
    const auto levels = on_processor ? level_shares(peaks, cores, held) : level_shares(*device, held);
    if (levels.size() != 1) continue;  // part of the arrays stays in a faster level
    for (const Part& part : record.parts) {
      const std::string pattern = pattern_of(part.name);
      const double factor = moved_factor(pattern, on_processor);
      const double rate = confirmed_best(
          each(part.seconds, [&](double seconds) { return 1e-9 * part.bytes_moved / factor / seconds; }));
      for (BandwidthPeak& peak : on_processor ? processor.bandwidths : device->bandwidths)
        if (peak.level == levels.front().level && peak.pattern == pattern && peak.cores == (on_processor ? cores : 0))
          raise(peak, rate);
    }
  }
  judge_roofs(moments, peaks, true);
  reconcile(peaks);
}

/// For every configuration, the runs of the build that ran last, and of those the newest of every round. The runs of a
/// round, which were shuffled, are put into the plan's order.
std::vector<RunEntry> newest_of(std::vector<RunEntry> all) {
  for (auto from = all.begin(), to = from; from != all.end(); from = to) {
    to = std::find_if(from + 1, all.end(), [from](const RunEntry& entry) {
      return !entry.order || !from->order || entry.order->seed != from->order->seed;
    });
    std::stable_sort(from, to, [](const RunEntry& a, const RunEntry& b) {
      return a.order && b.order && a.order->number < b.order->number;
    });
  }
  std::map<std::string, std::string> latest;
  for (const RunEntry& entry : all) latest[entry.key.lasting_identity()] = entry.key.version();
  ByName<RunEntry*> newest;
  for (RunEntry& entry : all)
    if (latest[entry.key.lasting_identity()] == entry.key.version()) newest[entry.key.identity()] = &entry;
  std::vector<RunEntry> kept;
  for (const auto& [identity, entry] : newest) kept.push_back(std::move(*entry));
  return kept;
}

}  // namespace

RunsFile read_runs(const fs::path& file, Texts texts) {
  const std::string text = fs::exists(file) ? read_regular(file, "a file of finished runs") : "";
  RunsFile runs;
  runs.whole_bytes = text.rfind('\n') + 1;
  const auto take = [&runs](const json& line, const std::string& place) {
    runs.entries.push_back(RunEntry::from_json(line));
    runs.entries.back().place = place;
  };
  take_lines(text.substr(0, runs.whole_bytes), file, "a finished run", texts, take, runs.complaints);
  runs.cut_off = runs.whole_bytes < text.size();
  if (runs.cut_off)
    runs.complaints.push_back(
        fmt::format("{}:{}: expected a whole line, found that the last one is cut off; its run is ignored, and "
                    "repeated by the next call",
                    file.string(), 1 + std::ranges::count(text, '\n')));
  return runs;
}

std::optional<Peaks> peaks_in(const fs::path& results, const std::function<void(const std::string&)>& complain) {
  if (const fs::path file = results / "peaks.json"; fs::exists(file)) try {
      return read_peaks(file);
    } catch (const Error& error) {
      const std::string kind = fs::is_regular_file(file) && std::ifstream(file) ? foreign_kind(file) : "";
      complain(kind.empty() || kind.starts_with("measured peaks")
                   ? error.what()
                   : fmt::format("{}: expected measured peaks, found {}", file.string(), kind));
    }
  return {};
}

Results read_results(const fs::path& folder_or_file) {
  if (!fs::exists(folder_or_file))
    throw bad_input("{}: expected a results folder or a file of records, found nothing; make one with `boltzmark run`",
                    folder_or_file.string());
  Results results;
  results.folder = folder_or_file;
  auto& complaints = results.complaints;
  if (fs::is_directory(folder_or_file)) {
    const auto read = [&](const char* name) {
      RunsFile runs = read_runs(folder_or_file / name, Texts::to_show);
      complaints.insert(complaints.end(), runs.complaints.begin(), runs.complaints.end());
      return newest_of(usable(std::move(runs.entries), complaints));
    };
    results.entries = read(runs_file);
    results.tuning = read(tuning_file);
    results.peaks = peaks_in(folder_or_file, [&](const std::string& why) {
      complaints.push_back(fmt::format("{}; figures are without peaks", why));
    });
  } else {
    read_records(folder_or_file, results);
    for (auto* const entries : {&results.entries, &results.tuning})
      *entries = newest_of(usable(std::move(*entries), complaints));
  }
  if (results.peaks) raise_roofs(results.entries, *results.peaks);
  if (results.empty())
    if (const std::string kind = foreign_kind(folder_or_file); !kind.empty())
      throw bad_input("{}: expected a results folder, or a file that --json or `boltzmark share` wrote, found {}",
                      folder_or_file.string(), kind);
  if (results.empty())
    throw bad_input("{}: expected finished runs, found {}; make some with `boltzmark run`", folder_or_file.string(),
                    complaints.empty() ? "none" : "none that can be read (" + complaints.front() + ")");
  for (const std::string& complaint : complaints) print_warning("boltzmark", complaint);
  return results;
}

}  // namespace boltzmark
