#include "analysis/roofline/roofline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/roofline/formulas.hpp"
#include "analysis/support/json_reader.hpp"

namespace boltzmark {
namespace {

// The limits of the reasons. A run that reaches half of a roof is within a factor of two of it: no other
// cause can be worth more than the roof itself. One that is a tenth above what its level of memory can
// deliver is above it beyond the noise of both measurements.
constexpr double near_roof = 0.5, above_roof = 1.1, large_share = 0.5;

/// The bandwidths and FLOP rates that count for a run: its processor's, or its device's.
struct Side {
  const std::vector<BandwidthPeak>* bandwidths = nullptr;
  const std::vector<ComputePeak>* computes = nullptr;
  int all = 0;      ///< workers of the figures for the whole: the cores, 0 for a device
  int workers = 0;  ///< of the run, at most all; 0 for a device
};

/// A peak for so many workers: measured for one and for all, and between those at most proportional to one.
template <class Find>
std::optional<double> peak_for(const Side& side, const Find& rate_on) {
  const std::optional<double> whole = rate_on(side.all);
  if (side.workers == side.all) return whole;
  const std::optional<double> one = rate_on(1);
  if (!one) return whole;
  return whole ? std::min(*whole, *one * side.workers) : *one * side.workers;
}

std::optional<double> bandwidth_for(const Side& side, const std::string& level) {
  return peak_for(side, [&](int cores) -> std::optional<double> {
    const BandwidthPeak* const peak = find_bandwidth(*side.bandwidths, level, "copy", cores);
    return peak ? std::optional(peak->gb_per_s.median) : std::nullopt;
  });
}

/// With multiply-adds, or without where the build has none.
std::optional<double> flops_for(const Side& side, const std::string& precision) {
  return peak_for(side, [&](int cores) -> std::optional<double> {
    const ComputePeak* peak = find_compute(*side.computes, precision, true, cores);
    if (!peak) peak = find_compute(*side.computes, precision, false, cores);
    return peak ? std::optional(peak->gflop_per_s.median) : std::nullopt;
  });
}

/// Instances of a cache that so many workers have between them, one after another filled.
std::int64_t reach_of(const CacheLevel& cache, int workers) {
  const int sharing = std::max(1, cache.cores);
  return cache.bytes * std::min(cache.instances, (workers + sharing - 1) / sharing);
}

/// The smallest level into which the grid fits; main memory when none.
std::string level_of(const ProcessorPeaks& processor, int workers, double bytes) {
  for (const CacheLevel& cache : processor.caches)
    if (bytes <= static_cast<double>(reach_of(cache, workers))) return cache.name;
  return "DRAM";
}

std::string level_of(const DevicePeaks& device, double bytes) {
  const bool known = find_bandwidth(device.bandwidths, "cache", "copy", 0) != nullptr;
  return known && bytes <= static_cast<double>(device.cache_bytes) ? "cache" : "memory";
}

bool is_memory(const std::string& level) { return level == "DRAM" || level == "memory"; }

std::string percent(double fraction) { return fmt::format("{:.0f} %", 100.0 * fraction); }

std::string bytes_text(double bytes) {
  const int power = bytes < 1024.0 ? 0 : std::min(4, static_cast<int>(std::log2(bytes) / 10.0));
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  return fmt::format("{:.3g} {}", bytes / std::pow(1024.0, power), units[power]);
}

std::string microseconds(double seconds) { return fmt::format("{:.3g} us", 1e6 * seconds); }

RooflinePosition position(double flops_per_update, const RunFigures& run, double gb_per_s) {
  const double intensity = operational_intensity(flops_per_update, run.bytes_per_update);
  return {flops_per_update, intensity, gflop_per_s(gb_per_s, intensity)};
}

/// Fills in what the peaks say of the run; the device behind it, if it is one.
const DevicePeaks* place(const RunFigures& run, const Peaks& peaks, RooflineAnalysis& result) {
  const DevicePeaks* device = find_device(peaks, run.device);
  // The OpenMP runtime gives devices no names: a single device of the type is meant.
  if (!device && run.device_type != "cpu") {
    const auto same = [&](const DevicePeaks& d) { return d.type == run.device_type; };
    if (std::count_if(peaks.devices.begin(), peaks.devices.end(), same) == 1)
      device = &*std::find_if(peaks.devices.begin(), peaks.devices.end(), same);
  }
  if (!device && run.device_type != "cpu") return nullptr;
  Side side;
  if (device && run.device_type != "cpu") {
    side = {&device->bandwidths, &device->computes, 0, 0};
    result.level = level_of(*device, run.grid_bytes);
  } else {
    const ProcessorPeaks& processor = peaks.processor;
    const int workers = run.workers > 0 ? std::min(run.workers, processor.cores) : processor.cores;
    side = {&processor.bandwidths, &processor.computes, processor.cores, workers};
    result.level = level_of(processor, workers, run.grid_bytes);
  }
  result.level_gb_per_s = bandwidth_for(side, result.level);
  result.peak_gflop_per_s = flops_for(side, run.precision);
  if (result.level_gb_per_s) result.fraction_of_level = result.gb_per_s / *result.level_gb_per_s;
  if (result.peak_gflop_per_s)
    result.fraction_of_peak = result.counted.gflop_per_s / *result.peak_gflop_per_s;
  if (result.level_gb_per_s && result.peak_gflop_per_s)
    result.ridge_flop_per_byte = *result.peak_gflop_per_s / *result.level_gb_per_s;
  return device;
}

/// Seconds of a step beyond an even share of what one worker takes, over the seconds of a step.
std::optional<double> share_of_waiting(const RunFigures& run, const RooflineContext& context) {
  if (run.workers <= 1 || !context.one_worker_seconds) return {};
  return std::max(0.0, 1.0 - *context.one_worker_seconds / run.workers / run.seconds);
}

std::string level_sentence(const RunFigures& run, const RooflineAnalysis& r) {
  return fmt::format(
      "the {} of populations lie in {}, and {:.4g} GB/s are {} of the {:.4g} GB/s that a copy reaches there",
      bytes_text(run.grid_bytes), r.level, r.gb_per_s, percent(*r.fraction_of_level), *r.level_gb_per_s);
}

std::string compute_sentence(const RunFigures& run, const RooflineAnalysis& r) {
  return fmt::format("{:.4g} GFLOP/s are {} of the {:.4g} GFLOP/s of multiply-adds in {}",
                     r.counted.gflop_per_s, percent(*r.fraction_of_peak), *r.peak_gflop_per_s, run.precision);
}

/// The reason, from the most to the least certain.
void explain(const RunFigures& run, const RooflineContext& context, const DevicePeaks* device,
             RooflineAnalysis& r) {
  const double step = run.seconds / run.steps, launch = step * run.steps_a_launch;
  if (device && device->launch_seconds.median > large_share * launch) {
    r.bound = Bound::launch;
    r.why = fmt::format("{} take{} {}, of which starting a kernel takes {}",
                        run.steps_a_launch == 1 ? "a step" : fmt::format("{} steps", run.steps_a_launch),
                        run.steps_a_launch == 1 ? "s" : "", microseconds(launch),
                        microseconds(device->launch_seconds.median));
    return;
  }
  if (!r.fraction_of_level || !r.fraction_of_peak) {
    r.why = fmt::format("the peaks have no {} for {}",
                        r.fraction_of_level ? "FLOP rate in " + run.precision : "bandwidth of " + r.level,
                        run.device);
    return;
  }
  const bool more_compute = *r.fraction_of_peak > *r.fraction_of_level;
  if (*r.fraction_of_level > above_roof && !(more_compute && *r.fraction_of_peak >= near_roof)) {
    r.bound = Bound::above_memory_roof;
    r.why = level_sentence(run, r) + ": rows are used again while they are in a faster level; " +
            compute_sentence(run, r);
    return;
  }
  if (more_compute && *r.fraction_of_peak >= near_roof) {
    r.bound = Bound::compute;
    r.why = compute_sentence(run, r) + "; " + level_sentence(run, r);
    return;
  }
  if (*r.fraction_of_level >= near_roof) {
    r.bound = is_memory(r.level) ? Bound::memory : Bound::cache;
    r.why = level_sentence(run, r);
    return;
  }
  const auto waiting = share_of_waiting(run, context);
  if (waiting && *waiting > large_share) {
    r.bound = Bound::synchronisation;
    r.why = fmt::format("{} of the {} of a step are beyond an even share of one worker's time",
                        percent(*waiting), microseconds(step));
    return;
  }
  r.bound = Bound::code;
  r.why = fmt::format("no limit of the machine is near: {}; {}", level_sentence(run, r),
                      compute_sentence(run, r));
}

std::vector<Ceiling> ceilings_of(const std::vector<ComputePeak>& computes, const std::string& precision,
                                 int cores) {
  std::vector<Ceiling> ceilings;
  for (const bool fma : {true, false})
    if (const ComputePeak* const peak = find_compute(computes, precision, fma, cores))
      ceilings.push_back(
          {fmt::format("{} {}", precision, fma ? "FMA" : "without FMA"), peak->gflop_per_s.median});
  return ceilings;
}

RooflineChart chart_of(const std::vector<BandwidthPeak>& bandwidths, const std::vector<ComputePeak>& computes,
                       const std::vector<std::string>& levels, const std::string& precision, int cores) {
  RooflineChart chart;
  for (const auto& level : levels)
    if (const BandwidthPeak* const peak = find_bandwidth(bandwidths, level, "copy", cores))
      chart.roofs.push_back({level, peak->gb_per_s});
  chart.ceilings = ceilings_of(computes, precision, cores);
  if (!chart.roofs.empty() && !chart.ceilings.empty())
    chart.ridge_flop_per_byte = chart.ceilings.front().gflop_per_s / chart.roofs.back().gb_per_s.median;
  return chart;
}

/// By what variants of this name do in every model.
int steps_a_launch(const nlohmann::json& record, const RunFigures& run) {
  if (run.variant == "persistent") return run.steps;
  const nlohmann::json settings = record.value("settings", nlohmann::json::object());
  return run.variant == "time-block" ? settings.value("time_block", 1) : 1;
}

}  // namespace

RunFigures figures_of(const nlohmann::json& record, double seconds, const std::string& place) {
  ObjectReader in(record, place, "record");
  ObjectReader problem = in.object("problem");
  RunFigures run;
  run.model = in.text("model");
  run.variant = in.text("variant");
  run.precision = in.text("precision");
  run.device = in.any_text("device");
  run.device_type = in.text("device_type");
  run.workers = static_cast<int>(in.integer("threads") * in.integer("ranks"));
  run.cells = problem.integer("nx") * problem.integer("ny");
  run.steps = static_cast<int>(in.integer("steps"));
  run.steps_a_launch = steps_a_launch(record, run);
  run.seconds = seconds;
  run.grid_bytes = in.number("grid_bytes");
  run.bytes_per_update = in.number("bytes_per_update");
  run.flops_per_update = in.number("flops_per_update");
  run.conventional_flops = in.number("flops_per_update_conventional");
  return run;
}

std::string to_string(Bound bound) {
  switch (bound) {
    case Bound::memory:
      return "memory";
    case Bound::cache:
      return "cache";
    case Bound::compute:
      return "compute";
    case Bound::launch:
      return "launch";
    case Bound::synchronisation:
      return "synchronisation";
    case Bound::above_memory_roof:
      return "above-memory-roof";
    case Bound::code:
      return "code";
    case Bound::unknown:
      break;
  }
  return "unknown";
}

RooflineAnalysis analyse(const RunFigures& run, const RooflineContext& context) {
  RooflineAnalysis result;
  const double updates_per_second = static_cast<double>(run.cells) * run.steps / run.seconds;
  result.gb_per_s = 1e-9 * run.bytes_per_update * updates_per_second;
  result.counted = position(run.flops_per_update, run, result.gb_per_s);
  result.conventional = position(run.conventional_flops, run, result.gb_per_s);
  result.triad_gb_per_s = context.triad_gb_per_s;
  if (context.triad_gb_per_s) result.fraction_of_triad = result.gb_per_s / *context.triad_gb_per_s;
  if (!context.peaks) {
    result.why = "no peaks were measured";
    return result;
  }
  const DevicePeaks* const device = place(run, *context.peaks, result);
  if (result.level.empty()) {
    result.why = fmt::format("no peaks were measured for {}", run.device);
    return result;
  }
  explain(run, context, device, result);
  return result;
}

RooflineChart processor_chart(const Peaks& peaks, const std::string& precision) {
  std::vector<std::string> levels;
  for (const CacheLevel& cache : peaks.processor.caches) levels.push_back(cache.name);
  levels.push_back("DRAM");
  return chart_of(peaks.processor.bandwidths, peaks.processor.computes, levels, precision,
                  peaks.processor.cores);
}

RooflineChart device_chart(const DevicePeaks& device, const std::string& precision) {
  return chart_of(device.bandwidths, device.computes, {"local", "cache", "memory"}, precision, 0);
}

}  // namespace boltzmark
