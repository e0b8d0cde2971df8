// Measured peaks as tables for a terminal.
#include <fmt/core.h>

#include <algorithm>

#include "analysis/peaks/figures.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/ranges.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

/// "12.3 (11.9-12.4)", with a mark where the largest is far above the figure.
std::string with_spread(const Spread& spread, double factor = 1.0) {
  constexpr double far = 1.25;
  return fmt::format("{} ({}-{}){}", significant(spread.median * factor, 4), significant(spread.minimum * factor, 4),
                     significant(spread.maximum * factor, 4), spread.maximum > far * spread.median ? "!" : "");
}

/// The roof instead of the median.
std::string roof_with_spread(const auto& peak, Spread spread) {
  spread.median = peak.limit().median;
  return with_spread(spread);
}

/// A column that only the processor's tables have.
constexpr int of_cores = -1;

/// A line for every level and number of cores, in the order of first appearance.
Table bandwidth_table(const std::vector<BandwidthPeak>& peaks) {
  Table table({left("level"), right("cores", of_cores), right("working sets"), right("read\nGB/s"), right("copy\nGB/s"),
               right("triad\nGB/s")});
  ByName<std::vector<const BandwidthPeak*>> lines;
  for (const auto& peak : peaks) lines[fmt::format("{} {}", peak.level, peak.cores)].push_back(&peak);
  for (const auto& [name, line] : lines) {
    const auto from = std::ranges::min(line, {}, &BandwidthPeak::from_bytes)->from_bytes,
               to = std::ranges::max(line, {}, &BandwidthPeak::to_bytes)->to_bytes;
    std::vector<Cell> cells = {line.front()->level, std::to_string(line.front()->cores),
                               from == to ? sized(from) : sized(from) + " - " + sized(to)};
    for (const std::string pattern : {"read", "copy", "triad"}) {
      const auto peak = std::ranges::find(line, pattern, &BandwidthPeak::pattern);
      cells.push_back(peak == line.end() ? "-" : roof_with_spread(**peak, (*peak)->gb_per_s));
    }
    table.add_row(std::move(cells));
  }
  return table;
}

Table compute_table(const std::vector<ComputePeak>& peaks) {
  Table table({left("precision"), left("FMA"), right("bits", of_cores), right("cores", of_cores), right("GFLOP/s"),
               right("clock\nGHz", of_cores), right("expected\nGFLOP/s", of_cores), right("reached\n%", of_cores)});
  for (const auto& peak : peaks) {
    if (!peak.is_of_flops()) continue;
    std::optional<double> per_cent;
    if (peak.expected_gflop_per_s) per_cent = 100.0 * peak.limit().median / *peak.expected_gflop_per_s;
    table.add_row({peak.precision, peak.fma ? "yes" : "no", std::to_string(peak.vector_bits),
                   std::to_string(peak.cores), roof_with_spread(peak, peak.gflop_per_s), number_cell(peak.clock_ghz, 4),
                   number_cell(peak.expected_gflop_per_s, 4), number_cell(per_cent, 3)});
  }
  return table;
}

Table operation_table(const std::vector<ComputePeak>& peaks) {
  Table table({left("operation"), left("precision"), right("bits", of_cores), right("cores", of_cores),
               right("1e9 a second"), right("clock\nGHz", of_cores)});
  for (const auto& peak : peaks)
    if (!peak.is_of_flops())
      table.add_row({peak.operation, peak.precision, std::to_string(peak.vector_bits), std::to_string(peak.cores),
                     roof_with_spread(peak, peak.gflop_per_s), number_cell(peak.clock_ghz, 4)});
  return table;
}

Table latency_table(const std::vector<LatencyPeak>& peaks) {
  Table table({left("level"), right("working sets"), right("latency\nns")});
  for (const auto& [level, nanoseconds, from, to] : peaks)
    table.add_row({level, from == to ? sized(from) : sized(from) + " - " + sized(to), with_spread(nanoseconds)});
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
  const Table latencies = latency_table(processor.latencies), operations = operation_table(processor.computes);
  return fmt::format("Processor: {}, {}{}, memory {}\n\n{}\n{}{}{}{}", processor.name, counted(processor.cores, "core"),
                     caches, sized(processor.memory_bytes), bandwidth_table(processor.bandwidths).text(width),
                     latencies.empty() ? "" : latencies.text(width) + '\n',
                     compute_table(processor.computes).text(width),
                     operations.empty() ? "" : '\n' + operations.text(width), notes_text(processor.notes));
}

std::string device_text(const DevicePeaks& device, int width) {
  std::string text = fmt::format("OpenCL device: {}, {}, {}, {} compute units, memory {}\n", device.name, device.type,
                                 device.driver, device.compute_units, sized(device.memory_bytes));
  for (const Table& table : {bandwidth_table(device.bandwidths), latency_table(device.latencies),
                             compute_table(device.computes), operation_table(device.computes)})
    if (!table.empty()) text += '\n' + table.without(of_cores).text(width);
  text += '\n';
  const auto line = [&text](const char* what, const Spread& spread, double factor, const char* unit) {
    if (spread.maximum > 0.0) text += fmt::format("{}: {} {}\n", what, with_spread(spread, factor), unit);
  };
  line("kernel launch", device.launch_seconds, 1e6, "microseconds");
  line("kernel launch and wait", device.wait_seconds, 1e6, "microseconds");
  line("host to device", device.to_device_gb_per_s, 1.0, "GB/s");
  line("device to host", device.from_device_gb_per_s, 1.0, "GB/s");
  return text + notes_text(device.notes);
}

std::string network_text(const NetworkPeaks& network, int width) {
  Table fits({left("pairs"), right("number"), left("way"), right("messages"), right("latency\nus"),
              right("GB/s at most"), right("residual\n%")});
  for (const MessageFit& fit : network.fits)
    fits.add_row({fit.place, std::to_string(fit.pairs), fit.way, sized(fit.from_bytes) + " - " + sized(fit.to_bytes),
                  significant(1e6 * fit.latency_seconds, 3),
                  fit.seconds_a_byte > 0.0 ? significant(1e-9 / fit.seconds_a_byte, 3) : "-",
                  significant(100.0 * fit.residual, 2)});
  std::string text = fmt::format("Network: {} on {}, {}\n\n{}\n", counted(network.ranks, "rank"),
                                 counted(network.hosts, "host"), network.library, fits.text(width));
  for (const MessageRate& rate : network.rates)
    text += fmt::format("{}, {}: {} million messages per second from one to the other\n", rate.place,
                        counted(rate.pairs, "pair"), with_spread(rate.per_second, 1e-6));
  if (network.allreduce_seconds.maximum > 0.0)
    text += fmt::format("allreduce of 8 B: {} microseconds\n", with_spread(network.allreduce_seconds, 1e6));
  return text + notes_text(network.notes);
}

}  // namespace

std::string peaks_text(const Peaks& peaks, int width) {
  std::string text;
  if (peaks.processor.cores > 0) text = processor_text(peaks.processor, width) + '\n';
  for (const auto& device : peaks.devices) text += device_text(device, width) + '\n';
  if (peaks.network.ranks > 0) text += network_text(peaks.network, width) + '\n';
  if (text.find(")!") != text.npos)
    text +=
        "!: the fastest repetition is far above the roof, so the machine was busy; use --fresh on an idle machine\n";
  return text + fmt::format(
                    "Roof: the best repetition that two others confirm within 3 % (in brackets: slowest-fastest). "
                    "Measured on {}, {}, {} {}\n",
                    peaks.host, peaks.date, peaks.compiler, peaks.flags);
}

}  // namespace boltzmark
