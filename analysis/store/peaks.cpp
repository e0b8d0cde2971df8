#include "analysis/store/peaks.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "analysis/support/json.hpp"
#include "common/base/statistics.hpp"

namespace boltzmark {
bool is_best_far_above(const Spread& rates) {
  constexpr double far = 1.25;
  return rates.maximum > far * rates.median;
}

Spread spread_of(const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return {median(values), *least, *most};
}

Peaks peaks_from_json(const nlohmann::json& value, const std::string& file) {
  if (value.is_object() && value.contains("format") && value["format"] != peaks_format)
    fail_in_json(file, "format", fmt::format("version {} of peaks.json", peaks_format), value["format"].dump());
  Peaks example;
  DevicePeaks& device = example.devices.emplace_back();
  example.sweep.emplace_back();
  example.processor.caches.emplace_back();
  for (auto* const bandwidths : {&example.processor.bandwidths, &device.bandwidths}) bandwidths->emplace_back();
  for (auto* const computes : {&example.processor.computes, &device.computes}) computes->emplace_back();
  for (auto* const latencies : {&example.processor.latencies, &device.latencies}) latencies->emplace_back();
  for (auto* const notes : {&example.processor.notes, &device.notes}) notes->emplace_back();
  // Files of before these were recorded do not have them.
  expect_like(value, example, file, {"sockets", "cores_of_socket", "numa_nodes", "latencies"});
  return value.get<Peaks>();
}

Peaks read_peaks(const fs::path& file) { return peaks_from_json(load_json(file), file.string()); }

const BandwidthPeak* find_bandwidth(const std::vector<BandwidthPeak>& peaks, const std::string& level,
                                    const std::string& pattern, int cores) {
  const auto at = std::find_if(peaks.begin(), peaks.end(), [&](const BandwidthPeak& peak) {
    return peak.level == level && peak.pattern == pattern && peak.cores == cores;
  });
  return at == peaks.end() ? nullptr : &*at;
}

const ComputePeak* find_compute(const std::vector<ComputePeak>& peaks, const std::string& precision, bool fma,
                                int cores) {
  const ComputePeak* widest = nullptr;
  for (const ComputePeak& peak : peaks)
    if (peak.precision == precision && peak.fma == fma && peak.cores == cores &&
        (!widest || peak.vector_bits > widest->vector_bits))
      widest = &peak;
  return widest;
}

const DevicePeaks* find_device(const Peaks& peaks, const std::string& name) {
  const auto at = std::find_if(peaks.devices.begin(), peaks.devices.end(),
                               [&](const DevicePeaks& device) { return device.name == name; });
  return at == peaks.devices.end() ? nullptr : &*at;
}

}  // namespace boltzmark
