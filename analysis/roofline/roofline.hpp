// The hierarchical roofline: the least time that each limit of a machine lets a run take, and the share of the measured
// time that the largest of them explains. Knows runs by their figures only. Sources: S. Williams, A. Waterman and D.
// Patterson, "Roofline: an insightful visual performance model for multicore architectures", CACM 2009; C. Yang, T.
// Kurth and S. Williams, "Hierarchical Roofline analysis for GPUs", 2020.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/store/peaks.hpp"
#include "common/run/traffic.hpp"

namespace boltzmark {

/// What the roofline needs to know of a run, or of a part of one. All amounts are those of a repeat.
struct RunFigures {
  std::string precision;            ///< "f32" or "f64"
  std::string device, device_type;  ///< name, and "cpu", "gpu" or "accelerator"
  int workers = 0;                  ///< ranks x threads; 0 where the device decides
  double seconds = 0.0, updates = 0.0, flops = 0.0;
  Traffic traffic = {};                  ///< the least that it moves
  bool has_traffic = true;               ///< false: the record has none, and `traffic` is what no run could do without
  std::string tensor_cores = "";         ///< the format that they multiplied: their FLOPs are what it is held against
  std::string memory = "";               ///< "host": its device's arrays are there
  Operations operations = {};            ///< of those that have roofs of their own
  std::int64_t launches = 0, waits = 0;  ///< of a device's kernels, and of the host for them
  std::optional<double> network_seconds = {};  ///< of its ranks' messages by the network's fits, nothing beside them
};

/// The least time that the machine needs for one kind of the run's work.
struct Limit {
  std::string name;      ///< a level of memory, or an operation, "launches", "messages"
  double seconds = 0.0;  ///< work over its roof
  double least = 0.0;    ///< likewise over the highest that was ever measured for it
  std::string words;     ///< "4.8 GB in DRAM at 25.3 GB/s"
};

/// A run's place under its roofs. What the peaks do not have is absent, or "".
struct RooflineAnalysis {
  std::string peaks_of;                    ///< "processor", or the device
  std::vector<Limit> limits;               ///< from the longest time to the shortest
  std::string bound;                       ///< name of the first; "" where it is not known
  std::optional<double> share;             ///< of the measured time that the bound takes
  std::string level;                       ///< of memory: the one of these limits that takes longest
  double level_bytes_per_update = 0.0;     ///< that cross it, write-allocate included
  std::optional<double> level_gb_per_s;    ///< of these bytes
  std::optional<Spread> roof_gb_per_s;     ///< that level's roof, as many workers
  std::optional<double> flop_per_byte;     ///< of these bytes
  std::optional<double> peak_gflop_per_s;  ///< the fastest arithmetic in that precision, as many workers
  std::optional<double> share_of_peak;
  std::optional<double> ridge_flop_per_byte;  ///< where that roof meets that peak
  std::string verdict;                        ///< "L2, 91 %", or why there is none
  std::string defect;                         ///< where the share is above most_share: what was compared
  std::string impossible;  ///< where the run is more than ten times as fast as a limit lets it be: likewise
};

/// A larger share than the errors of measuring explain: the count of the bytes or the roof is wrong.
inline constexpr double most_share = 1.05;
/// Below this share of every limit latency, or the code itself, takes most of the time.
inline constexpr double least_share = 0.5;

/// "12.3 us".
std::string microseconds(double seconds);

/// `peaks` may be nullptr.
RooflineAnalysis analyse(const RunFigures& run, const Peaks* peaks);

}  // namespace boltzmark
