#include "analysis/peaks/figures.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "analysis/peaks/plateau.hpp"
#include "analysis/support/table.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

constexpr std::array<const char*, 3> patterns = {"read", "copy", "triad"};

/// "12.3 (11.9-12.4)", with a mark where the largest is far above the median.
std::string with_spread(const Spread& spread, double factor = 1.0) {
  return fmt::format("{} ({}-{}){}", significant(spread.median * factor, 4), significant(spread.minimum * factor, 4),
                     significant(spread.maximum * factor, 4), is_best_far_above(spread) ? "!" : "");
}

/// A column that only the processor's tables have.
constexpr int of_cores = -1;

Column right(const char* header, int spare = 0) { return {header, Align::right, false, spare}; }

/// Levels and numbers of cores in the order in which they first come.
std::vector<std::pair<std::string, int>> lines_of(const std::vector<BandwidthPeak>& peaks) {
  std::vector<std::pair<std::string, int>> lines;
  for (const auto& peak : peaks)
    if (std::pair line(peak.level, peak.cores); std::find(lines.begin(), lines.end(), line) == lines.end())
      lines.push_back(line);
  return lines;
}

/// A line for every level and number of cores.
Table bandwidth_table(const std::vector<BandwidthPeak>& peaks) {
  Table table({{"level"},
               right("cores", of_cores),
               right("working sets"),
               right("read\nGB/s"),
               right("copy\nGB/s"),
               right("triad\nGB/s")});
  for (const auto& [level, cores] : lines_of(peaks)) {
    std::vector<Cell> cells = {level, std::to_string(cores), ""};
    std::int64_t from = std::numeric_limits<std::int64_t>::max(), to = 0;
    for (const char* const pattern : patterns) {
      const BandwidthPeak* const peak = find_bandwidth(peaks, level, pattern, cores);
      cells.emplace_back(peak ? with_spread(peak->gb_per_s) : "-");
      if (!peak) continue;
      from = std::min(from, peak->from_bytes);
      to = std::max(to, peak->to_bytes);
    }
    cells[2] = from == to ? sized(from) : sized(from) + " - " + sized(to);
    table.add_row(std::move(cells));
  }
  return table;
}

Table compute_table(const std::vector<ComputePeak>& peaks) {
  Table table({{"precision"},
               {"FMA"},
               right("bits", of_cores),
               right("cores", of_cores),
               right("GFLOP/s"),
               right("clock\nGHz", of_cores),
               right("expected\nGFLOP/s", of_cores),
               right("reached\n%", of_cores)});
  for (const auto& peak : peaks) {
    std::optional<double> per_cent;
    if (peak.expected_gflop_per_s) per_cent = 100.0 * peak.gflop_per_s.median / *peak.expected_gflop_per_s;
    table.add_row({peak.precision, peak.fma ? "yes" : "no", std::to_string(peak.vector_bits),
                   std::to_string(peak.cores), with_spread(peak.gflop_per_s), number_cell(peak.clock_ghz, 4),
                   number_cell(peak.expected_gflop_per_s, 4), number_cell(per_cent, 3)});
  }
  return table;
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
  return fmt::format("Processor: {}, {}{}, memory {}\n\n{}\n{}{}", processor.name, counted(processor.cores, "core"),
                     caches, sized(processor.memory_bytes), bandwidth_table(processor.bandwidths).text(width),
                     compute_table(processor.computes).text(width), notes_text(processor.notes));
}

std::string device_text(const DevicePeaks& device, int width) {
  std::string text = fmt::format("OpenCL device: {}, {}, {}, {} compute units, memory {}\n", device.name, device.type,
                                 device.driver, device.compute_units, sized(device.memory_bytes));
  for (const Table& table : {bandwidth_table(device.bandwidths), compute_table(device.computes)})
    if (!table.empty()) text += '\n' + table.without(of_cores).text(width);
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
  if (text.find(")!") != text.npos)
    text += "!: the largest repetition is far above the median; something else was at work: measure again\n";
  return text + fmt::format("Median (smallest-largest repetition). Measured on {}, {}, {} {}\n", peaks.host, peaks.date,
                            peaks.compiler, peaks.flags);
}

}  // namespace boltzmark
