#include "analysis/roofline/roofline.hpp"

#include <fmt/core.h>

#include <cmath>

#include "common/base/ranges.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

// The limits of the reasons. A run that reaches half of a roof is within a factor of two of it: no other
// cause can be worth more than the roof itself. One that is a tenth above what its level of memory can
// deliver is above it beyond the noise of both measurements.
constexpr double near_roof = 0.5, above_roof = 1.1, large_share = 0.5;
/// No error of both measurements is as large.
constexpr double beyond_all_roofs = 10.0;
/// Data of this many times what the next faster level holds still stay there in part.
constexpr double held_in_part = 2.0;

/// The bandwidths and FLOP rates that count for a run: its processor's, or its device's.
struct Side {
  const std::vector<BandwidthPeak>* bandwidths = nullptr;
  const std::vector<ComputePeak>* computes = nullptr;
  const DevicePeaks* device = nullptr;
  int all = 0;      ///< workers of the figures for the whole: the cores, 0 for a device
  int workers = 0;  ///< of the run, at most all; 0 for a device
};

/// A roof for so many workers: measured for one and for all, and between those at most proportional to one.
template <class Find>
std::optional<Spread> roof_for(const Side& side, const Find& find_on) {
  const auto* const whole = find_on(side.all);
  const auto* const one = side.workers == side.all ? nullptr : find_on(1);
  if (!one) return whole ? std::optional(whole->limit()) : std::nullopt;
  const double n = side.workers;
  const Spread of_one = one->limit(), many = {n * of_one.median, n * of_one.minimum, n * of_one.maximum};
  return whole && whole->limit().median < many.median ? whole->limit() : many;
}

std::optional<Spread> bandwidth_for(const Side& side, const std::string& level, const char* pattern) {
  return roof_for(side, [&](int cores) { return find_bandwidth(*side.bandwidths, level, pattern, cores); });
}

/// In 1e9 a second.
std::optional<Spread> arithmetic_for(const Side& side, const std::string& precision, const std::string& operation) {
  return roof_for(side, [&](int cores) {
    return find_fastest(*side.computes, precision_of(operation, precision), cores, operation);
  });
}

constexpr double giga = 1e9;

struct BoundingOperation {
  Bound bound;
  const char *name, *plural;
};
constexpr BoundingOperation bounding_operations[] = {
    {Bound::divisions, operation::division, "divisions"},
    {Bound::roots, operation::root, "roots"},
    {Bound::wide_multiplications, operation::wide_multiplication, "wide multiplications"}};
const BoundingOperation& bounding(const std::string& name) {
  return *std::ranges::find(bounding_operations, name, &BoundingOperation::name);
}

bool is_memory(const std::string& level) { return level == "DRAM" || level == "memory"; }

std::string percent(double fraction) { return fmt::format("{:.0f} %", 100.0 * fraction); }

std::string bytes_text(double bytes) {
  const int power = bytes < 1024.0 ? 0 : std::min(4, static_cast<int>(std::log2(bytes) / 10.0));
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  return fmt::format("{:.3g} {}", bytes / std::pow(1024.0, power), units[power]);
}

/// The device of that name. The OpenMP runtime gives devices no names: a single one of the type is meant.
const DevicePeaks* device_of(const RunFigures& run, const Peaks& peaks) {
  if (run.device_type == "cpu") return nullptr;
  if (const DevicePeaks* const named = find_device(peaks, run.device)) return named;
  const bool is_single = std::ranges::count(peaks.devices, run.device_type, &DevicePeaks::type) == 1;
  return is_single ? find_by(peaks.devices, run.device_type, &DevicePeaks::type) : nullptr;
}

/// One run's analysis, in the order of `made`.
class Analyst {
 public:
  Analyst(const RunFigures& run, const Peaks& peaks) : run_(run), peaks_(peaks) {}

  RooflineAnalysis made() {
    side_.device = device_of(run_, peaks_);
    if (!side_.device && run_.device_type != "cpu") {
      r_.why = fmt::format("no peaks were measured for {}", run_.device);
      return r_;
    }
    if (run_.memory == "host") {
      r_.why = "its arrays are on the host (--memory host), for which there is no roof";
      return r_;
    }
    side_.device ? place_on_device() : place_on_processor();
    compare();
    doubt();
    explain();
    return r_;
  }

