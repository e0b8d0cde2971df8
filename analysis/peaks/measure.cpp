#include "analysis/peaks/measure.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include "analysis/peaks/figures.hpp"
#include "analysis/peaks/samples.hpp"
#include "analysis/support/json_reader.hpp"
#include "analysis/support/locations.hpp"
#include "analysis/support/process.hpp"
#include "analysis/support/results_folder.hpp"
#include "common/base/digest.hpp"
#include "common/base/error.hpp"
#include "common/base/files.hpp"

namespace boltzmark {
namespace {

namespace fs = std::filesystem;

constexpr double describe_seconds = 60.0;  // the first look at a GPU can take long
constexpr const char* no_key = "-";

/// One of the two measuring programs, and the part of the peaks that is its own.
struct Half {
  const char *name, *program;
  const char* what;     ///< in words
  const char* missing;  ///< why the program may not be there
  void (*move)(Peaks& from, Peaks& to);
  void (*add_figures)(const std::vector<Sample>&, Peaks&);
  std::string (*identity)(const Peaks&);  ///< what the machine is, as far as this half goes
};

void move_processor(Peaks& from, Peaks& to) {
  to.processor = std::move(from.processor);
  to.sweep = std::move(from.sweep);
}
void move_devices(Peaks& from, Peaks& to) { to.devices = std::move(from.devices); }

std::string processor_identity(const Peaks& peaks) {
  std::string text = fmt::format("{}|{}|{}", peaks.host, peaks.processor.name, peaks.processor.cores);
  for (const auto& cache : peaks.processor.caches)
    text += fmt::format("|{} {} {} {}", cache.name, cache.bytes, cache.instances, cache.cores);
  return text;
}

std::string devices_identity(const Peaks& peaks) {
  std::string text = peaks.host;
  for (const auto& device : peaks.devices)
    text += fmt::format("|{} {} {} {}", device.name, device.platform, device.driver, device.compute_units);
  return text;
}

constexpr std::array<Half, 2> halves = {
    {{"cpu", "boltzmark-peaks-cpu", "the processor",
      "it was not built; install libbenchmark-dev and build again", move_processor, add_processor_figures,
      processor_identity},
     {"opencl", "boltzmark-peaks-opencl", "the OpenCL devices",
      "it was not built; install libbenchmark-dev, ocl-icd-opencl-dev and opencl-clhpp-headers (and "
      "pocl-opencl-icd to run on the CPU), and build again",
      move_devices, add_device_figures, devices_identity}}};

/// "cpu:DIGEST opencl:DIGEST": the digest of a half, "-" when it has none.
std::string key_of(const Half& half, const std::string& key) {
  std::istringstream words(key);
  const std::string mark = std::string(half.name) + ':';
  for (std::string word; words >> word;)
    if (word.starts_with(mark)) return word.substr(mark.size());
  return no_key;
}

/// What a program says last, without its own name.
std::string last_line(const std::string& text) {
  std::istringstream lines(text);
  std::string last;
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) last = line;
  const std::string mark = ": error: ";
  const auto at = last.find(mark);
  return at == last.npos ? last : last.substr(at + mark.size());
}

/// Why a program did not do what it was asked for, "" when it did.
std::string failure_of(const ProcessResult& result, const std::string& errors, double time_limit_seconds) {
  if (!result.start_error.empty()) return result.start_error;
  if (result.timed_out) return fmt::format("killed at the time limit of {} s", time_limit_seconds);
  if (result.signal != 0)
    return fmt::format("ended by signal {} ({}), having said: {}", result.signal, strsignal(result.signal),
                       last_line(errors));
  if (result.exit_status == 0) return "";
  const std::string last = last_line(errors);
  return last.empty() ? fmt::format("ended with status {}", result.exit_status) : last;
}

/// What is known of a half before it is measured.
struct Description {
  Peaks machine;
  std::string key = no_key;
  std::string reason;         ///< why it cannot be measured, "" when it can
  bool is_impossible = true;  ///< when it cannot: for want of a device or a library, or by some fault
};

Description describe(const Half& half, SignalWatch& signals) {
  const fs::path program = program_folder() / half.program;
  Description description;
  if (!fs::exists(program)) {
    description.reason = half.missing;
    return description;
  }
  const auto answer = capture_process(
      {.command = {program.string(), "--describe"}, .time_limit_seconds = describe_seconds}, signals);
  description.reason = failure_of(answer.result, answer.errors, describe_seconds);
  description.is_impossible = answer.result.exit_status == static_cast<int>(ExitStatus::unavailable);
  if (!description.reason.empty() || signals.stopped_by() != 0) return description;
  const std::string source = std::string(half.program) + " --describe";
  const auto json = nlohmann::json::parse(answer.output, nullptr, false);
  if (json.is_discarded()) throw bad_input("{}: expected JSON, found something else", source);
  description.machine = peaks_from_json(json, source);
  description.key = digest_of(half.identity(description.machine) + '|' + digest_of_file(program));
  return description;
}

/// One call: a stage a function.
class Measurement {
 public:
  Measurement(const PeaksRequest& request, SignalWatch& signals)
      : request_(request), signals_(signals), folder_(request.results / "peaks") {}

