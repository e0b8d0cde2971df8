// The roofline (Williams, Waterman and Patterson, "Roofline: an insightful visual performance model for
// multicore architectures", CACM 2009): sets what a run reached against what its machine can do, and says
// what limits it. Knows runs only by their figures, so it is of use without the driver.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/roofline/peaks.hpp"

namespace boltzmark {

/// What the roofline needs to know of a run.
struct RunFigures {
  std::string model, variant, precision;  ///< precision: "f32" or "f64"
  std::string device, device_type;        ///< name, and "cpu", "gpu" or "accelerator"
  int workers = 0;                        ///< ranks x threads; 0 where the device decides
  std::int64_t cells = 0;                 ///< of the grid, obstacles too
  int steps = 0;
  int steps_a_launch = 1;             ///< time steps that one kernel does
  double seconds = 0.0;               ///< compute seconds
  double grid_bytes = 0.0;            ///< of all populations that the run keeps
  double bytes_per_update = 0.0;      ///< by the algorithm's own count
  double flops_per_update = 0.0;      ///< counted through the code
  double conventional_flops = 122.0;  ///< as published work counts them
};

/// The run's figures out of its record (common/RECORD.md), at this many compute seconds. Throws Error
/// (bad_input) "PLACE: FIELD: expected ..., found ...".
RunFigures figures_of(const nlohmann::json& record, double seconds, const std::string& place);

/// Where a run stands on the roofline, by one count of FLOPs.
struct RooflinePosition {
  double flops_per_update = 0.0;
  double flop_per_byte = 0.0;  ///< operational intensity
  double gflop_per_s = 0.0;
};

/// What limits a run.
enum class Bound {
  memory,             ///< the bandwidth of main or device memory
  cache,              ///< the bandwidth of the cache that holds the grid
  compute,            ///< arithmetic
  launch,             ///< the latency of starting kernels
  synchronisation,    ///< waiting for one another, and work that is not divided
  above_memory_roof,  ///< faster than the level that holds the grid allows: rows are used again while closer
  code,               ///< none of the machine's limits is near: the program itself
  unknown,            ///< no peaks to tell
};
std::string to_string(Bound bound);

/// Where a run stands, and why.
struct RooflineAnalysis {
  double gb_per_s = 0.0;          ///< effective: bytes_per_update x updates / seconds
  RooflinePosition counted;       ///< with the FLOPs really done
  RooflinePosition conventional;  ///< with the published count

  // The rest needs peaks; none or "" where they do not have it.
  std::string level;                                         ///< that holds the grid
  std::optional<double> level_gb_per_s, fraction_of_level;   ///< its copy bandwidth for as many workers
  std::optional<double> triad_gb_per_s, fraction_of_triad;   ///< STREAM
  std::optional<double> peak_gflop_per_s, fraction_of_peak;  ///< FMA, that precision, as many workers
  std::optional<double> ridge_flop_per_byte;                 ///< where that level's roof meets that peak
  Bound bound = Bound::unknown;
  std::string why;  ///< one sentence with the figures
};

/// What else was measured on the machine of a run.
struct RooflineContext {
  const Peaks* peaks = nullptr;               ///< nullptr: none
  std::optional<double> triad_gb_per_s = {};  ///< STREAM triad of the run's own model and workers
  /// Compute seconds of one worker for the same variant, grid and steps, where the run has several.
  std::optional<double> one_worker_seconds = {};
};

RooflineAnalysis analyse(const RunFigures& run, const RooflineContext& context);

/// A roof or ceiling as it is drawn.
struct Roof {
  std::string label;
  Spread gb_per_s;
};
struct Ceiling {
  std::string label;
  double gflop_per_s = 0.0;
};

/// The machine's side of a roofline plot.
struct RooflineChart {
  std::vector<Roof> roofs;        ///< from the fastest to the slowest level
  std::vector<Ceiling> ceilings;  ///< from the highest
  /// Where the slowest roof meets the highest ceiling, FLOP/byte; none without one of them.
  std::optional<double> ridge_flop_per_byte;
};

/// The processor's chart for its usable cores, or a device's.
RooflineChart processor_chart(const Peaks& peaks, const std::string& precision);
RooflineChart device_chart(const DevicePeaks& device, const std::string& precision);

}  // namespace boltzmark
