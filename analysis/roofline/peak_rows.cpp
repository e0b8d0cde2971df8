// The peaks as a table: a row for every figure.
#include <fmt/core.h>

#include "analysis/roofline/columns.hpp"

namespace boltzmark {
namespace {

/// One side of the machine: its processor, or a device.
class PeakRows {
 public:
  PeakRows(PeakRow start, int all_cores, std::vector<PeakRow>& rows)
      : start_(std::move(start)), all_cores_(all_cores), rows_(rows) {}

  void text(const char* kind, const std::string& text) { add(kind).text = text; }
  void texts(const char* kind, const std::vector<std::string>& all) {
    for (const std::string& one : all) text(kind, one);
  }

  /// A figure that was not measured has zeros.
  PeakRow* figure(const char* kind, const Spread& value, const char* unit) {
    if (!(value.maximum > 0.0)) return nullptr;
    PeakRow& row = add(kind);
    row.value = value;
    row.unit = unit;
    return &row;
  }

  void size(const char* kind, const std::string& level, std::int64_t bytes, const std::string& text = "") {
    const auto value = static_cast<double>(bytes);
    if (PeakRow* const row = figure(kind, {value, value, value}, "bytes")) {
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
    PeakRow& row = rows_.emplace_back(start_);
    row.kind = kind;
    return row;
  }

  PeakRow start_;
  int all_cores_;
  std::vector<PeakRow>& rows_;
};

}  // namespace

std::vector<PeakRow> make_peak_rows(const Peaks& peaks) {
  std::vector<PeakRow> rows;
  if (const ProcessorPeaks& processor = peaks.processor; !processor.name.empty()) {
    PeakRows side({.of = "processor", .type = "cpu", .peaks = &peaks}, processor.cores, rows);
    side.texts("fact", {processor.name, fmt::format("{} cores", processor.cores)});
    side.size("memory", "DRAM", processor.memory_bytes);
    for (const CacheLevel& cache : processor.caches)
      side.size("cache", cache.name, cache.bytes,
                fmt::format("{} of them, each shared by {}", cache.instances, cache.cores));
    side.bandwidths(processor.bandwidths);
    side.computes(processor.computes);
    side.sweep(peaks.sweep);
    side.texts("note", processor.notes);
  }
  for (const DevicePeaks& device : peaks.devices) {
    PeakRows side({.of = device.name, .type = device.type, .peaks = &peaks}, 0, rows);
    side.texts("fact", {device.platform, device.driver, fmt::format("{} compute units", device.compute_units)});
    side.size("memory", "memory", device.memory_bytes);
    side.size("cache", "cache", device.cache_bytes);
    side.size("cache", "local", device.local_bytes, "of a work-group");
    side.bandwidths(device.bandwidths);
    side.computes(device.computes);
    side.figure("launch", device.launch_seconds, "s");
    side.figure("to_device", device.to_device_gb_per_s, "GB/s");
    side.figure("from_device", device.from_device_gb_per_s, "GB/s");
    side.texts("note", device.notes);
  }
  return rows;
}

}  // namespace boltzmark
