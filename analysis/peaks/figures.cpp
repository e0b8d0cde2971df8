#include "analysis/peaks/figures.hpp"

#include <cmath>
#include <tuple>

#include "analysis/roofline/network.hpp"
#include "analysis/support/json.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/error.hpp"
#include "common/base/ranges.hpp"
#include "common/base/statistics.hpp"

namespace boltzmark {
namespace {

/// An entry of the file: the value of a key, or its placeholder, in its form.
using ReadValue =
    std::function<nlohmann::json(const std::string& key, const Form& form, const nlohmann::json& otherwise)>;

/// Adds one entry of the file to the benchmark it belongs to.
void add_entry(const ReadValue& value_of, Sample& sample) {
  if (value_of("error_occurred", form::flag, false).get<bool>()) {
    value_of("error_message", form::any_text, {}).get_to(sample.error);
    return;
  }
  const auto add_rate = [&value_of](const char* key, std::vector<double>& rates) {
    if (value_of(key, form::like(nullptr), nullptr).is_null()) return;
    rates.push_back(value_of(key, form::above_zero("a rate above zero"), {}).get<double>());
  };
  add_rate("bytes_per_second", sample.bytes_per_second);
  add_rate("items_per_second", sample.items_per_second);
  add_rate("clock_hz", sample.clock_hz);
  add_rate("items_per_cycle", sample.items_per_cycle);
  add_rate("visible_seconds", sample.visible_seconds);
}

constexpr double giga = 1e9;
constexpr double usual_share = 0.9;  // of the rate that clock and units allow

/// In 1e9.
std::vector<double> giga_of(const std::vector<double>& values) {
  return each(values, [](double value) { return value * (1.0 / giga); });
}
std::vector<double> inverse(const std::vector<double>& values, double of = 1.0) {
  return each(values, [of](double value) { return of / value; });
}

/// Whether the sample has figures of this kind; a note gives the reason if not. `what` names it to a reader.
bool is_measured(const Sample& sample, const std::vector<double>& figures, const std::string& what,
                 std::vector<std::string>& notes) {
  if (sample.error.empty() && !figures.empty()) return true;
  notes.push_back(fmt::format("{}: not measured: {}", what, sample.error.empty() ? "no figure" : sample.error));
  return false;
}

std::string described(const ComputePeak& peak) {
  std::string text = fmt::format("{} {}", peak.precision,
                                 !peak.is_of_flops() ? peak.operation
                                 : peak.fma          ? "with FMA"
                                                     : "without FMA");
  if (peak.vector_bits > 0) text += fmt::format(", {} bits", peak.vector_bits);
  if (peak.cores > 0) text += ", " + counted(peak.cores, "core");
  return text;
}

/// Adds a point of a sweep, if it was measured.
void add_point(const Sample& sample, int cores, std::vector<MeasuredPoint>& points, std::vector<std::string>& notes) {
  const std::string what = fmt::format("{} of {} bytes", sample.label("pattern"), sample.label("bytes"));
  if (is_measured(sample, sample.bytes_per_second, what, notes))
    points.push_back({sample.label("pattern"), cores, sample.number("bytes"), giga_of(sample.bytes_per_second)});
}

int bits_of(const std::string& precision) { return precision == "f64" ? 64 : 32; }

/// FLOPs of one vector instruction.
double flops_of_instruction(const ComputePeak& peak) {
  return peak.vector_bits / bits_of(peak.precision) * (peak.fma ? 2.0 : 1.0);
}

/// Identity of a kernel on any number of cores.
using KernelKey = std::tuple<std::string, bool, int>;
KernelKey key_of(const ComputePeak& peak) { return {peak.precision, peak.fma, peak.vector_bits}; }

/// Units of a core by kernel: the most that any repetition's fastest batch showed, on one core or on all.
using Units = std::map<KernelKey, double>;

void add_units(const ComputePeak& peak, const std::vector<double>& flops_per_cycle, Units& units) {
  if (!peak.is_of_flops()) return;  // which take several cycles of a unit
  double& most = units[key_of(peak)];
  for (const double flops : flops_per_cycle)
    most = std::max(most, units_from(flops / (peak.cores * flops_of_instruction(peak))));
}

/// Fills in the rates that the clock allows.
void add_expectation(Units& units, ComputePeak& peak) {
  if (const double most = units[key_of(peak)]; peak.is_of_flops() && most > 0.0 && peak.clock_ghz)
    peak.expected_gflop_per_s = peak.cores * *peak.clock_ghz * flops_of_instruction(peak) * most;
}

bool is_disturbed(const ComputePeak& peak) {
  return peak.expected_gflop_per_s && peak.roof < usual_share * *peak.expected_gflop_per_s;
}

/// Rates well below those that the clock allows indicate other work on the machine; the note has the worst of them.
void note_disturbance(ProcessorPeaks& processor) {
  const auto missing = [](const ComputePeak& peak) { return 1.0 - peak.roof / *peak.expected_gflop_per_s; };
  const ComputePeak* const worst = find_highest(processor.computes, is_disturbed, missing);
  if (!worst) return;
  processor.notes.push_back(
      fmt::format("{} of {} FLOP rates are below {:.0f} % of the peak by clock and units ({}: {:.0f} %) after repeated "
                  "measurement: the machine was not idle, or is shared",
                  std::ranges::count_if(processor.computes, is_disturbed), processor.computes.size(),
                  100.0 * usual_share, described(*worst), 100.0 * worst->roof / *worst->expected_gflop_per_s));
}

ComputePeak compute_of(const Sample& sample, int cores, int vector_bits) {
  ComputePeak peak;
  peak.precision = sample.label("precision");
  peak.fma = sample.number("fma") != 0;
  peak.cores = cores;
  peak.vector_bits = vector_bits;
  if (sample.labels.contains("operation")) peak.operation = sample.label("operation");
  if (const auto rates = giga_of(sample.items_per_second); !rates.empty()) {
    peak.gflop_per_s = spread_of(rates);
    peak.roof = confirmed_best(rates);
  }
  if (!sample.clock_hz.empty()) peak.clock_ghz = spread_of(sample.clock_hz).median / giga;
  return peak;
}

/// Samples of the processor, which name no device, or of the device with that number; in the order of working sets.
std::vector<LatencyPeak> latencies_in(const std::vector<Sample>& samples, const std::string& device,
                                      std::vector<std::string>& notes) {
  std::map<std::string, std::pair<LatencyPeak, std::vector<double>>> levels;
  for (const Sample& sample : samples) {
    if (sample.kind != "latency" || (sample.labels.contains("device") ? sample.label("device") : "") != device)
      continue;
    const std::string& level = sample.label("level");
    if (!is_measured(sample, sample.items_per_second, "latency of " + level, notes)) continue;
    const std::int64_t bytes = sample.number("bytes");
    auto& [peak, nanoseconds] = levels[level];
    const auto of_sample = inverse(sample.items_per_second, giga);
    nanoseconds.insert(nanoseconds.end(), of_sample.begin(), of_sample.end());
    peak = {level, spread_of(nanoseconds), peak.level.empty() ? bytes : std::min(peak.from_bytes, bytes),
            std::max(peak.to_bytes, bytes)};
  }
  auto found = each(levels, [](const auto& level) { return level.second.first; });
  std::ranges::sort(found, {}, &LatencyPeak::from_bytes);
  return found;
}

DevicePeaks& device_of(const Sample& sample, Peaks& peaks) {
  const long number = sample.number("device");
  if (number < 0 || number >= static_cast<long>(peaks.devices.size()))
    throw bad_input("benchmark {}: expected a device below {}, found {}", sample.kind, peaks.devices.size(), number);
  return peaks.devices[static_cast<std::size_t>(number)];
}

/// Order of figures, the widest and fastest kind first; benchmarks run in random order.
bool comes_before(const ComputePeak& a, const ComputePeak& b) {
  return std::tuple(!a.is_of_flops(), a.operation, a.precision, !a.fma, -a.vector_bits, a.cores) <
         std::tuple(!b.is_of_flops(), b.operation, b.precision, !b.fma, -b.vector_bits, b.cores);
}

}  // namespace

Sample named_benchmark(const std::string& name) {
  constexpr const char* of_the_library[] = {"/min_time:", "/iterations:", "/repeats:", "/manual_time"};
  Sample sample;
  sample.name = name;
  for (const char* const part : of_the_library) sample.name = sample.name.substr(0, sample.name.find(part));
  const auto parts = split(sample.name, '/');
  sample.kind = parts.front();
  for (const std::string& part : parts)
    if (const auto colon = part.find(':'); colon != part.npos)
      sample.labels[part.substr(0, colon)] = part.substr(colon + 1);
  return sample;
}

const std::string& Sample::label(const std::string& key) const {
  const auto at = labels.find(key);
  if (at == labels.end()) throw bad_input("benchmark {}: expected a label {}, found none", kind, key);
  return at->second;
}

long Sample::number(const std::string& key) const {
  const std::string& text = label(key);
  const auto value = parse_number<long>(text);
  if (!value) throw bad_input("benchmark {}: {}: expected a whole number, found \"{}\"", kind, key, text);
  return *value;
}

std::string benchmark_name(const std::string& kind, const std::vector<std::pair<std::string, std::string>>& labels) {
  std::string name = kind;
  for (const auto& [key, value] : labels) name += fmt::format("/{}:{}", key, value);
  return name;
}

std::string bandwidth_name(const std::string& pattern, int cores, std::int64_t bytes) {
  return benchmark_name("bandwidth",
                        {{"pattern", pattern}, {"cores", std::to_string(cores)}, {"bytes", std::to_string(bytes)}});
}

std::string compute_name(const std::string& precision, bool fma, int vector_bits, int cores,
                         const std::string& operation) {
  const std::string kind = operation == operation::multiply_add ? "compute" : "compute/operation:" + operation;
  return benchmark_name(kind, {{"precision", precision},
                               {"fma", fma ? "1" : "0"},
                               {"bits", std::to_string(vector_bits)},
                               {"cores", std::to_string(cores)}});
}

std::string benchmark_filter(const std::vector<std::string>& names) {
  return fmt::format("--benchmark_filter=^({})/", join(names, "|"));
}

std::vector<Sample> read_samples(const fs::path& file) {
  const nlohmann::json content = load_json(file);
  expect_form(content, form::object, file.string());
  const nlohmann::json all = content.value("benchmarks", nlohmann::json::array());
  expect_form(all, form::list(form::object), file.string(), "benchmarks");
  std::vector<Sample> samples;
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ReadValue value_of = [&](const std::string& key, const Form& form, const nlohmann::json& otherwise) {
      const nlohmann::json value = all[i].value(key, otherwise);
      expect_form(value, form, file.string(), fmt::format("benchmarks[{}].{}", i, key));
      return value;
    };
    if (value_of("run_type", form::text, {}) != "iteration") continue;
    const std::string name = value_of("run_name", form::text, {});
    const auto [at, is_new] = known.try_emplace(name, samples.size());
    if (is_new) samples.push_back(named_benchmark(name));
    samples[at->second].is_rough |= value_of("rough", form::flag, false).get<bool>();
    add_entry(value_of, samples[at->second]);
  }
  if (samples.empty()) fail_in_json(file.string(), "benchmarks", "at least one measurement", "none");
  return samples;
}