  /// Finds out what there is and what is to do. False when stopped.
  bool prepare() {
    load_kept();
    for (std::size_t i = 0; i < halves.size(); ++i) {
      if (!is_wanted(i)) continue;
      descriptions_[i] = describe(halves[i], signals_);
      if (signals_.stopped_by() != 0) return false;
      const Description& description = descriptions_[i];
      if (description.reason.empty()) {
        to_do_[i] = request_.fresh || !is_good(key_of(halves[i], kept_.key), description.key);
        continue;
      }
      const std::string line = fmt::format("{}: {}", halves[i].what, description.reason);
      if (i == 0 || !is_wanted(1 - i)) throw unavailable("{}", line);
      answer_.complaints.push_back(line);
      answer_.failed = answer_.failed || !description.is_impossible;
    }
    return true;
  }

  std::vector<std::string> commands() const {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < halves.size(); ++i)
      if (to_do_[i]) lines.push_back(shell_line(command(i)));
    return lines;
  }

  /// False when stopped.
  bool measure(Progress& progress) {
    for (std::size_t i = 0; i < halves.size(); ++i)
      if (to_do_[i] && !measure_half(i, progress)) {
        progress.clear();
        for (std::size_t other = 0; other < halves.size(); ++other) fs::remove(new_file(other));
        return false;
      }
    progress.clear();
    return true;
  }

  /// Puts kept and measured halves together and writes them. A half that was looked at and is neither
  /// measured nor good any more is left out.
  PeaksAnswer finish() {
    Peaks whole = newest();
    std::string key;
    for (std::size_t i = 0; i < halves.size(); ++i) {
      std::string half_key = key_of(halves[i], kept_.key);
      if (is_measured_[i]) {
        half_key = wanted_key(descriptions_[i].key);
        halves[i].move(descriptions_[i].machine, whole);
      } else if (!is_wanted(i) || is_good(half_key, descriptions_[i].key)) {
        halves[i].move(kept_, whole);
      } else {
        half_key = no_key;
      }
      key += fmt::format("{}{}:{}", i == 0 ? "" : " ", halves[i].name, half_key);
    }
    // A half may also have gone, with its device or driver.
    const bool has_changed = !kept_.key.empty() && key != kept_.key && key != "cpu:- opencl:-";
    whole.key = key;
    if (answer_.measured || has_changed) write(whole);
    answer_.peaks = std::move(whole);
    return std::move(answer_);
  }

 private:
  bool is_wanted(std::size_t half) const { return half == 0 ? request_.processor : request_.devices; }

  /// Rough figures are kept under a key of their own: they do where rough ones are asked for, good ones do everywhere.
  std::string wanted_key(const std::string& key) const { return request_.brief ? key + "-brief" : key; }
  bool is_good(const std::string& kept, const std::string& key) const {
    return kept != no_key && (kept == key || kept == wanted_key(key));
  }

  fs::path new_file(std::size_t half) const {
    return folder_ / (std::string(halves[half].name) + ".json.new");
  }

