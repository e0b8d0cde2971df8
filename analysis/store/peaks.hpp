// A machine's measured bandwidths, FLOP rates and latencies, and their file peaks.json (docs/method/peaks.md).
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "common/run/json_fields.hpp"
#include "common/run/traffic.hpp"

namespace boltzmark {

namespace fs = std::filesystem;

inline constexpr int peaks_format = 1;  ///< of peaks.json

/// A figure over its repetitions.
struct Spread {
  double median = 0.0, minimum = 0.0, maximum = 0.0;
};
BOLTZMARK_JSON(Spread)

/// For at least one value.
Spread spread_of(const std::vector<double>& values);

/// A roof (for 0: the median), down to the value that confirms it, or to that part of it, and up to the best
/// repetition.
Spread limit_of(double roof, double slow_share, const Spread& repetitions);
/// A roof whose lower end is further below it is noisy.
inline constexpr double noisy_roof = 0.9;
inline bool is_noisy(const Spread& roof) { return roof.minimum < noisy_roof * roof.median; }

struct CacheLevel {
  std::string name;        ///< "L1", "L2", "L3"
  std::int64_t bytes = 0;  ///< of one instance (data or unified)
  int instances = 0;       ///< how many of them the usable cores reach
  int cores = 0;           ///< usable cores that share one instance
  /// Bytes that this many cores reach, filling one instance after another; at most 64 MiB each: a virtual machine with
  /// two processors reports the 480 MiB that a hundred share.
  std::int64_t capacity(int of_cores) const {
    constexpr std::int64_t most_of_core = std::int64_t{64} << 20;
    const int sharing = std::max(1, cores);
    return std::min(bytes * std::min(instances, (of_cores + sharing - 1) / sharing), most_of_core * of_cores);
  }
};
BOLTZMARK_JSON(CacheLevel)

/// Bandwidth of one level of a memory hierarchy.
struct BandwidthPeak {
  std::string level;    ///< "L1", "L2", "L3", "DRAM" of a processor; "memory", "cache", "local" of a device
  std::string pattern;  ///< "read", "copy", "triad" or "update" (in place)
  int cores = 0;        ///< cores at work; 0: the whole device
  Spread gb_per_s;      ///< bytes as STREAM counts them, 1e9 bytes per second
  std::int64_t from_bytes = 0, to_bytes = 0;  ///< working sets of the plateau, all cores together
  double roof = 0.0;  ///< confirmed_best() of the repetitions; in older files, and by default, their median

  double slow_share = 1.0;  ///< of the roof, at the slow moments of a session (judge_roofs()); not in the file

  /// Whether it is from working sets such as this one.
  bool has(const std::string& of_pattern, int on_cores, std::int64_t bytes) const {
    return pattern == of_pattern && cores == on_cores && from_bytes <= bytes && bytes <= to_bytes;
  }
  /// The roof between the ends of where it may be.
  Spread limit() const { return limit_of(roof, slow_share, gb_per_s); }
};
BOLTZMARK_JSON(BandwidthPeak)

/// Time from one load to the next, which depends on it.
struct LatencyPeak {
  std::string level;  ///< as for a bandwidth; on a device also "first cache"
  Spread nanoseconds;
  std::int64_t from_bytes = 0, to_bytes = 0;  ///< working sets
};
BOLTZMARK_JSON(LatencyPeak)

/// Rate of arithmetic on registers.
struct ComputePeak {
  std::string precision;  ///< "f32" or "f64"; wide multiplications: "u32"; tensor cores: also "tf32", "f16", "bf16"
  bool fma = false;       ///< fused multiply-adds (two FLOPs each), or separate multiplications and additions
  int cores = 0;          ///< cores at work; 0: the whole device
  int vector_bits = 0;    ///< width of the registers used; 0 if the device decides
  Spread gflop_per_s;     ///< 1e9 FLOPs per second; for other operations 1e9 of these
  std::optional<double> clock_ghz;             ///< measured under this load
  std::optional<double> expected_gflop_per_s;  ///< cores x clock x lanes x units x FLOPs per operation
  double roof = 0.0;                           ///< as for a bandwidth
  std::string operation = operation::multiply_add;
  double slow_share = 1.0;  ///< as of a bandwidth