double units_from(double instructions_per_cycle) {
  return instructions_per_cycle < 0.75 ? 0.5 : std::round(instructions_per_cycle);
}

std::vector<std::string> disturbed_benchmarks(const ProcessorPeaks& processor) {
  std::vector<std::string> names;
  for (const ComputePeak& peak : processor.computes)
    if (is_disturbed(peak)) names.push_back(compute_name(peak.precision, peak.fma, peak.vector_bits, peak.cores));
  return names;
}

std::vector<std::string> contradictory_benchmarks(const std::vector<Sample>& samples, Peaks peaks) {
  std::vector<std::string> names;
  if (reconcile(peaks).empty()) return names;
  for (const Sample& sample : samples) {
    if (sample.kind != "bandwidth" && sample.kind != "compute") continue;
    const bool of_device = sample.labels.contains("device");
    const int cores = of_device ? 0 : static_cast<int>(sample.number("cores"));
    const auto is_low = [&](const auto& side) {
      if (sample.kind == "bandwidth")
        return std::ranges::any_of(side.bandwidths, [&](const BandwidthPeak& peak) {
          return peak.slow_share < 1.0 && peak.has(sample.label("pattern"), cores, sample.number("bytes"));
        });
      const ComputePeak of = compute_of(sample, cores, of_device ? 0 : static_cast<int>(sample.number("bits")));
      return std::ranges::any_of(side.computes, [&](const ComputePeak& peak) {
        return peak.slow_share < 1.0 && key_of(peak) == key_of(of) && peak.cores == cores &&
               peak.operation == of.operation;
      });
    };
    if (of_device ? is_low(device_of(sample, peaks)) : is_low(peaks.processor)) names.push_back(sample.name);
  }
  return names;
}