 private:
  void place_on_device() {
    side_.bandwidths = &side_.device->bandwidths;
    side_.computes = &side_.device->computes;
    level_ = level_of(*side_.device, run_.bytes_held);
    r_.peaks_of = side_.device->name;
  }

  void place_on_processor() {
    const ProcessorPeaks& processor = peaks_.processor;
    side_.bandwidths = &processor.bandwidths;
    side_.computes = &processor.computes;
    side_.all = processor.cores;
    side_.workers = run_.workers > 0 ? std::min(run_.workers, processor.cores) : processor.cores;
    level_ = level_of(processor, side_.workers, run_.bytes_held);
    r_.peaks_of = "processor";
  }

  void compare() {
    r_.roof = level_.name;
    r_.roof_gb_per_s = bandwidth_for(side_, level_.name, "copy");
    if (r_.roof_gb_per_s) r_.share_of_roof = run_.gb_per_s / r_.roof_gb_per_s->median;
    peak_ = arithmetic_for(side_, format(), flops());
    if (peak_) {
      r_.peak_gflop_per_s = peak_->median;
      r_.share_of_peak = run_.gflop_per_s / peak_->median;
    }
    if (r_.roof_gb_per_s && r_.peak_gflop_per_s)
      r_.ridge_flop_per_byte = *r_.peak_gflop_per_s / r_.roof_gb_per_s->median;
    for (const BoundingOperation& of : bounding_operations)
      if (const auto most = arithmetic_for(side_, run_.precision, of.name))
        if (const double share = done(of) / giga / most->median; share > share_of_operation()) {
          r_.operation = of.name;
          r_.peak_operation_per_s = {giga * most->median, giga * most->minimum, giga * most->maximum};
          r_.share_of_operation = share;
        }
  }

  /// Data that a faster level holds in part are held against that level.
  void doubt() {
    const double sweeps = static_cast<double>(run_.steps) / static_cast<double>(run_.steps_per_launch),
                 once = 1e-9 * run_.bytes_held * std::max(1.0, sweeps) / run_.seconds,
                 part = run_.bytes_held / held_in_part, gb_per_s = std::min(run_.gb_per_s, once);
    const std::string level =
        (side_.device ? level_of(*side_.device, part) : level_of(peaks_.processor, side_.workers, part)).name;
    const auto compare = [&](double rate, double most, const char* unit, const std::string& of) {
      if (most > 0.0 && rate > beyond_all_roofs * most && r_.impossible.empty())
        r_.impossible = fmt::format(
            "{:.4g} {} are {:.3g} times the {:.4g} {} that are the most {}: it cannot have done "
            "all its work",
            rate, unit, rate / most, most, unit, of);
    };
    compare(gb_per_s, most_gb_per_s(level), "GB/s", "in " + level);
    compare(run_.gflop_per_s, most_arithmetic(flops(), format()), "GFLOP/s", "in " + arithmetic_text());
    for (const BoundingOperation& of : bounding_operations)
      compare(done(of) / giga, most_arithmetic(of.name, precision_of(of.name, run_.precision)),
              fmt::format("billion {} a second", of.plural).c_str(), "in " + run_.precision);
  }

  /// A second; 0 of what it does not do.
  double done(const BoundingOperation& of) const {
    const auto at = run_.operations_per_s.find(of.name);
    return at == run_.operations_per_s.end() ? 0.0 : at->second;
  }

  /// The most that was measured in this level or a slower one, by any pattern: peaks of a busy machine can be a
  /// thousandth of what it can do in their medians.
  double most_gb_per_s(const std::string& level) const {
    std::vector<std::string> faster = {"local"};
    if (side_.device && level != "cache") faster.emplace_back("cache");
    if (!side_.device)
      for (const CacheLevel& cache : peaks_.processor.caches) {
        if (cache.name == level) break;
        faster.push_back(cache.name);
      }
    double most = 0.0;
    for (const BandwidthPeak& peak : *side_.bandwidths)
      if (!contains(faster, peak.level)) most = std::max(most, scale(peak.cores) * peak.gb_per_s.maximum);
    return most;
  }
  /// Measured, or by clock and units.
  double most_arithmetic(const std::string& operation, const std::string& precision) const {
    double most = 0.0;
    for (const ComputePeak& peak : *side_.computes)
      if (peak.operation == operation && peak.precision == precision)
        most = std::max(
            most, scale(peak.cores) * std::max(peak.gflop_per_s.maximum, peak.expected_gflop_per_s.value_or(0.0)));
    return most;
  }
  /// From a peak on so many cores to the most that the run's workers can have.
  double scale(int cores) const {
    return cores >= side_.workers || cores == 0 ? 1.0 : static_cast<double>(side_.workers) / cores;
  }

