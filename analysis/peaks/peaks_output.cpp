#include "analysis/peaks/peaks_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "analysis/support/table.hpp"

namespace boltzmark {
namespace {

constexpr std::array<const char*, 3> patterns = {"read", "copy", "triad"};

/// "12.3 (11.9-12.4)".
std::string with_spread(const Spread& spread, double factor = 1.0) {
  return fmt::format("{} ({}-{})", significant(spread.median * factor, 4),
                     significant(spread.minimum * factor, 4), significant(spread.maximum * factor, 4));
}

std::string sized(std::int64_t bytes) {
  constexpr double kib = 1 << 10, mib = 1 << 20, gib = 1 << 30;
  const auto size = static_cast<double>(bytes);
  if (size < mib) return significant(size / kib, 3) + " KiB";
  return size < gib ? significant(size / mib, 3) + " MiB" : significant(size / gib, 3) + " GiB";
}

/// A line of levels for every level and number of cores, in the order in which they first come.
std::string bandwidth_text(const std::vector<BandwidthPeak>& peaks, int width) {
  std::vector<std::pair<std::string, int>> lines;
  for (const auto& peak : peaks)
    if (std::pair line(peak.level, peak.cores); std::find(lines.begin(), lines.end(), line) == lines.end())
      lines.push_back(line);
  const bool has_cores = std::any_of(lines.begin(), lines.end(), [](const auto& l) { return l.second > 0; });
  Table table({{"level"},
               {has_cores ? "cores" : "", Align::right},
               {"working sets", Align::right},
               {"read\nGB/s", Align::right},
               {"copy\nGB/s", Align::right},
               {"triad\nGB/s", Align::right}});
  for (const auto& [level, cores] : lines) {
    std::vector<std::string> cells = {level, cores > 0 ? std::to_string(cores) : "", ""};
    std::int64_t from = 0, to = 0;
    for (const char* pattern : patterns) {
      const BandwidthPeak* const peak = find_bandwidth(peaks, level, pattern, cores);
      cells.push_back(peak ? with_spread(peak->gb_per_s) : "-");
      if (!peak) continue;
      from = from == 0 ? peak->from_bytes : std::min(from, peak->from_bytes);
      to = std::max(to, peak->to_bytes);
    }
    cells[2] = from == to ? sized(from) : sized(from) + " - " + sized(to);
    table.add_row(std::move(cells));
  }
  return table.text(width);
}

std::string compute_text(const std::vector<ComputePeak>& peaks, int width) {
  const bool on_cores = std::any_of(peaks.begin(), peaks.end(), [](const auto& p) { return p.cores > 0; });
  std::vector<Column> columns = {{"precision"}, {"FMA"}, {"GFLOP/s", Align::right}};
  if (on_cores)
    for (const char* header : {"bits", "cores", "clock\nGHz", "expected\nGFLOP/s", "reached\n%"})
      columns.push_back({header, Align::right});
  Table table(std::move(columns));
  for (const auto& peak : peaks) {
    std::vector<std::string> cells = {peak.precision, peak.fma ? "yes" : "no", with_spread(peak.gflop_per_s)};
    if (on_cores) {
      const auto value = [](const std::optional<double>& v) { return v ? significant(*v, 4) : "-"; };
      const auto& expected = peak.expected_gflop_per_s;
      cells.insert(
          cells.end(),
          {std::to_string(peak.vector_bits), std::to_string(peak.cores), value(peak.clock_ghz),
           value(expected), expected ? significant(100.0 * peak.gflop_per_s.median / *expected, 3) : "-"});
    }
    table.add_row(std::move(cells));
  }
  return table.text(width);
}

std::string notes_text(const std::vector<std::string>& notes) {
  std::string text;
  for (const auto& note : notes) text += note + '\n';
  return text.empty() ? text : '\n' + text;
}

std::string processor_text(const ProcessorPeaks& processor, int width) {
  std::string caches;
  for (const auto& cache : processor.caches)
    caches += fmt::format(", {} {} x {}", cache.name, cache.instances, sized(cache.bytes));
  return fmt::format("Processor: {}, {} core{}{}, memory {}\n\n{}\n{}{}", processor.name, processor.cores,
                     processor.cores == 1 ? "" : "s", caches, sized(processor.memory_bytes),
                     bandwidth_text(processor.bandwidths, width), compute_text(processor.computes, width),
                     notes_text(processor.notes));
}

std::string device_text(const DevicePeaks& device, int width) {
  std::string text =
      fmt::format("OpenCL device: {}, {}, {}, {} compute units, memory {}\n", device.name, device.type,
                  device.driver, device.compute_units, sized(device.memory_bytes));
  if (!device.bandwidths.empty()) text += '\n' + bandwidth_text(device.bandwidths, width);
  if (!device.computes.empty()) text += '\n' + compute_text(device.computes, width);
  text += '\n';
  const auto line = [&text](const char* what, const Spread& spread, double factor, const char* unit) {
    if (spread.maximum > 0.0) text += fmt::format("{}: {} {}\n", what, with_spread(spread, factor), unit);
  };
  line("kernel launch", device.launch_seconds, 1e6, "microseconds");
  line("host to device", device.to_device_gb_per_s, 1.0, "GB/s");
  line("device to host", device.from_device_gb_per_s, 1.0, "GB/s");
  return text + notes_text(device.notes);
}

}  // namespace

std::string peaks_text(const Peaks& peaks, int width) {
  std::string text;
  if (peaks.processor.cores > 0) text = processor_text(peaks.processor, width) + '\n';
  for (const auto& device : peaks.devices) text += device_text(device, width) + '\n';
  return text + fmt::format("Median (smallest-largest repetition). Measured on {}, {}, {} {}\n", peaks.host,
                            peaks.date, peaks.compiler, peaks.flags);
}

}  // namespace boltzmark
