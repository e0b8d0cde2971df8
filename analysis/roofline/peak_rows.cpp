#include "analysis/roofline/peak_rows.hpp"

#include <fmt/core.h>

namespace boltzmark {
namespace {

Spread constant(double value) { return {value, value, value}; }

/// What a table is made of one side of the machine with.
class Side {
 public:
  Side(std::string of, std::string type, int all_cores, const Peaks& peaks, std::vector<PeakRow>& rows)
      : of_(std::move(of)), type_(std::move(type)), all_cores_(all_cores), peaks_(peaks), rows_(rows) {}

  void fact(const std::string& text) { add("fact").text = text; }
  void note(const std::string& text) { add("note").text = text; }

  /// A figure that was not measured has zeros.
  PeakRow* figure(const char* kind, const Spread& value, const char* unit) {
    if (!(value.maximum > 0.0)) return nullptr;
    PeakRow& row = add(kind);
    row.value = value;
    row.unit = unit;
    return &row;
  }

  void size(const char* kind, const std::string& level, std::int64_t bytes, const std::string& text = "") {
    if (PeakRow* const row = figure(kind, constant(static_cast<double>(bytes)), "bytes")) {
      row->level = level;
      row->text = text;
    }
  }

  void bandwidths(const std::vector<BandwidthPeak>& peaks) {
    for (const BandwidthPeak& peak : peaks)
      if (PeakRow* const row = figure("bandwidth", peak.gb_per_s, "GB/s")) {
        row->level = peak.level;
        row->pattern = peak.pattern;
        row->cores = peak.cores;
        row->is_roof = peak.cores == all_cores_ && peak.pattern == "copy";
        row->from_bytes = peak.from_bytes;
        row->to_bytes = peak.to_bytes;
      }
  }

  void computes(const std::vector<ComputePeak>& peaks) {
    for (const ComputePeak& peak : peaks)
      if (PeakRow* const row = figure("compute", peak.gflop_per_s, "GFLOP/s")) {
        row->precision = peak.precision;
        row->fma = peak.fma;
        row->cores = peak.cores;
        row->vector_bits = peak.vector_bits;
        row->is_roof = &peak == find_compute(peaks, peak.precision, peak.fma, all_cores_);
        row->clock_ghz = peak.clock_ghz;
        row->expected_gflop_per_s = peak.expected_gflop_per_s;
      }
  }

  void sweep(const std::vector<SweepPoint>& points) {
    for (const SweepPoint& point : points)
      if (PeakRow* const row = figure("sweep", point.gb_per_s, "GB/s")) {
        row->pattern = point.pattern;
        row->cores = point.cores;
        row->from_bytes = row->to_bytes = point.working_set_bytes;
      }
  }

 private:
  PeakRow& add(const char* kind) {
    PeakRow& row = rows_.emplace_back();
    row.of = of_;
    row.type = type_;
    row.kind = kind;
    row.peaks = &peaks_;
    return row;
  }

  std::string of_, type_;
  int all_cores_;
  const Peaks& peaks_;
  std::vector<PeakRow>& rows_;
};

void add_processor(const Peaks& peaks, std::vector<PeakRow>& rows) {
  const ProcessorPeaks& processor = peaks.processor;
  if (processor.name.empty()) return;
  Side side("processor", "cpu", processor.cores, peaks, rows);
  side.fact(processor.name);
  side.fact(fmt::format("{} cores", processor.cores));
  side.size("memory", "DRAM", processor.memory_bytes);
  for (const CacheLevel& cache : processor.caches)
    side.size("cache", cache.name, cache.bytes,
              fmt::format("{} of them, each shared by {}", cache.instances, cache.cores));
  side.bandwidths(processor.bandwidths);
  side.computes(processor.computes);
  side.sweep(peaks.sweep);
  for (const std::string& note : processor.notes) side.note(note);
}

void add_device(const DevicePeaks& device, const Peaks& peaks, std::vector<PeakRow>& rows) {
  Side side(device.name, device.type, 0, peaks, rows);
  for (const std::string& fact : {device.platform, device.driver}) side.fact(fact);
  side.fact(fmt::format("{} compute units", device.compute_units));
  side.size("memory", "memory", device.memory_bytes);
  side.size("cache", "cache", device.cache_bytes);
  side.size("cache", "local", device.local_bytes, "of a work-group");
  side.bandwidths(device.bandwidths);
  side.computes(device.computes);
  side.figure("launch", device.launch_seconds, "s");
  side.figure("to_device", device.to_device_gb_per_s, "GB/s");
  side.figure("from_device", device.from_device_gb_per_s, "GB/s");
  for (const std::string& note : device.notes) side.note(note);
}

}  // namespace

std::vector<PeakRow> make_peak_rows(const Peaks& peaks) {
  std::vector<PeakRow> rows;
  add_processor(peaks, rows);
  for (const DevicePeaks& device : peaks.devices) add_device(device, peaks, rows);
  return rows;
}

}  // namespace boltzmark