  /// The reason, from the most to the least certain.
  void explain() {
    if (is_launch()) return;
    if (!r_.share_of_roof || !r_.share_of_peak) {
      r_.why =
          fmt::format("the peaks have no {} for {}",
                      r_.share_of_roof ? "FLOP rate in " + arithmetic_text() : "bandwidth of " + r_.roof, run_.device);
      return;
    }
    if (!run_.tensor_cores.empty() && run_.tensor_cores != "f64" && *r_.share_of_peak > above_roof)
      return conclude(Bound::compute, compute_sentence() + ", by instructions other than the mma.sync of that peak");
    r_.is_doubtful = std::max(*r_.share_of_peak, share_of_operation()) > above_roof;
    if (r_.is_doubtful)
      return conclude(Bound::unknown, (*r_.share_of_peak > above_roof ? compute_sentence() : operation_sentence()) +
                                          ": nothing explains it, measure again");
    const Bound bound = bound_at(*r_.share_of_roof, *r_.share_of_peak, share_of_operation());
    const Spread most = r_.peak_operation_per_s.value_or(Spread{1.0, 1.0, 1.0});
    for (const double roof : {r_.roof_gb_per_s->minimum, r_.roof_gb_per_s->maximum})
      for (const double peak : {peak_->minimum, peak_->maximum})
        for (const double operations : {most.minimum, most.maximum})
          if (const Bound other = bound_at(run_.gb_per_s / roof, run_.gflop_per_s / peak,
                                           share_of_operation() * most.median / operations);
              other != bound)
            return conclude(Bound::unknown, either(bound, other));
    conclude(bound, reason(bound));
  }

  std::string either(Bound bound, Bound other) const {
    std::string text = fmt::format("{} or {}: {}, which is {:.4g} to {:.4g}; {}, which is {:.4g} to {:.4g}",
                                   to_string(bound), to_string(other), level_sentence(), r_.roof_gb_per_s->minimum,
                                   r_.roof_gb_per_s->maximum, compute_sentence(), peak_->minimum, peak_->maximum);
    if (const auto& most = r_.peak_operation_per_s)
      text += fmt::format("; {}, which is {:.4g} to {:.4g}", operation_sentence(), most->minimum / giga,
                          most->maximum / giga);
    return text;
  }

  Bound bound_at(double share_of_roof, double share_of_peak, double share_of_operation) const {
    if (share_of_operation > std::max(share_of_roof, share_of_peak) && share_of_operation >= near_roof)
      return bounding(r_.operation).bound;
    if (share_of_peak > share_of_roof && share_of_peak >= near_roof) return Bound::compute;
    if (share_of_roof > above_roof) return Bound::above_memory_roof;
    if (share_of_roof >= near_roof) return is_memory(r_.roof) ? Bound::memory : Bound::cache;
    if (share_of_network() >= near_roof) return Bound::network;
    return share_of_waiting() > large_share ? Bound::synchronisation : Bound::code;
  }

  std::string reason(Bound bound) {
    if (bound == Bound::compute) return compute_sentence() + "; " + level_sentence();
    if (!r_.operation.empty() && bound == bounding(r_.operation).bound)
      return operation_sentence() + "; " + compute_sentence();
    if (bound == Bound::above_memory_roof)
      return fmt::format("{}: {}; {}", level_sentence(), why_above(), compute_sentence());
    if (bound == Bound::network)
      return fmt::format("messages between ranks take {} of the {} of a step by the network's latency and bandwidth",
                         microseconds(step() * share_of_network()), microseconds(step()));
    if (bound == Bound::synchronisation)
      return fmt::format("{} of the {} of a step are beyond an even share of one worker's time",
                         percent(share_of_waiting()), microseconds(step()));
    if (bound == Bound::code)
      return fmt::format("no limit of the machine is near: {}; {}{}", level_sentence(), compute_sentence(),
                         r_.operation.empty() ? "" : "; " + operation_sentence());
    return level_sentence();
  }

