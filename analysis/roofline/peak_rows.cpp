// The peaks as a table, peaks.csv: a row for every figure, fact and note.
#include <fmt/core.h>

#include "analysis/roofline/figures.hpp"

namespace boltzmark {

using nlohmann::json;

std::vector<PeakRow> make_peak_rows(const Peaks& peaks) {
  std::vector<PeakRow> rows;
  json side;  // what all rows of the processor, or of a device, have
  const auto add = [&](const char* kind, json row) {
    row.update(side);
    row["kind"] = kind;
    row.emplace("is_roof", false);
    rows.push_back(std::move(row));
  };
  const auto texts = [&](const char* kind, const std::vector<std::string>& all) {
    for (const std::string& one : all) add(kind, {{"text", one}});
  };
  // A figure that was not measured has zeros.
  const auto figure = [&](const char* kind, const Spread& value, const char* unit, json row = json::object()) {
    row.update(value);
    row["unit"] = unit;
    if (value.maximum > 0.0) add(kind, std::move(row));
  };
  const auto size = [&](const char* kind, const std::string& level, std::int64_t bytes, const std::string& text = "") {
    const auto value = static_cast<double>(bytes);
    figure(kind, {value, value, value}, "bytes", {{"level", level}, {"text", text}});
  };
  const auto figures = [&](const auto& whole, int all_cores) {
    const bool write_allocate = all_cores > 0;
    for (const BandwidthPeak& peak : whole.bandwidths) {
      json row = peak;
      const double moved = moved_factor(peak.pattern, write_allocate) * peak.limit().median;
      row["moved"] = moved;
      row["is_roof"] = peak.cores == all_cores &&
                       moved == level_roof(whole.bandwidths, peak.level, peak.cores, write_allocate)->median;
      row["roof"] = peak.limit().median;
      row.erase("gb_per_s");  // a column of messages alone: what a bandwidth is, figure() says
      figure("bandwidth", peak.gb_per_s, "GB/s", std::move(row));
    }
    for (const ComputePeak& peak : whole.computes) {
      json row = peak;
      row["is_roof"] = &peak == find_compute(whole.computes, peak.precision, peak.fma, all_cores);
      row["roof"] = peak.limit().median;
      figure("compute", peak.gflop_per_s,
             peak.is_of_flops() || peak.operation == operation::tensor ? "GFLOP/s" : "1e9/s", std::move(row));
    }
  };
  const auto latencies = [&](const std::vector<LatencyPeak>& all) {
    for (const LatencyPeak& peak : all) figure("latency", peak.nanoseconds, "ns", peak);
  };
  const auto begin = [&](const std::string& of, const std::string& type) {
    side = {{"of", of},
            {"type", type},
            {"date", peaks.date},
            {"host", peaks.host},
            {"flags", peaks.flags},
            {"compiler", peaks.compiler},
            {"revision", peaks.revision}};
  };
  if (const ProcessorPeaks& processor = peaks.processor; !processor.name.empty()) {
    begin("processor", "cpu");
    texts("fact", {processor.name, fmt::format("{} cores", processor.cores)});
    size("memory", "DRAM", processor.memory_bytes);
    for (const CacheLevel& cache : processor.caches)
      size("cache", cache.name, cache.bytes,
           fmt::format("{} of them, each shared by {}", cache.instances, cache.cores));
    figures(processor, processor.cores);
    latencies(processor.latencies);
    for (const SweepPoint& point : peaks.sweep)
      figure("sweep", point.gb_per_s, "GB/s",
             {{"pattern", point.pattern},
              {"cores", point.cores},
              {"from_bytes", point.working_set_bytes},
              {"to_bytes", point.working_set_bytes}});
    texts("note", processor.notes);
  }
  for (const DevicePeaks& device : peaks.devices) {
    begin(device.name, device.type);
    texts("fact", {device.platform, device.driver, fmt::format("{} compute units", device.compute_units)});
    size("memory", "memory", device.memory_bytes);
    size("cache", "cache", device.cache_bytes);
    size("cache", "local", device.local_bytes, "of a work-group");
    figures(device, 0);
    latencies(device.latencies);
    figure("launch", device.launch_seconds, "s");
    figure("launch_and_wait", device.wait_seconds, "s");
    figure("to_device", device.to_device_gb_per_s, "GB/s");
    figure("from_device", device.from_device_gb_per_s, "GB/s");
    texts("note", device.notes);
  }
  if (const NetworkPeaks& network = peaks.network; network.ranks > 0) {
    begin("network", "network");
    texts("fact", {network.library, fmt::format("{} ranks on {} hosts", network.ranks, network.hosts)});
    const auto at = [](const auto& of, const std::string& way, std::int64_t from, std::int64_t to, json row) {
      row.update({{"level", of.place}, {"pattern", way}, {"cores", of.pairs}, {"from_bytes", from}, {"to_bytes", to}});
      return row;
    };
    const auto sent = [](int messages, double gb_per_s) {
      return messages > 0 ? json{{"messages", messages}, {"gb_per_s", gb_per_s}} : json::object();
    };
    for (const MessagePoint& one : network.messages) {
      const int messages = messages_of(one.way);
      const double gb_per_s = 1e-9 * messages * static_cast<double>(one.bytes) / one.seconds.median;
      figure("message", one.seconds, "s", at(one, one.way, one.bytes, one.bytes, sent(messages, gb_per_s)));
    }
    for (const MessageRoof& roof : message_roofs(network))
      add("message_roof", at(roof, roof.way, roof.bytes, roof.bytes, sent(roof.messages, roof.gb_per_s)));
    for (const MessageFit& fit : network.fits) add("message_fit", at(fit, fit.way, fit.from_bytes, fit.to_bytes, fit));
    for (const MessageRate& rate : network.rates)
      figure("message_rate", rate.per_second, "1/s", at(rate, "one", 8, 8, json::object()));
    figure("allreduce", network.allreduce_seconds, "s");
    texts("note", network.notes);
  }
  return rows;
}

const FigureColumns<PeakRow>& peak_columns() {
  static const FigureColumns<PeakRow> columns = {
      {"of: processor, network, or the device's name"},
      {"type: cpu, gpu, accelerator or network"},
      {"kind: bandwidth, compute, latency (of loads that wait for one another), launch (start to start of small "
       "kernels), launch_and_wait (of one, by the host), to_device, from_device, sweep (what plateaus are picked from), "
       "cache, memory, fact, note; of the network message, message_fit, message_roof (by the fits), message_rate, "
       "allreduce"},
      {"level: L1, L2, L3, DRAM; of a device memory, cache, first cache, local; of messages socket, sockets, "
       "nodes: where the two ranks of a pair are"},
      {"pattern: read, copy or triad; of messages one, both, halo, behind, polled"},
      {"precision: f32 or f64; of wide multiplications u32, of tensor cores also tf32, f16 and bf16"},
      {"operation: of compute: multiply-add, division, root (1 / sqrt(x)^3), wide-multiplication (32 x 32 bits to "
       "64) or tensor (FLOPs of tensor cores)"},
      {"fma: fused multiply-adds, or multiplications and additions by themselves"},
      {"vector_bits (bits): width of the registers; 0 where the device decides", numeric},
      {"cores: at work; 0: the whole device; of messages the pairs", numeric},
      {"is_roof: drawn in a roofline chart: of a level the pattern that moves most, or arithmetic at its widest, on the "
       "whole of it",
       ColumnType::flag},
      {"roof (unit): of bandwidth and compute: the best repetition that two others come within 3 % of, and no less "
       "than STREAM showed",
       numeric},
      {"moved (GB/s): of bandwidth: roof in bytes that move, with the lines that plain stores fetch; the highest of a "
       "level is its roof",
       numeric},
      {"median (unit): of the repetitions", numeric},
      {"min (unit): the smallest", numeric},
      {"max (unit): the largest", numeric},
      {"unit: of these three"},
      {"from_bytes (bytes): smallest working set, all cores together; of messages one of them", numeric},
      {"to_bytes (bytes): largest", numeric},
      {"clock_ghz (GHz): measured under this load", numeric},
      {"expected_gflop_per_s (GFLOP/s): cores x clock x lanes x units x FLOPs of an operation", numeric},
      {"latency_seconds (s): of messages, fitted", numeric},
      {"seconds_a_byte (s): likewise", numeric},
      {"messages: that a rank sends from one synchronisation to the next", numeric},
      {"gb_per_s (GB/s): of these: of a message at the median, of a message_roof by the fits", numeric},
      {"residual: root of the mean square of the fit's relative deviations", numeric},
      {"text: of a fact or a note"},
      {"date: of the last measurement, UTC"},
      {"host: name of the machine"},
      {"compiler: of the measuring programs"},
      {"flags: of it"},
      {"revision: of git"},
  };
  return columns;
}

}  // namespace boltzmark
