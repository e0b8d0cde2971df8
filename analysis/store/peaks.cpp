#include "analysis/store/peaks.hpp"

#include <cmath>

#include "analysis/support/json.hpp"
#include "analysis/support/terminal.hpp"
#include "common/base/ranges.hpp"
#include "common/base/statistics.hpp"

namespace boltzmark {

void to_json(json& to, const Spread& spread) {
  to = {{"median", spread.median}, {"min", spread.minimum}, {"max", spread.maximum}};
}
void from_json(const json& from, Spread& spread) { spread = {from.at("median"), from.at("min"), from.at("max")}; }
BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(CacheLevel, name, bytes, instances, cores)
BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(BandwidthPeak, level, pattern, cores, gb_per_s, from_bytes, to_bytes, roof)
BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(LatencyPeak, level, nanoseconds, from_bytes, to_bytes)
BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(ComputePeak, precision, fma, cores, vector_bits, gflop_per_s, clock_ghz,
                                  expected_gflop_per_s, roof, operation)
BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(ProcessorPeaks, name, cores, sockets, cores_of_socket, numa_nodes, memory_bytes,
                                  caches, bandwidths, computes, latencies, notes)
BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(DevicePeaks, name, type, platform, driver, compute_units, memory_bytes, cache_bytes,
                                  local_bytes, bandwidths, computes, latencies, launch_seconds, wait_seconds,
                                  to_device_gb_per_s, from_device_gb_per_s, notes)
BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(SweepPoint, pattern, cores, working_set_bytes, gb_per_s)
BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(MessagePoint, place, way, pairs, bytes, seconds, least)
BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(MessageFit, place, way, pairs, from_bytes, to_bytes, latency_seconds, seconds_a_byte,
                                  residual)
BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(MessageRate, place, pairs, per_second)
BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(NetworkPeaks, ranks, hosts, library, messages, fits, rates, allreduce_seconds, notes)
BOLTZMARK_JSON_FIELDS_OR_DEFAULTS(Peaks, format, host, date, key, compiler, flags, revision, processor, devices, sweep,
                                  network)
Spread spread_of(const std::vector<double>& values) {
  const auto [least, most] = std::ranges::minmax_element(values);
  return {median(values), *least, *most};
}

Spread limit_of(double roof, double slow_share, const Spread& repetitions) {
  constexpr double near = 0.97;  // as confirmed_best()
  const double limit = roof > 0.0 ? roof : repetitions.median;
  return {limit, std::min(near, slow_share) * limit, std::max(limit, repetitions.maximum)};
}

namespace {

/// Levels from the fastest on, each with its capacity; the last holds everything.
using Levels = std::vector<std::pair<std::string, double>>;

std::vector<LevelShare> shares_in(const Levels& levels, double bytes) {
  constexpr double held_in_part = 2.0;
  double faster = 0.0;
  std::string faster_level;
  for (const auto& [level, capacity] : levels) {
    if (bytes <= capacity) {
      if (faster_level.empty() || bytes >= held_in_part * faster) return {{level, 1.0}};
      const double beyond = 1.0 - faster / bytes;
      return {{level, beyond}, {faster_level, 1.0 - beyond}};
    }
    faster = capacity;
    faster_level = level;
  }
  return {};
}

constexpr double unlimited = std::numeric_limits<double>::infinity();

/// Bytes that were copied at a rate nearer to this level's than to the slower one's; 0 if the sweep does not show it.
double held_in_sweep(const Peaks& peaks, const std::string& level, const std::string& slower, int cores,
                     double Spread::*moments) {
  const auto* const here = find_bandwidth(peaks.processor.bandwidths, level, "copy", cores);
  const auto* const there = find_bandwidth(peaks.processor.bandwidths, slower, "copy", cores);
  if (!here || !there) return 0.0;
  const double between = std::sqrt(here->gb_per_s.median * there->gb_per_s.median);
  std::map<std::int64_t, double> curve;
  for (const SweepPoint& point : peaks.sweep)
    if (point.pattern == "copy" && point.cores == cores && point.working_set_bytes >= here->from_bytes)
      curve[point.working_set_bytes] = point.gb_per_s.*moments;
  double held = 0.0;
  for (const auto& [bytes, rate] : curve) {
    if (rate < between) break;
    held = static_cast<double>(bytes);
  }
  return held;
}

}  // namespace

std::vector<LevelShare> level_shares(const Peaks& peaks, int workers, double bytes, bool in_best_moments) {
  const ProcessorPeaks& processor = peaks.processor;
  const auto moments = in_best_moments ? &Spread::maximum : &Spread::median;
  Levels levels;
  for (auto cache = processor.caches.begin(); cache != processor.caches.end(); ++cache) {
    const std::string slower = cache + 1 == processor.caches.end() ? "DRAM" : (cache + 1)->name;
    const auto held = [&](int cores) { return held_in_sweep(peaks, cache->name, slower, cores, moments); };
    const double of_all = held(processor.cores), of_one = workers * held(1);
    const double seen = of_all > 0.0 && of_one > 0.0 ? std::min(of_all, of_one) : std::max(of_all, of_one);
    levels.emplace_back(cache->name, seen > 0.0 ? seen : static_cast<double>(cache->capacity(workers)));
  }
  levels.emplace_back("DRAM", unlimited);
  return shares_in(levels, bytes);
}

std::vector<LevelShare> level_shares(const DevicePeaks& device, double bytes) {
  Levels levels;
  // Drivers report caches of another level, or none: the largest arrays that a copy or a triad moves at the cache's rate
  // show its capacity. An H200 does the best copies in 16 MiB, and triads in 45 of its 60.
  std::int64_t held = 0;
  for (const char* const pattern : {"copy", "triad"})
    if (const BandwidthPeak* const peak = find_bandwidth(device.bandwidths, "cache", pattern, 0))
      held = std::max({held, peak->to_bytes, device.cache_bytes});
  if (held > 0) levels.emplace_back("cache", static_cast<double>(held));
  levels.emplace_back("memory", unlimited);
  return shares_in(levels, bytes);
}

namespace {

/// Arrays: counted by STREAM, written, and of these the ones whose lines a plain store fetches first.
struct Pattern {
  const char* name;
  double counted, written, fetched;