  bool is_launch() {
    if (!side_.device) return false;
    const double launch = step() * static_cast<double>(run_.steps_per_launch),
                 start = side_.device->launch_seconds.median;
    if (start <= large_share * launch) return false;
    conclude(Bound::launch,
             fmt::format("{} {} {}, of which starting a kernel takes {}", counted(run_.steps_per_launch, "step"),
                         run_.steps_per_launch == 1 ? "takes" : "take", microseconds(launch), microseconds(start)));
    return true;
  }

  /// Why a run can be faster than a copy in the level that holds its data.
  std::string why_above() {
    if (run_.steps_per_launch > 1)
      return fmt::format("{} in one sweep use data again while they are in a faster level",
                         counted(run_.steps_per_launch, "step"));
    if (run_.bytes_held <= held_in_part * level_.faster_bytes) return "a part of the data stays in a faster level";
    double best = 0.0;
    for (const char* const pattern : {"read", "triad"})
      if (const auto rate = bandwidth_for(side_, level_.name, pattern)) best = std::max(best, rate->median);
    if (run_.gb_per_s <= above_roof * best)
      return fmt::format("a copy also reads the lines that it writes; other patterns reach {:.4g} GB/s", best);
    r_.is_doubtful = true;
    return "nothing explains it, measure again";
  }

  /// Seconds of a step beyond an even share of what one worker takes, over the seconds of a step.
  double share_of_waiting() const {
    if (run_.workers <= 1 || !run_.one_worker_seconds) return 0.0;
    return std::max(0.0, 1.0 - *run_.one_worker_seconds / run_.workers / run_.seconds);
  }

  double share_of_network() const { return run_.network_seconds.value_or(0.0) / run_.seconds; }

  double step() const { return run_.seconds / static_cast<double>(run_.steps); }

  std::string level_sentence() const {
    return fmt::format("the {} of data lie in {}, and {:.4g} GB/s are {} of the {:.4g} GB/s that a copy reaches there",
                       bytes_text(run_.bytes_held), r_.roof, run_.gb_per_s, percent(*r_.share_of_roof),
                       r_.roof_gb_per_s->median);
  }

  std::string compute_sentence() const {
    return fmt::format("{:.4g} GFLOP/s are {} of the {:.4g} GFLOP/s of arithmetic in {}", run_.gflop_per_s,
                       percent(*r_.share_of_peak), *r_.peak_gflop_per_s, arithmetic_text());
  }

  /// What its FLOPs are held against.
  const char* flops() const { return run_.tensor_cores.empty() ? operation::multiply_add : operation::tensor; }
  const std::string& format() const { return run_.tensor_cores.empty() ? run_.precision : run_.tensor_cores; }
  std::string arithmetic_text() const { return format() + (run_.tensor_cores.empty() ? "" : " on tensor cores"); }

  double share_of_operation() const { return r_.share_of_operation.value_or(0.0); }
  std::string operation_sentence() const {
    return fmt::format("{:.4g} billion {} a second are {} of the {:.4g} billion in {}",
                       share_of_operation() * r_.peak_operation_per_s->median / giga, bounding(r_.operation).plural,
                       percent(share_of_operation()), r_.peak_operation_per_s->median / giga, run_.precision);
  }

  void conclude(Bound bound, std::string why) {
    r_.bound = bound;
    r_.why = std::move(why);
  }

  const RunFigures& run_;
  const Peaks& peaks_;
  Side side_;
  Level level_;
  std::optional<Spread> peak_;
  RooflineAnalysis r_;
};

}  // namespace

std::string microseconds(double seconds) { return fmt::format("{:.3g} us", 1e6 * seconds); }

std::string to_string(Bound bound) {
  constexpr const char* words[] = {
      "memory", "cache",   "compute",         "divisions",         "roots", "wide-multiplications",
      "launch", "network", "synchronisation", "above-memory-roof", "code",  "unknown"};
  return words[static_cast<std::size_t>(bound)];
}

RooflineAnalysis analyse(const RunFigures& run, const Peaks* peaks) {
  if (peaks) return Analyst(run, *peaks).made();
  RooflineAnalysis none;
  none.why = "no peaks were measured";
  return none;
}

}  // namespace boltzmark
