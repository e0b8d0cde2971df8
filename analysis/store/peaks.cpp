#include "analysis/store/peaks.hpp"

#include <fmt/core.h>

#include "analysis/support/json.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/ranges.hpp"
#include "common/base/statistics.hpp"
#include "common/base/text.hpp"

namespace boltzmark {

void to_json(nlohmann::json& json, const Spread& spread) {
  json = {{"median", spread.median}, {"min", spread.minimum}, {"max", spread.maximum}};
}
void from_json(const nlohmann::json& json, Spread& spread) {
  spread = {json.at("median"), json.at("min"), json.at("max")};
}
BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(CacheLevel, name, bytes, instances, cores)
BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(BandwidthPeak, level, pattern, cores, gb_per_s, from_bytes, to_bytes, roof)
BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(LatencyPeak, level, nanoseconds, from_bytes, to_bytes)
BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(ComputePeak, precision, fma, cores, vector_bits, gflop_per_s, clock_ghz,
                                  expected_gflop_per_s, roof, operation)
BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(ProcessorPeaks, name, cores, sockets, cores_of_socket, numa_nodes, memory_bytes,
                                  caches, bandwidths, computes, latencies, notes)
BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(DevicePeaks, name, type, platform, driver, compute_units, memory_bytes, cache_bytes,
                                  local_bytes, bandwidths, computes, latencies, launch_seconds, wait_seconds,
                                  to_device_gb_per_s, from_device_gb_per_s, notes)
BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(SweepPoint, pattern, cores, working_set_bytes, gb_per_s)
BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(MessagePoint, place, way, pairs, bytes, seconds, least)
BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(MessageFit, place, way, pairs, from_bytes, to_bytes, latency_seconds, seconds_a_byte,
                                  residual)
BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(MessageRate, place, pairs, per_second)
BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(NetworkPeaks, ranks, hosts, library, messages, fits, rates, allreduce_seconds, notes)
BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(Peaks, format, host, date, key, compiler, flags, revision, processor, devices, sweep,
                                  network)
bool is_best_far_above(const Spread& rates) {
  constexpr double far = 1.25;
  return rates.maximum > far * rates.median;
}

Spread spread_of(const std::vector<double>& values) {
  const auto [least, most] = std::ranges::minmax_element(values);
  return {median(values), *least, *most};
}

Spread limit_of(double roof, const Spread& repetitions) {
  constexpr double near = 0.97;  // as confirmed_best()
  const double limit = roof > 0.0 ? roof : repetitions.median;
  return {limit, near * limit, std::max(limit, repetitions.maximum)};
}

Level level_of(const ProcessorPeaks& processor, int workers, double bytes) {
  double faster = 0.0;
  for (const CacheLevel& cache : processor.caches) {
    const auto reach = static_cast<double>(cache.capacity(workers));
    if (bytes <= reach) return {cache.name, faster};
    faster = reach;
  }
  return {"DRAM", faster};
}

Level level_of(const DevicePeaks& device, double bytes) {
  const bool known = find_bandwidth(device.bandwidths, "cache", "copy", 0) != nullptr;
  const double cache = known ? static_cast<double>(device.cache_bytes) : 0.0;
  return bytes <= cache ? Level{"cache", 0.0} : Level{"memory", cache};
}

Peaks peaks_from_json(const nlohmann::json& as_written, const std::string& file) {
  const nlohmann::json value = without_controls(as_written);
  if (value.is_object() && value.contains("format") && value["format"] != peaks_format)
    fail_in_json(file, "format", fmt::format("version {} of peaks.json", peaks_format), json_line(value["format"]));
  Peaks example;
  DevicePeaks& device = example.devices.emplace_back();
  example.sweep.emplace_back();
  example.processor.caches.emplace_back();
  for (auto* const bandwidths : {&example.processor.bandwidths, &device.bandwidths}) bandwidths->emplace_back();
  for (auto* const computes : {&example.processor.computes, &device.computes}) computes->emplace_back();
  for (auto* const latencies : {&example.processor.latencies, &device.latencies}) latencies->emplace_back();
  for (auto* const notes : {&example.processor.notes, &device.notes, &example.network.notes}) notes->emplace_back();
  example.network.messages.emplace_back();
  example.network.fits.emplace_back();
  example.network.rates.emplace_back();
  // Files of before these were recorded do not have them.
  expect_form(value,
              form::like(example, {"sockets", "cores_of_socket", "numa_nodes", "latencies", "roof", "operation",
                                   "network", "wait_seconds"}),
              file);
  return value.get<Peaks>();
}

std::string roof_name(const std::string& level_or_precision, int cores) {
  return fmt::format("{} on {}", level_or_precision, counted(cores, "core"));
}

Peaks at_moment(Peaks peaks, const Roofs& roofs) {
  constexpr double least_share = 0.1;  // less is no speed of the machine: the probe was interrupted
  ProcessorPeaks& processor = peaks.processor;
  const ProcessorPeaks before = processor;
  const auto scale = [&roofs](const std::string& name, const auto* of_name, double& roof, Spread& spread) {
    const auto now = roofs.find(name);
    if (now == roofs.end() || !of_name || now->second < least_share * of_name->limit().median) return;
    roof = now->second * std::min(1.0, (roof > 0.0 ? roof : spread.median) / of_name->limit().median);
    spread = {roof, roof, roof};
  };
  for (BandwidthPeak& peak : processor.bandwidths)
    scale(roof_name(peak.level, peak.cores), find_bandwidth(before.bandwidths, peak.level, "copy", peak.cores),
          peak.roof, peak.gb_per_s);
  for (ComputePeak& peak : processor.computes)  // other operations change as FLOPs do
    for (const std::string precision : {"f64", "f32"})
      if (peak.precision == precision_of(peak.operation, precision))
        if (const std::string name = roof_name(precision, peak.cores); roofs.contains(name)) {
          scale(name, find_fastest(before.computes, precision, peak.cores), peak.roof, peak.gflop_per_s);
          break;
        }
  return peaks;
}

std::string changes_of_speed(const std::vector<Roofs>& moments) {
  constexpr double steady = 1.1;
  std::map<std::string, std::pair<double, double>> ends;
  for (const Roofs& roofs : moments)
    for (const auto& [name, roof] : roofs) {
      auto& [least, most] = ends.try_emplace(name, roof, roof).first->second;
      least = std::min(least, roof);
      most = std::max(most, roof);
    }
  std::string words;
  for (const bool is_arithmetic : {false, true}) {
    const auto change = [](const auto& of) { return of.second.second / of.second.first; };
    const auto fits = [&](const auto& one) {
      return one.first.starts_with('f') == is_arithmetic && change(one) > steady;
    };
    if (const auto* const changed = find_highest(ends, fits, change))
      words += fmt::format("{}{} {} to {} {}", words.empty() ? "" : ", ", changed->first,
                           significant(changed->second.first, 3), significant(changed->second.second, 3),
                           is_arithmetic ? "GFLOP/s" : "GB/s");
  }
  if (words.empty()) return "";
  return fmt::format(
      "the machine changed its speed under the plan: {}; each run is held against the roof of its own round", words);
}

Peaks read_peaks(const fs::path& file) { return peaks_from_json(load_json(file), file.string()); }

const BandwidthPeak* find_bandwidth(const std::vector<BandwidthPeak>& peaks, const std::string& level,
                                    const std::string& pattern, int cores) {
  return find_where(peaks, [&](const BandwidthPeak& peak) {
    return peak.level == level && peak.pattern == pattern && peak.cores == cores;
  });
}

const ComputePeak* find_fastest(const std::vector<ComputePeak>& peaks, const std::string& precision, int cores,
                                const std::string& operation) {
  const auto fits = [&](const ComputePeak& peak) {
    return peak.operation == operation && peak.precision == precision && peak.cores == cores;
  };
  return find_highest(peaks, fits, [](const ComputePeak& peak) { return peak.limit().median; });
}

std::string precision_of(const std::string& operation, const std::string& precision) {
  return operation == operation::wide_multiplication ? "u32" : precision;
}

const ComputePeak* find_compute(const std::vector<ComputePeak>& peaks, const std::string& precision, bool fma,
                                int cores) {
  const auto fits = [&](const ComputePeak& peak) {
    return peak.is_of_flops() && peak.precision == precision && peak.fma == fma && peak.cores == cores;
  };
  return find_highest(peaks, fits, &ComputePeak::vector_bits);
}

const DevicePeaks* find_device(const Peaks& peaks, const std::string& name) {
  return find_by(peaks.devices, name, &DevicePeaks::name);
}

}  // namespace boltzmark