void add_processor_figures(const std::vector<Sample>& samples, Peaks& peaks) {
  ProcessorPeaks& processor = peaks.processor;
  std::vector<MeasuredPoint> points;
  Units units;
  for (const Sample& sample : samples) {
    const int cores = static_cast<int>(sample.number("cores"));
    if (sample.kind == "bandwidth") {
      add_point(sample, cores, points, processor.notes);
    } else if (sample.kind == "compute") {
      const ComputePeak peak = compute_of(sample, cores, static_cast<int>(sample.number("bits")));
      if (!is_measured(sample, sample.items_per_second, described(peak), processor.notes)) continue;
      processor.computes.push_back(peak);
      add_units(peak, sample.items_per_cycle, units);
    }
  }
  std::ranges::sort(processor.computes, comes_before);
  for (ComputePeak& peak : processor.computes) add_expectation(units, peak);
  note_disturbance(processor);
  if (std::ranges::none_of(processor.computes, [](const ComputePeak& peak) { return peak.fma; }))
    processor.notes.push_back("FMA: left out: this build has no such instruction (see the compiler flags)");
  std::ranges::sort(points, {}, [](const MeasuredPoint& point) {
    return std::tie(point.cores, point.pattern, point.working_set_bytes);
  });
  for (const MeasuredPoint& point : points)
    peaks.sweep.push_back({.pattern = point.pattern,
                           .cores = point.cores,
                           .working_set_bytes = point.working_set_bytes,
                           .gb_per_s = spread_of(point.gb_per_s)});
  processor.latencies = latencies_in(samples, "", processor.notes);
  processor.bandwidths = pick_plateaus(points, processor.caches, processor.notes);
}