  double moved(bool write_allocate) const { return counted + (write_allocate ? fetched : 0.0); }
};
constexpr Pattern patterns[] = {{"read", 1, 0, 0}, {"triad", 3, 1, 1}, {"copy", 2, 1, 1}, {"update", 2, 1, 0}};
constexpr double alike = 0.125;  // shares that are written: half of the largest step between patterns, with fetches

const Pattern& moving(const std::string& name) {
  const Pattern* const found = find_by(patterns, name, &Pattern::name);
  return found ? *found : patterns[0];
}

}  // namespace

double moved_factor(const std::string& pattern, bool write_allocate) {
  return moving(pattern).moved(write_allocate) / moving(pattern).counted;
}

std::optional<LevelRoof> level_roof(const std::vector<BandwidthPeak>& peaks, const std::string& level, int cores,
                                    bool write_allocate, std::optional<double> written) {
  const auto fits = [&](const BandwidthPeak& peak) {
    const Pattern& of = moving(peak.pattern);
    return peak.level == level && peak.cores == cores &&
           (!written || std::abs(of.written / of.moved(write_allocate) - *written) <= alike);
  };
  if (std::ranges::none_of(peaks, fits)) written.reset();
  std::optional<LevelRoof> best;
  double most = 0.0;
  for (const BandwidthPeak& peak : peaks) {
    if (!fits(peak)) continue;
    const double factor = moved_factor(peak.pattern, write_allocate);
    const Spread limit = peak.limit(), moved = {factor * limit.median, factor * limit.minimum, factor * limit.maximum};
    most = std::max(most, moved.maximum);
    if (!best || moved.median > best->rate.median) best = {moved, peak.pattern};
  }
  if (best) best->rate.maximum = most;
  return best;
}

Peaks peaks_from_json(const nlohmann::json& as_written, const std::string& file) {
  const nlohmann::json value = without_controls(as_written);
  if (value.is_object() && value.contains("format") && value["format"] != peaks_format)
    fail_in_json(file, "format", fmt::format("version {} of peaks.json", peaks_format), json_line(value["format"]));
  Peaks example;
  DevicePeaks& device = example.devices.emplace_back();
  example.sweep.emplace_back();
  example.processor.caches.emplace_back();
  for (auto* const bandwidths : {&example.processor.bandwidths, &device.bandwidths}) bandwidths->emplace_back();
  for (auto* const computes : {&example.processor.computes, &device.computes}) computes->emplace_back();
  for (auto* const latencies : {&example.processor.latencies, &device.latencies}) latencies->emplace_back();
  for (auto* const notes : {&example.processor.notes, &device.notes, &example.network.notes}) notes->emplace_back();
  example.network.messages.emplace_back();
  example.network.fits.emplace_back();
  example.network.rates.emplace_back();
  // Older files do not have these.
  expect_form(value,
              form::like(example, {"sockets", "cores_of_socket", "numa_nodes", "latencies", "roof", "operation",
                                   "network", "wait_seconds"}),
              file);
  return value.get<Peaks>();
}

std::string roof_name(const std::string& level_or_precision, int cores) {
  return fmt::format("{} on {}", level_or_precision, counted(cores, "core"));
}

void judge_roofs(const std::vector<Roofs>& moments, Peaks& peaks, bool after_stream) {
  std::map<std::string, std::vector<double>> probed;
  for (const Roofs& roofs : std::set(moments.begin(), moments.end()))
    for (const auto& [name, roof] : roofs) probed[name].push_back(roof);
  ProcessorPeaks& processor = peaks.processor;
  // Peaks of one name slow down together; `is_probed` chooses the one that the probes repeat.
  const auto judge = [&](auto& all, const auto& name_of, const auto& is_probed, double factor, const char* unit) {
    std::string words;
    std::pair noisiest{0, 0.0};  // with the most cores, which plots show
    for (auto& probe : all) {
      const auto found = probed.find(name_of(probe));
      if (found == probed.end() || !is_probed(probe)) continue;
      std::vector<double>& samples = found->second;
      raise(probe, confirmed_best(samples));
      if (samples.size() < 2) continue;
      std::ranges::sort(samples);
      const double slow = samples[(samples.size() - 1) / 4];
      const double most = probe.limit().median, least = std::min(most, slow);
      // STREAM is not the probes' code: if these agree, it may just be faster.
      if (after_stream && !is_noisy({samples.back(), slow, samples.back()})) continue;
      for (auto& peak : all)
        if (name_of(peak) == found->first) peak.slow_share = least / most;
      const std::pair noise{probe.cores, 1.0 - least / most};
      if (!is_noisy(probe.limit()) || noise <= noisiest) continue;
      noisiest = noise;
      const auto near = [&samples](double end) {
        return std::ranges::count_if(samples, [end](double one) { return std::abs(one - end) <= 0.1 * end; });
      };
      words = fmt::format("{} {} to {} {} (of {} probes {} near the one, {} near the other)", found->first,
                          significant(factor * least, 3), significant(factor * most, 3), unit, samples.size(),
                          near(least), near(most));
    }
    return words;
  };
  const auto of_level = [](const BandwidthPeak& peak) { return roof_name(peak.level, peak.cores); };
  const auto of_precision = [](const ComputePeak& peak) { return roof_name(peak.precision, peak.cores); };
  const auto is_copy = [](const BandwidthPeak& peak) { return peak.pattern == "copy"; };
  const auto is_fastest = [&](const ComputePeak& peak) {
    return &peak == find_fastest(processor.computes, peak.precision, peak.cores);
  };
  std::vector<std::string> words = {judge(processor.bandwidths, of_level, is_copy, moved_factor("copy", true), "GB/s"),
                                    judge(processor.computes, of_precision, is_fastest, 1.0, "GFLOP/s")};
  std::erase(words, "");
  if (words.empty()) return;
  processor.noise = join(words, "; ");
  std::erase_if(processor.notes, [](const std::string& note) { return note.starts_with("noisy roofs: "); });
  add_once(processor.notes, "noisy roofs: " + processor.noise);  // shared results have it
}

namespace {

/// From the fastest to the slowest; 0 of one that is not compared.
int rank_of(const std::string& level) {
  if (level == "local") return 0;
  return level == "DRAM" || level == "memory" ? 99 : level.starts_with('L') ? level.back() - '0' : 1;
}

/// Whether the one can be no slower than the other.
bool is_above(const BandwidthPeak& one, const BandwidthPeak& other) {
  const int here = rank_of(one.level), there = rank_of(other.level);
  if (one.pattern != other.pattern || here == 0 || there == 0) return false;
  return one.cores == other.cores ? here < there : here == there && one.cores > other.cores;
}
/// In one respect alone. Of vectors only beside the narrowest: the widest can lower the clock.
bool is_above(const ComputePeak& one, const ComputePeak& other) {
  const int differing = (one.precision != other.precision) + (one.fma != other.fma) + (one.cores != other.cores) +
                        (one.vector_bits != other.vector_bits);
  if (one.operation != other.operation || differing != 1) return false;
  return (one.precision == "f32" && other.precision == "f64") || one.fma > other.fma || one.cores > other.cores ||
         (one.vector_bits > other.vector_bits && other.vector_bits <= 128);
}

std::string words_of(const std::string& name, int cores, double rate, const char* unit) {
  return fmt::format("{} ({} {})", cores > 0 ? roof_name(name, cores) : name, significant(rate, 3), unit);
}
std::string words_of(const BandwidthPeak& peak) {
  return words_of(peak.level + ' ' + peak.pattern, peak.cores, peak.limit().median, "GB/s");
}
std::string words_of(const ComputePeak& peak) {
  const std::string kind = peak.is_of_flops() ? peak.fma ? " FMA" : " without FMA" : ' ' + peak.operation;
  const std::string bits = peak.vector_bits > 0 ? fmt::format(", {} bits", peak.vector_bits) : "";
  return words_of(peak.precision + kind + bits, peak.cores, peak.limit().median,
                  peak.is_of_flops() ? "GFLOP/s" : "1e9/s");
}

/// Each peak beside the highest of those that it cannot be below.
void reconcile_all(auto& peaks, std::vector<std::string>& lines) {
  const auto measured = peaks;
  for (std::size_t i = 0; i < peaks.size(); ++i) {
    const auto highest_below = [&](double Spread::*end) {
      return find_highest(
          measured, [&](const auto& one) { return is_above(measured[i], one); },
          [end](const auto& one) { return one.limit().*end; });
    };
    const auto* const below = highest_below(&Spread::median);
    if (!below) continue;
    const double own = measured[i].limit().median, least = below->limit().median;
    if (own >= noisy_roof * least) {  // nor is it slower than the other in slow moments
      const double slow = highest_below(&Spread::minimum)->limit().minimum / own;
      peaks[i].slow_share = std::max(peaks[i].slow_share, std::min(1.0, slow));
      continue;
    }
    lines.push_back(words_of(measured[i]) + " is below " + words_of(*below));
    peaks[i].slow_share *= own / least;
    peaks[i].roof = least;
  }
}

}  // namespace

std::vector<std::string> reconcile(Peaks& peaks) {
  std::vector<std::string> all;
  const auto side = [&](auto& one, const std::string& name) {
    std::vector<std::string> lines;
    reconcile_all(one.bandwidths, lines);
    reconcile_all(one.computes, lines);
    for (const std::string& line : lines) {
      add_once(one.notes, "contradiction: " + line);
      all.push_back(name + line);
    }
  };
  side(peaks.processor, "");
  for (DevicePeaks& device : peaks.devices) side(device, device.name + ": ");
  std::string& noise = peaks.processor.noise;
  if (!all.empty()) noise += (noise.empty() ? "" : "; ") + all.front();
  if (all.size() > 1) noise += fmt::format(" ({} more such in the notes of peaks.csv)", all.size() - 1);
  return all;
}

Peaks read_peaks(const fs::path& file) { return peaks_from_json(load_json(file), file.string()); }

const BandwidthPeak* find_bandwidth(const std::vector<BandwidthPeak>& peaks, const std::string& level,
                                    const std::string& pattern, int cores) {
  return find_where(peaks, [&](const BandwidthPeak& peak) {
    return peak.level == level && peak.pattern == pattern && peak.cores == cores;
  });
}

const ComputePeak* find_fastest(const std::vector<ComputePeak>& peaks, const std::string& precision, int cores,
                                const std::string& operation) {
  const auto fits = [&](const ComputePeak& peak) {
    return peak.operation == operation && peak.precision == precision && peak.cores == cores;
  };
  return find_highest(peaks, fits, [](const ComputePeak& peak) { return peak.limit().median; });
}

std::string precision_of(const std::string& operation, const std::string& precision) {
  return operation == operation::wide_multiplication ? "u32" : precision;
}

const ComputePeak* find_compute(const std::vector<ComputePeak>& peaks, const std::string& precision, bool fma,
                                int cores) {
  const auto fits = [&](const ComputePeak& peak) {
    return peak.is_of_flops() && peak.precision == precision && peak.fma == fma && peak.cores == cores;
  };
  return find_highest(peaks, fits, &ComputePeak::vector_bits);
}

const DevicePeaks* find_device(const Peaks& peaks, const std::string& name) {
  return find_by(peaks.devices, name, &DevicePeaks::name);
}

}  // namespace boltzmark
