// Computes peaks from the results of the measuring programs: Google Benchmark's JSON, in which a benchmark's name
// describes it. Bandwidths are plateaus of a sweep of working sets, by the rule in docs/method/peaks.md.
#pragma once

#include "analysis/store/peaks.hpp"

namespace boltzmark {

/// One benchmark with its repetitions. Missing rates are empty.
struct Sample {
  std::string name;                           ///< as it was registered
  std::string kind;                           ///< first part of its name: "bandwidth"
  std::map<std::string, std::string> labels;  ///< the parts that are KEY:VALUE: "pattern" -> "read"
  std::vector<double> bytes_per_second;
  std::vector<double> items_per_second;           ///< FLOPs or kernel launches
  std::vector<double> clock_hz, items_per_cycle;  ///< the second: of each repetition's fastest batch
  std::vector<double> visible_seconds;            ///< of an exchange, beside work that hides the rest
  std::string error;                              ///< why it could not be measured, "" when it was
  bool is_rough = false;                          ///< measured in a few short repetitions (`boltzmark peaks --brief`)

  const std::string& label(const std::string& key) const;  ///< throws Error (bad_input) without it
  long number(const std::string& key) const;               ///< a label that is a whole number; throws too
};

/// A benchmark of that name, with nothing measured.
Sample named_benchmark(const std::string& name);

/// "bandwidth/pattern:read/cores:1" for ("bandwidth", {{"pattern", "read"}, {"cores", "1"}}).
std::string benchmark_name(const std::string& kind, const std::vector<std::pair<std::string, std::string>>& labels);

/// The same for the processor's.
std::string bandwidth_name(const std::string& pattern, int cores, std::int64_t bytes);
std::string compute_name(const std::string& precision, bool fma, int vector_bits, int cores,
                         const std::string& operation = operation::multiply_add);
/// The option that limits a measuring program to these.
std::string benchmark_filter(const std::vector<std::string>& names);

/// The benchmarks of a file in its order, each with all its repetitions, without means and similar entries. Throws
/// Error (bad_input) with file and place if it is not a complete file of this kind.
std::vector<Sample> read_samples(const fs::path& file);

/// Working sets, all cores together, that a level serves. Empty when from_bytes > to_bytes.
struct LevelRange {
  std::string level;
  std::int64_t from_bytes = 0, to_bytes = 0;
  bool contains(std::int64_t bytes) const { return bytes >= from_bytes && bytes <= to_bytes; }
};

/// For each cache from twice the capacity of the one below to half of its own, for the first one from a quarter to
/// three quarters of its own; then DRAM from four times the last cache on, and from 128 MiB at least: a virtual machine
/// may hide caches. Capacities are those that `cores` cores reach together.
std::vector<LevelRange> level_ranges(const std::vector<CacheLevel>& caches, int cores);

/// Working sets to try: from an eighth of the first cache, or 4 KiB a core without one, in steps of the square root of
/// two to the first at or above six times the last cache and 192 MiB. A level whose range has fewer than two of them
/// gets two more between its ends. None is above a quarter of `memory_bytes` (0: unknown).
std::vector<std::int64_t> sweep_sizes(const std::vector<CacheLevel>& caches, int cores, std::int64_t memory_bytes);

/// A point of a sweep with the repetitions behind it.
struct MeasuredPoint {
  std::string pattern;
  int cores = 0;
  std::int64_t working_set_bytes = 0;
  std::vector<double> gb_per_s;
};

/// For every level, pattern and number of cores: as roof the confirmed_best() of all repetitions of the points in the
/// level's range, and the median of these points' medians. A level with fewer than two points has a note instead.
std::vector<BandwidthPeak> pick_plateaus(const std::vector<MeasuredPoint>& sweep, const std::vector<CacheLevel>& caches,
                                         std::vector<std::string>& notes);

/// The same for an OpenCL device, whose caches are not known well enough. "memory": the points from half of
/// the largest working set on. "cache": of all runs of three neighbouring points below an eighth of it, the
/// one whose slowest point is fastest, if that is at least one and a half times as fast as memory.
std::vector<BandwidthPeak> pick_device_plateaus(const std::vector<MeasuredPoint>& sweep,
                                                std::vector<std::string>& notes);

/// Each fills in figures and notes; cores, caches, devices and ranks are set already. Throws Error (bad_input) for a
/// benchmark whose name is not complete, and for a number that no device has.
void add_processor_figures(const std::vector<Sample>& samples, Peaks& peaks);
void add_device_figures(const std::vector<Sample>& samples, Peaks& peaks);
void add_network_figures(const std::vector<Sample>& samples, Peaks& peaks);

/// Names of the FLOP rates below nine tenths of the rate that clock and units allow.
std::vector<std::string> disturbed_benchmarks(const ProcessorPeaks& processor);
/// Of these, what the figures that are too low beside others are made from (reconcile()).
std::vector<std::string> contradictory_benchmarks(const std::vector<Sample>& samples, Peaks peaks);

/// Vector instructions that a core starts in a cycle when nothing holds it up: the measured number rounded to
/// a whole one, or a half when it is below three quarters.
double units_from(double instructions_per_cycle);

}  // namespace boltzmark
