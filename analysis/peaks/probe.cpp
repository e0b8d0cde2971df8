#include "analysis/peaks/probe.hpp"

#include "common/base/clock.hpp"
#include "common/base/error.hpp"
#include "common/base/files.hpp"
#include "common/base/statistics.hpp"

namespace boltzmark {
namespace {

/// The point of a sweep that a probe measures: in memory the smallest working set of the plateau, which takes the least
/// time, and in a cache the middle one. nullptr if the sweep has none.
const SweepPoint* point_of(const Peaks& peaks, const BandwidthPeak& peak) {
  std::vector<const SweepPoint*> inside;
  for (const SweepPoint& point : peaks.sweep)
    if (peak.has(point.pattern, point.cores, point.working_set_bytes)) inside.push_back(&point);
  if (inside.empty()) return nullptr;
  std::ranges::sort(inside, {}, &SweepPoint::working_set_bytes);
  return peak.level == "DRAM" ? inside.front() : inside[inside.size() / 2];
}

}  // namespace

std::vector<std::string> probe_benchmarks(const Peaks& peaks, const std::set<std::string>& precisions, bool on_one) {
  std::set<int> core_counts = {peaks.processor.cores};
  if (on_one) core_counts.insert(1);
  std::vector<std::string> names;
  for (const int cores : core_counts) {
    for (const BandwidthPeak& peak : peaks.processor.bandwidths)
      if (const SweepPoint* const point =
              peak.pattern == "copy" && peak.cores == cores ? point_of(peaks, peak) : nullptr)
        names.push_back(bandwidth_name(peak.pattern, cores, point->working_set_bytes));
    for (const std::string& precision : precisions)
      if (const ComputePeak* const peak = find_fastest(peaks.processor.computes, precision, cores))
        names.push_back(compute_name(precision, peak->fma, peak->vector_bits, cores));
  }
  return names;
}

Roofs roofs_in(const std::vector<Sample>& samples, const Peaks& peaks) {
  Roofs roofs;
  for (const Sample& sample : samples) {
    const int cores = static_cast<int>(sample.number("cores"));
    if (!sample.items_per_second.empty())
      roofs[roof_name(sample.label("precision"), cores)] = 1e-9 * confirmed_best(sample.items_per_second);
    if (sample.bytes_per_second.empty()) continue;
    for (const BandwidthPeak& peak : peaks.processor.bandwidths)
      if (peak.has(sample.label("pattern"), cores, sample.number("bytes")))
        roofs[roof_name(peak.level, cores)] = 1e-9 * confirmed_best(sample.bytes_per_second);
  }
  return roofs;
}

Prober::Prober(fs::path results, Peaks peaks, std::vector<std::string> benchmarks)
    : results_(std::move(results)), peaks_(std::move(peaks)), benchmarks_(std::move(benchmarks)) {}

const Roofs& Prober::now(bool is_new_round, SignalWatch& signals) {
  constexpr double lasting_seconds = 20.0;
  if (!benchmarks_.empty() && (is_new_round || seconds_since(measured_) > lasting_seconds)) measure(signals);
  return roofs_;
}

void Prober::measure(SignalWatch& signals) {
  constexpr double most_seconds = 60.0;
  const fs::path file = results_ / "probe.part";
  roofs_.clear();
  run_process({.command = {(program_folder() / "boltzmark-peaks-cpu").string(), "--benchmark_out=" + file.string(),
                           "--benchmark_out_format=json", "--benchmark_repetitions=5", benchmark_filter(benchmarks_)},
               .time_limit_seconds = most_seconds},
              signals, [](double) {});
  try {
    roofs_ = roofs_in(read_samples(file), peaks_);
  } catch (const Error&) {
    // Probes of another build or stopped ones do not count: runs are compared with the peaks.
  }
  fs::remove(file);
  measured_ = std::chrono::steady_clock::now();
}

}  // namespace boltzmark
