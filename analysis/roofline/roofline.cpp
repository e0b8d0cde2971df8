#include "analysis/roofline/roofline.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "common/base/ranges.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

/// Larger than any error of both measurements.
constexpr double beyond_all_roofs = 10.0;
constexpr double giga = 1e9;
constexpr const char* launches = "launches";
/// The roof of work that is known in seconds.
constexpr Spread seconds_a_second = {1.0, 1.0, 1.0};

/// The bandwidths and rates of arithmetic relevant to a run: its processor's, or its device's.
struct Side {
  const std::vector<BandwidthPeak>* bandwidths = nullptr;
  const std::vector<ComputePeak>* computes = nullptr;
  const DevicePeaks* device = nullptr;
  int all = 0;      ///< workers of the figures for the whole: the cores, 0 for a device
  int workers = 0;  ///< of the run, at most all; 0 for a device
};

/// A roof, and the highest figure of any repetition: peaks of a busy machine can be a thousandth of its real ones.
struct Roof {
  Spread rate;
  double most = 0.0;
  std::string of = "";         ///< the kernel that has it, and on how many cores: "copy", "copy on 1 core"
  bool of_more_cores = false;  ///< than the run had: no bound, but no run exceeds it
};

/// A roof for so many workers: measured for one and for all, and between those at most proportional to one; where one was
/// not measured, that of all. All can do at least what one can; where other work was on the machine only one may have
/// been undisturbed.
template <class Find>
std::optional<Roof> roof_for(const Side& side, const Find& find_on) {
  const std::optional<LevelRoof> whole = find_on(side.all), one = find_on(1);
  const bool is_part = side.workers != side.all;
  if (!whole && !(is_part && one)) return {};
  if (is_part && !one)
    return Roof{whole->rate, whole->rate.maximum, fmt::format("{} on {}", whole->pattern, counted(side.all, "core")),
                true};
  const double n = side.workers;
  const Spread many = one ? Spread{n * one->rate.median, n * one->rate.minimum, n * one->rate.maximum} : whole->rate,
               all = whole ? whole->rate : many;
  Spread rate = is_part && many.median <= all.median ? many : all;
  if (one && one->rate.median > rate.median) rate = one->rate;
  return Roof{rate, std::max(all.maximum, many.maximum),
              is_part ? fmt::format("{} on {}", one->pattern, counted(side.workers, "core")) : whole->pattern};
}

struct NamedOperation {
  const char *name, *plural;
};
constexpr NamedOperation named_operations[] = {{operation::division, "divisions"},
                                               {operation::root, "roots"},
                                               {operation::wide_multiplication, "wide multiplications"}};

std::string whole_percent(double fraction) { return fmt::format("{:.0f} %", 100.0 * fraction); }