  Spread limit() const { return limit_of(roof, slow_share, gflop_per_s); }
  bool is_of_flops() const { return operation == operation::multiply_add; }
};
BOLTZMARK_JSON(ComputePeak)

struct ProcessorPeaks {
  std::string name;
  int cores = 0;                         ///< physical cores that this process may use
  int sockets = 0, cores_of_socket = 0;  ///< with such cores; of the first one. 0 in older files
  int numa_nodes = 0;                    ///< likewise
  std::int64_t memory_bytes = 0;
  std::vector<CacheLevel> caches;  ///< from the smallest to the largest
  std::vector<BandwidthPeak> bandwidths;
  std::vector<ComputePeak> computes;
  std::vector<LatencyPeak> latencies;  ///< none in older files
  std::vector<std::string> notes;      ///< what could not be measured, and why; a line each
  std::string noise;                   ///< of a session (judge_roofs()); not in the file
};
BOLTZMARK_JSON(ProcessorPeaks)

/// An OpenCL device.
struct DevicePeaks {
  std::string name, type, platform, driver;
  int compute_units = 0;
  std::int64_t memory_bytes = 0, cache_bytes = 0, local_bytes = 0;
  std::vector<BandwidthPeak> bandwidths;
  std::vector<ComputePeak> computes;
  std::vector<LatencyPeak> latencies;  ///< none in older files
  Spread launch_seconds;               ///< of a small kernel in a sequence, start to start; zeros if not measured
  Spread wait_seconds;                 ///< of one small kernel and the host's wait for it; zeros in older files
  Spread to_device_gb_per_s, from_device_gb_per_s;  ///< zeros if not measured
  std::vector<std::string> notes;                   ///< what could not be measured, and why; a line each
};
BOLTZMARK_JSON(DevicePeaks)

/// A point of the working-set sweep in which the plateaus are found.
struct SweepPoint {
  std::string pattern;
  int cores = 0;
  std::int64_t working_set_bytes = 0;  ///< all arrays of all cores
  Spread gb_per_s;
};
BOLTZMARK_JSON(SweepPoint)

/// Time of an exchange of messages of one size between ranks.
struct MessagePoint {
  std::string place;       ///< of a pair: "socket" (the same), "sockets" (two of one node), "nodes" (two)
  std::string way;         ///< "one", "both", "halo", "behind", "polled": docs/method/peaks.md
  int pairs = 0;           ///< active at once
  std::int64_t bytes = 0;  ///< of a message
  Spread seconds;
  double least = 0.0;  ///< the shortest that others confirm (confirmed_best() of their rates); lines are fitted to it
};
BOLTZMARK_JSON(MessagePoint)

/// seconds = latency_seconds + bytes * seconds_a_byte, fitted to points between two sizes: libraries send long messages
/// in a different way from short ones, so there may be two lines.
struct MessageFit {
  std::string place, way;
  int pairs = 0;
  std::int64_t from_bytes = 0, to_bytes = 0;
  double latency_seconds = 0.0, seconds_a_byte = 0.0;
  double residual = 0.0;  ///< root mean square of the relative deviations