void add_device_figures(const std::vector<Sample>& samples, Peaks& peaks) {
  std::map<DevicePeaks*, std::vector<MeasuredPoint>> points;
  for (const Sample& sample : samples) {
    DevicePeaks& device = device_of(sample, peaks);
    const auto take = [&](const std::vector<double>& figures, const char* what, Spread& to) {
      if (is_measured(sample, figures, what, device.notes)) to = spread_of(figures);
    };
    if (sample.kind == "bandwidth") {
      add_point(sample, 0, points[&device], device.notes);
    } else if (sample.kind == "compute") {
      const ComputePeak peak = compute_of(sample, 0, 0);
      if (is_measured(sample, sample.items_per_second, described(peak), device.notes)) device.computes.push_back(peak);
    } else if (sample.kind == "local") {
      const std::string pattern = sample.label("pattern");
      const auto rates = giga_of(sample.bytes_per_second);
      if (is_measured(sample, rates, "local memory", device.notes))
        device.bandwidths.push_back(
            {"local", pattern, 0, spread_of(rates), device.local_bytes, device.local_bytes, confirmed_best(rates)});
    } else if (sample.kind == "launch") {
      take(inverse(sample.items_per_second), "kernel launch", device.launch_seconds);
    } else if (sample.kind == "launch_and_wait") {
      take(inverse(sample.items_per_second), "kernel launch and wait", device.wait_seconds);
    } else if (sample.kind == "transfer" && sample.label("direction") == "to") {
      take(giga_of(sample.bytes_per_second), "host to device", device.to_device_gb_per_s);
    } else if (sample.kind == "transfer") {
      take(giga_of(sample.bytes_per_second), "device to host", device.from_device_gb_per_s);
    }
  }
  for (DevicePeaks& device : peaks.devices) {
    std::ranges::sort(device.computes, comes_before);
    const auto plateaus = pick_device_plateaus(points[&device], device.notes);
    device.latencies = latencies_in(samples, std::to_string(&device - peaks.devices.data()), device.notes);
    device.bandwidths.insert(device.bandwidths.begin(), plateaus.begin(), plateaus.end());
  }
}

void add_network_figures(const std::vector<Sample>& samples, Peaks& peaks) {
  NetworkPeaks& network = peaks.network;
  for (const Sample& sample : samples) {
    const bool is_one = sample.kind == "allreduce";
    const std::string place = is_one ? "" : sample.label("place");
    const int pairs = is_one ? 0 : static_cast<int>(sample.number("pairs"));
    std::string what = is_one ? "allreduce" : fmt::format("{}, {}, {}", sample.kind, place, counted(pairs, "pair"));
    if (sample.kind == "message") what += fmt::format(", {}, {}", sample.label("way"), sized(sample.number("bytes")));
    if (!is_measured(sample, sample.items_per_second, what, network.notes)) continue;
    const auto seconds = sample.visible_seconds.empty() ? inverse(sample.items_per_second) : sample.visible_seconds;
    if (sample.kind == "message")
      network.messages.push_back({place, sample.label("way"), pairs, sample.number("bytes"), spread_of(seconds),
                                  1.0 / confirmed_best(inverse(seconds))});
    else if (sample.kind == "messages")
      network.rates.push_back({place, pairs, spread_of(sample.items_per_second)});
    else
      network.allreduce_seconds = spread_of(seconds);
  }
  std::ranges::sort(network.messages, {}, [](const MessagePoint& point) {
    return std::tie(point.place, point.way, point.pairs, point.bytes);
  });
  network.fits = fit_all(network.messages);
}

}  // namespace boltzmark