/// The device of that name. The OpenMP runtime does not name devices, so a single device of the type is assumed.
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
    if (!side_.device && run_.device_type != "cpu") return without("no peaks of this device");
    if (run_.memory == "host") return without("arrays on the host (no roof)");
    choose_side();
    add_memory();
    add_arithmetic();
    add_launches();
    if (run_.network_seconds) add("messages", *run_.network_seconds, {seconds_a_second}, "messages (network fits)");
    std::ranges::stable_sort(r_.limits, std::greater(), &Limit::seconds);
    if (!run_.has_traffic) {
      r_.limits.clear();
      return without("traffic not recorded");
    }
    judge();
    return r_;
  }

 private:
  RooflineAnalysis without(const char* why) {
    r_.verdict = r_.kind = why;
    return r_;
  }

  void choose_side() {
    const ProcessorPeaks& processor = peaks_.processor;
    side_.bandwidths = side_.device ? &side_.device->bandwidths : &processor.bandwidths;
    side_.computes = side_.device ? &side_.device->computes : &processor.computes;
    r_.peaks_of = side_.device ? side_.device->name : "processor";
    if (side_.device) return;
    side_.all = processor.cores;
    side_.workers = run_.workers > 0 ? std::min(run_.workers, processor.cores) : processor.cores;
  }

  void add(const std::string& name, double work, const Roof& roof, const std::string& words) {
    const double seconds = work / roof.rate.median;
    if (!(seconds > 0.0) || !std::isfinite(seconds)) return;
    if (work > beyond_all_roofs * run_.seconds * roof.most && roof.most > 0.0 && seconds > impossible_seconds_) {
      impossible_seconds_ = seconds;
      r_.impossible = fmt::format("{} take {:.3g} s, but the run took {:.3g} s: it cannot have done all its work",
                                  words, seconds, run_.seconds);
    }
    if (roof.of_more_cores) return;
    const bool noisy = is_noisy(roof.rate);
    if (noisy) r_.noise = peaks_.processor.noise;
    if (noisy && name != launches) r_.swing = std::max(r_.swing, roof.rate.median / roof.rate.minimum);
    r_.limits.push_back({name, seconds, noisy ? work / roof.rate.minimum : seconds, words});
  }

  /// Bytes through a level, and the roof of it.
  struct Crossing {
    std::string level;
    double per_update = 0.0, bytes = 0.0;
    Roof roof;
    double seconds = 0.0;
  };

  /// By the sets that the run holds.
  std::vector<Crossing> crossings(bool in_best_moments) const {
    ByName<double> crossing;
    for (const WorkingSet& set : run_.traffic) {
      if (set.on_chip) continue;
      for (const LevelShare& part : levels_of(set.bytes, in_best_moments))
        crossing[part.level] += part.share * set.per_update;
    }
    std::vector<Crossing> all;
    for (const auto& [level, per_update] : crossing) {
      const auto roof_of = [&](std::optional<double> written) {
        return roof_for(side_, [&](int cores) {
          return level_roof(*side_.bandwidths, level, cores, side_.device == nullptr, written);
        });
      };
      const double bytes = per_update * run_.updates;
      auto roof = roof_of(run_.written);
      // Similar patterns were measured in a slow moment: if the run is faster than these, it is compared with all
      // patterns.
      if (roof && bytes / giga / roof->rate.median > most_share * run_.seconds) roof = roof_of({});
      if (roof) all.push_back({level, per_update, bytes, *roof, bytes / giga / roof->rate.median});
    }
    return all;
  }

  void add_memory() {
    auto all = crossings(false);
    // Faster than memory: the neighbours left it more of a shared cache than they left most of the sweep.
    const auto is_too_slow = [&](const Crossing& one) { return one.seconds > most_share * run_.seconds; };
    if (std::ranges::any_of(all, is_too_slow)) all = crossings(true);
    double longest = 0.0;
    for (const auto& [level, per_update, bytes, roof, seconds] : all) {
      add(level, bytes / giga, roof,
          fmt::format("{:.4g} GB through {} at {:.4g} GB/s ({})", bytes / giga, level, roof.rate.median, roof.of));
      if (!run_.has_traffic || seconds <= longest || roof.of_more_cores) continue;
      longest = seconds;
      r_.level = level;
      r_.level_bytes_per_update = per_update;
      r_.level_gb_per_s = bytes / giga / run_.seconds;
      r_.roof_gb_per_s = roof.rate;
      r_.roof_of = roof.of;
      r_.flop_per_byte = run_.flops / bytes;
    }
  }

  std::vector<LevelShare> levels_of(double bytes, bool in_best_moments) const {
    if (side_.device) return level_shares(*side_.device, bytes);
    return level_shares(peaks_, side_.workers, bytes, in_best_moments);
  }

  void add_arithmetic() {
    const bool on_tensor_cores = !run_.tensor_cores.empty();
    const std::string& format = on_tensor_cores ? run_.tensor_cores : run_.precision;
    const auto peak = rate_of(on_tensor_cores ? operation::tensor : operation::multiply_add, format);
    if (peak) {
      const std::string where = format + (on_tensor_cores ? " on tensor cores" : "");
      add_rate(on_tensor_cores ? "tensor cores" : "arithmetic", run_.flops, *peak, "GFLOP in " + where, "GFLOP/s");
    }
    if (peak && !peak->of_more_cores) {
      r_.peak_of = format + (on_tensor_cores ? " on tensor cores" : "") + peak->of;
      r_.peak_gflop_per_s = peak->rate.median;
      r_.share_of_peak = run_.flops / giga / run_.seconds / peak->rate.median;
      if (r_.roof_gb_per_s) r_.ridge_flop_per_byte = peak->rate.median / r_.roof_gb_per_s->median;
    }
    for (const NamedOperation& of : named_operations)
      if (const auto number = run_.operations.find(of.name); number != run_.operations.end())
        if (const auto most = rate_of(of.name, precision_of(of.name, run_.precision)))
          add_rate(of.plural, number->second, *most, fmt::format("billion {}", of.plural), "a nanosecond");
  }

  /// In 1e9 a second.
  std::optional<Roof> rate_of(const std::string& operation, const std::string& precision) const {
    return roof_for(side_, [&](int cores) {
      const ComputePeak* const peak = find_fastest(*side_.computes, precision, cores, operation);
      return peak ? std::optional(LevelRoof{peak->limit(), ""}) : std::nullopt;
    });
  }

  void add_rate(const std::string& name, double number, const Roof& roof, const std::string& what, const char* unit) {
    add(name, number / giga, roof, fmt::format("{:.4g} {} at {:.4g} {}", number / giga, what, roof.rate.median, unit));
  }

  /// A launch followed by a wait takes longer than one among many. For each the shortest measured one counts: the run's
  /// own, or of peaks, with the median at the other end of the interval.
  void add_launches() {
    const Calls& calls = run_.calls;
    const DevicePeaks* const device = side_.device ? side_.device : find_device(peaks_, run_.device);
    const bool is_own = calls.wait_seconds > 0.0;
    if (calls.launches == 0 || !(is_own || (device && run_.is_opencl))) return;
    const auto awaited = static_cast<double>(std::min(calls.launches, calls.waits)),
               others = static_cast<double>(calls.launches) - awaited;
    const auto own = [](double seconds) { return Spread{seconds, seconds, seconds}; };
    const Spread start = is_own ? own(calls.launch_seconds) : device->launch_seconds,
                 wait = is_own ? own(calls.wait_seconds) : device->wait_seconds;
    const auto seconds = [&](double Spread::*of) {
      return awaited * std::max(wait.*of, start.*of) + others * start.*of;
    };
    const double least = seconds(&Spread::minimum);
    add(launches, least, {{1.0, least / seconds(&Spread::median), 1.0}},
        fmt::format("{} launches of {} to {} and {} waits", calls.launches, microseconds(start.minimum),
                    microseconds(start.median), calls.waits));
  }

  bool has_untimed_launches() const {
    return (side_.device || run_.calls.launches > 0) && !find_by(r_.limits, launches, &Limit::name);
  }

  void judge() {
    if (r_.limits.empty()) {
      without("no roof measured");
      return;
    }
    // Under an unsteady roof more than one limit can be the longest.
    const double enough = least_share * (run_.least_seconds > 0.0 ? run_.least_seconds : run_.seconds);
    std::vector<Limit> bounds = r_.limits;
    const auto fits = [&](const Limit& one) { return one.most >= std::max(enough, r_.limits.front().seconds); };
    r_.is_far = std::ranges::none_of(bounds, fits);
    if (r_.is_far)
      bounds.resize(1);
    else
      std::erase_if(bounds, std::not_fn(fits));
    const Limit& longest = bounds.front();
    const double most_seconds = std::ranges::max(each(bounds, &Limit::most)), share = longest.seconds / run_.seconds,
                 most = most_seconds / run_.seconds;
    r_.bound = joined(bounds, " or ", &Limit::name);
    std::string shares = whole_percent(share);
    if (most_seconds > longest.seconds && share < 1.0) {
      r_.share_most = most;
      const std::string end = most < 1.005 ? whole_percent(most) : ">100 %";
      if (end != shares) shares = fmt::format("{:.0f} to {}", 100.0 * share, end);
    }
    if (longest.seconds < enough && most_seconds >= run_.seconds) {
      r_.kind = "undecided";
      r_.verdict = fmt::format("undecided: {} unsteady ({})", std::exchange(r_.bound, ""), shares);
      r_.share_most.reset();
      return;
    }
    r_.share = share;
    r_.kind = !r_.is_far               ? r_.bound
              : has_untimed_launches() ? "latency or code (launches not timed)"
                                       : "latency or code";
    r_.verdict = fmt::format("{}, {}{}", r_.kind, shares, r_.is_far ? " of " + r_.bound : "");
    if (share <= most_share) return;
    r_.defect = fmt::format("{} take {:.4g} s, {} of the {:.4g} s measured: the count or the roof is wrong",
                            longest.words, longest.seconds, whole_percent(share), run_.seconds);
    r_.kind = "count or roof wrong";
    r_.verdict += ": " + r_.kind;
  }

  const RunFigures& run_;
  const Peaks& peaks_;
  Side side_;
  RooflineAnalysis r_;
  double impossible_seconds_ = 0.0;  ///< of what r_.impossible names: the longest such time
};

}  // namespace

std::string microseconds(double seconds) { return fmt::format("{:.3g} us", 1e6 * seconds); }

RooflineAnalysis analyse(const RunFigures& run, const Peaks* peaks) {
  if (peaks) return Analyst(run, *peaks).made();
  RooflineAnalysis none;
  none.verdict = none.kind = "no peaks";
  return none;
}

}  // namespace boltzmark