  double seconds(double bytes) const { return latency_seconds + bytes * seconds_a_byte; }
};
BOLTZMARK_JSON(MessageFit)

/// Rate of messages of 8 bytes that each pair sends in one direction.
struct MessageRate {
  std::string place;
  int pairs = 0;
  Spread per_second;
};
BOLTZMARK_JSON(MessageRate)

/// Between the ranks of a launcher.
struct NetworkPeaks {
  int ranks = 0, hosts = 0;  ///< 0: not measured
  std::string library;
  std::vector<MessagePoint> messages;
  std::vector<MessageFit> fits;
  std::vector<MessageRate> rates;
  Spread allreduce_seconds;  ///< of 8 bytes over all ranks
  std::vector<std::string> notes;
};
BOLTZMARK_JSON(NetworkPeaks)

struct Peaks {
  int format = peaks_format;
  std::string host, date;  ///< date: UTC, ISO 8601
  std::string key;         ///< of the machine and build for which they are valid
  std::string compiler, flags, revision;
  ProcessorPeaks processor;
  std::vector<DevicePeaks> devices;
  std::vector<SweepPoint> sweep;
  NetworkPeaks network;  ///< none in older files
};
BOLTZMARK_JSON(Peaks)

/// Roofs of the processor at one moment, measured by a short probe, by roof_name(): GB/s of a copy, GFLOP/s.
using Roofs = std::map<std::string, double>;
/// "DRAM on 2 cores", "f32 on 1 core".
std::string roof_name(const std::string& level_or_precision, int cores);
/// Raises a roof to this rate, except if it is far above every repetition: the peaks may have been measured in a slow
/// moment, but not in one as slow as that.
void raise(auto& peak, double rate) {
  constexpr double far = 4.0;
  const Spread limit = peak.limit();
  if (rate <= far * limit.maximum) peak.roof = std::max(limit.median, rate);
}
/// Takes the rates of probes at several moments: a roof is raised to the best rate that others confirm, and its lower
/// end is the lower quartile. ProcessorPeaks::noise names of the noisy ones on most cores the noisiest bandwidth and
/// arithmetic: "DRAM on 2 cores 64.5 to 135 GB/s (of 12 probes 5 near the one, 6 near the other)", in bytes that move.
/// Again `after_stream`, where right runs of STREAM have raised roofs.
void judge_roofs(const std::vector<Roofs>& moments, Peaks& peaks, bool after_stream = false);

/// Roofs that contradict each other by more than noise: a level below a slower one, more cores below fewer, fused
/// multiply-adds below separate ones, wider vectors below narrower ones, or single precision below double. What is too
/// low was disturbed: its roof becomes that of the other, and its lower end what was measured. A line each, "L2 copy on 4
/// cores (90.0 GB/s) is below DRAM copy on 4 cores (120 GB/s)", which is also a note; the first is in the processor's
/// noise. The lower ends of other roofs are raised to those that they cannot be below.
std::vector<std::string> reconcile(Peaks& peaks);

/// Throws Error (bad_input): "FILE: WHERE: expected ..., found ...".
Peaks peaks_from_json(const nlohmann::json& json, const std::string& file);
Peaks read_peaks(const fs::path& file);

/// Share of a data set's traffic that crosses a level of memory.
struct LevelShare {
  std::string level;
  double share = 1.0;
};
/// For data that a run of this many workers traverses repeatedly: all traffic crosses the smallest level that holds
/// them, or main memory. If data exceed a faster level by less than its size, at least the part that does not fit
/// crosses the slower one, and the rest the faster one. The sweep of working sets shows the capacity of a level: a
/// virtual machine's share of a cache differs from the size that the system reports, and changes with its neighbours:
/// in the best moments, those of each size's highest rate, a level holds most.
std::vector<LevelShare> level_shares(const Peaks& peaks, int workers, double bytes, bool in_best_moments = false);
std::vector<LevelShare> level_shares(const DevicePeaks& device, double bytes);

/// Bytes moved per byte of a pattern as STREAM counts them: a plain store fetches its line first.
double moved_factor(const std::string& pattern, bool write_allocate);
struct LevelRoof {
  Spread rate;          ///< in bytes moved
  std::string pattern;  ///< the fastest of those that count
};
/// The roof of a level on that many cores: the highest rate of its patterns; none if not measured. Where the share of
/// these bytes that a run writes is known: of the patterns that write about as large a share, if one was measured.
std::optional<LevelRoof> level_roof(const std::vector<BandwidthPeak>& peaks, const std::string& level, int cores,
                                    bool write_allocate, std::optional<double> written = {});

/// The precision of an operation's peaks for a run in this precision.
std::string precision_of(const std::string& operation, const std::string& precision);

// Peaks by their properties, nullptr if there is none.
const BandwidthPeak* find_bandwidth(const std::vector<BandwidthPeak>& peaks, const std::string& level,
                                    const std::string& pattern, int cores);
/// The highest rate of an operation, over all widths, with or without FMA.
const ComputePeak* find_fastest(const std::vector<ComputePeak>& peaks, const std::string& precision, int cores,
                                const std::string& operation = operation::multiply_add);
/// The FLOP rate with the widest vectors.
const ComputePeak* find_compute(const std::vector<ComputePeak>& peaks, const std::string& precision, bool fma,
                                int cores);
const DevicePeaks* find_device(const Peaks& peaks, const std::string& name);

}  // namespace boltzmark