  void load_kept() {
    const fs::path file = peaks_file(request_.results);
    if (!fs::exists(file)) return;
    try {
      kept_ = read_peaks(file);
    } catch (const Error& error) {
      answer_.complaints.push_back(fmt::format("{}; it is measured anew", error.what()));
    }
  }

  std::vector<std::string> command(std::size_t half) const {
    return {(program_folder() / halves[half].program).string(),
            "--benchmark_out=" + new_file(half).string(),
            "--benchmark_out_format=json",
            "--benchmark_enable_random_interleaving=true",
            fmt::format("--benchmark_repetitions={}", request_.brief ? 2 : 5),
            fmt::format("--min-time={}", request_.brief ? 0.001 : 0.01)};
  }

  /// Runs the program and takes its figures; what goes wrong becomes a complaint. False when stopped.
  bool measure_half(std::size_t i, Progress& progress) {
    prepare_folder(folder_);
    const Half& half = halves[i];
    const fs::path log = folder_ / (std::string(half.name) + ".log");
    const std::string what = fmt::format("measuring {}", half.what);
    progress.done(what);
    const ProcessResult result = run_process(
        {.command = command(i), .stderr_file = log, .time_limit_seconds = request_.time_limit_seconds},
        signals_, [&](double elapsed) { progress.show(fmt::format("{}: {}", what, duration(elapsed))); });
    if (signals_.stopped_by() != 0) return false;
    std::string reason = failure_of(result, read_text(log), request_.time_limit_seconds);
    if (reason.empty()) reason = take_figures(i);
    if (reason.empty()) {
      is_measured_[i] = answer_.measured = true;
      progress.done(fmt::format("measured {} in {}", half.what, duration(result.seconds)));
    } else {
      answer_.complaints.push_back(fmt::format("{}: {} (see {})", half.what, reason, log.string()));
      answer_.failed = true;
      fs::remove(new_file(i));
    }
    return true;
  }

  /// "" or what is wrong with them.
  std::string take_figures(std::size_t i) {
    try {
      halves[i].add_figures(read_samples(new_file(i)), descriptions_[i].machine);
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  }

  static std::string read_text(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  /// Host, date and build: of what was measured last.
  Peaks newest() const {
    Peaks whole;
    const Peaks* from = &kept_;
    for (std::size_t i = 0; i < halves.size(); ++i)
      if (is_measured_[i]) from = &descriptions_[i].machine;
    whole.host = from->host;
    whole.date = from->date;
    whole.compiler = from->compiler;
    whole.flags = from->flags;
    whole.revision = from->revision;
    return whole;
  }

  /// The old files make room only now that the new ones are whole.
  void write(const Peaks& peaks) const {
    AtomicFile file(peaks_file(request_.results));
    file.write(to_json(peaks).dump(1) + '\n');
    file.finish();
    std::vector<std::string> replaced = {"peaks.json"};
    for (std::size_t i = 0; i < halves.size(); ++i)
      if (is_measured_[i]) replaced.push_back(fmt::format("peaks/{}.json", halves[i].name));
    move_aside(request_.results, replaced);
    for (std::size_t i = 0; i < halves.size(); ++i)
      if (is_measured_[i]) fs::rename(new_file(i), folder_ / (std::string(halves[i].name) + ".json"));
    file.commit();
  }

  const PeaksRequest& request_;
  SignalWatch& signals_;
  fs::path folder_;
  Peaks kept_;
  std::array<Description, halves.size()> descriptions_;
  std::array<bool, halves.size()> to_do_{}, is_measured_{};
  PeaksAnswer answer_;
};

}  // namespace

fs::path peaks_file(const fs::path& results) { return results / "peaks.json"; }

std::optional<PeaksAnswer> measure_or_load_peaks(const PeaksRequest& request, SignalWatch& signals,
                                                 Progress& progress) {
  Measurement measurement(request, signals);
  if (!measurement.prepare() || !measurement.measure(progress)) return {};
  return measurement.finish();
}

std::optional<std::vector<std::string>> commands_for_peaks(const PeaksRequest& request,
                                                           SignalWatch& signals) {
  Measurement measurement(request, signals);
  if (!measurement.prepare()) return {};
  return measurement.commands();
}

}  // namespace boltzmark
