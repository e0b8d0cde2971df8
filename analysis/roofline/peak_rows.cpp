// The peaks as a table, peaks.csv: a row for every figure, fact and note.
#include <fmt/core.h>

#include "analysis/roofline/figures.hpp"
#include "analysis/support/json.hpp"
#include "common/base/text.hpp"

namespace boltzmark {

std::vector<PeakRow> make_peak_rows(const Peaks& peaks) {
  std::vector<PeakRow> rows;
  json side;  // common to all rows of the processor, or of a device
  const auto add = [&](const char* kind, json row) {
    row.update(side);
    row["kind"] = kind;
    row.emplace("is_roof", false);
    rows.push_back(std::move(row));
  };
  const auto texts = [&](const char* kind, const std::vector<std::string>& all) {
    for (const std::string& one : all) add(kind, {{"text", one}});
  };
  // A figure of zeros was not measured.
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
    const auto with_roof = [](json& row, const Spread& limit, double factor) {
      row["roof"] = limit.median;
      if (is_noisy(limit)) row["slow"] = factor * limit.minimum;
    };
    for (const BandwidthPeak& peak : whole.bandwidths) {
      json row = peak;
      const double factor = moved_factor(peak.pattern, write_allocate), moved = factor * peak.limit().median;
      row["moved"] = moved;
      row["is_roof"] = peak.cores == all_cores &&
                       moved == level_roof(whole.bandwidths, peak.level, peak.cores, write_allocate)->rate.median;
      with_roof(row, peak.limit(), factor);
      row.erase("gb_per_s");  // a column of messages alone: what a bandwidth is, figure() says
      figure("bandwidth", peak.gb_per_s, "GB/s", std::move(row));
    }
    for (const ComputePeak& peak : whole.computes) {
      json row = peak;
      row["is_roof"] = &peak == find_compute(whole.computes, peak.precision, peak.fma, all_cores);
      with_roof(row, peak.limit(), 1.0);
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
    texts("fact", {processor.name, counted(processor.cores, "core")});
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
    texts("fact", {network.library, counted(network.ranks, "rank") + " on " + counted(network.hosts, "host")});
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
      {"of: processor, network, or name of the device"},
      {"type: cpu, gpu, accelerator or network"},
      {"kind: bandwidth, compute, latency (of dependent loads), launch (time between the starts of small kernels), "
       "launch_and_wait (time of one, seen from the host), to_device, from_device, sweep (the points in which plateaus "
       "are found), cache, memory, fact, note; for the network message, message_fit, message_roof (by the fits), "
       "message_rate, allreduce"},
      {"level: L1, L2, L3, DRAM; for a device memory, cache, first cache, local; for messages the place of a pair's "
       "ranks: socket, sockets, nodes"},
      {"pattern: read, copy, triad or update; for messages one, both, halo, behind, polled"},
      {"precision: f32 or f64; for wide multiplications u32, for tensor cores also tf32, f16 and bf16"},
      {"operation: operation of a compute row: multiply-add, division, root (1 / sqrt(x)^3), wide-multiplication (32 x "
       "32 bits to 64) or tensor (FLOPs of tensor cores)"},
      {"fma: whether multiply-adds are fused"},
      {"vector_bits (bits): width of the registers; 0 if the device decides", numeric},
      {"cores: cores at work; 0: the whole device; for messages the number of pairs", numeric},
      {"is_roof: whether a roofline chart shows it: a level's fastest pattern, or the widest arithmetic, on the whole "
       "processor or device",
       ColumnType::flag},
      {"roof (unit): for bandwidth and compute: the best repetition that two others confirm within 3 %, and at least "
       "the rate that STREAM reached",
       numeric},
      {"moved (GB/s): for bandwidth: roof in bytes that move, including the lines that plain stores fetch; a level's "
       "highest is its roof",
       numeric},
      {"slow (unit): lower end of a noisy roof, of bandwidths in bytes that move: the lower quartile of the session's "
       "probes; empty if that is within 10 % of the roof",
       numeric},
      {"median (unit): median of the repetitions", numeric},
      {"min (unit): the smallest", numeric},
      {"max (unit): the largest", numeric},
      {"unit: unit of these figures"},
      {"from_bytes (bytes): smallest working set of all cores together; for messages, size of the smallest", numeric},
      {"to_bytes (bytes): largest", numeric},
      {"clock_ghz (GHz): measured under this load", numeric},
      {"expected_gflop_per_s (GFLOP/s): cores x clock x lanes x units x FLOPs per operation", numeric},
      {"latency_seconds (s): fitted latency of messages", numeric},
      {"seconds_a_byte (s): likewise", numeric},
      {"messages: messages that a rank sends from one synchronisation to the next", numeric},
      {"gb_per_s (GB/s): bandwidth of these messages, at the median, or for message_roof by the fits", numeric},
      {"residual: root mean square of the fit's relative deviations", numeric},
      {"text: text of a fact or a note"},
      {"date: of the last measurement, UTC"},
      {"host: name of the machine"},
      {"compiler: compiler of the measuring programs"},
      {"flags: compiler flags"},
      {"revision: git revision"},
  };
  return columns;
}

}  // namespace boltzmark
