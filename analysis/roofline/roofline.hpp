// The roofline (Williams, Waterman and Patterson, "Roofline: an insightful visual performance model for
// multicore architectures", CACM 2009): sets what a run reached against what its machine can do, and says
// what limits it. Knows runs by their figures only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "analysis/store/peaks.hpp"

namespace boltzmark {

/// What the roofline needs to know of a run, or of a part of one.
struct RunFigures {
  std::string precision;            ///< "f32" or "f64"
  std::string device, device_type;  ///< name, and "cpu", "gpu" or "accelerator"
  int workers = 0;                  ///< ranks x threads; 0 where the device decides
  std::int64_t steps = 1, steps_per_launch = 1;
  double seconds = 0.0;     ///< of all steps
  double bytes_held = 0.0;  ///< of its data
  double gb_per_s = 0.0, gflop_per_s = 0.0;
  std::string tensor_cores = "";     ///< the format that they multiplied: their FLOPs are what it is held against
  std::string memory = "";           ///< "host": its device's arrays are there
  Operations operations_per_s = {};  ///< of those that have roofs of their own
  /// Seconds of one worker for the same work, where the run has several.
  std::optional<double> one_worker_seconds = {};
  /// Seconds that the messages of its ranks take by the network's fits, with nothing beside them.
  std::optional<double> network_seconds = {};
};

/// What limits a run.
enum class Bound {
  memory,     ///< the bandwidth of main or device memory
  cache,      ///< the bandwidth of the cache that holds the data
  compute,    ///< arithmetic
  divisions,  ///< the rate of an operation that has a roof of its own; likewise the next two
  roots,
  wide_multiplications,
  launch,             ///< the latency of starting kernels
  network,            ///< latency and bandwidth of messages between ranks
  synchronisation,    ///< waiting for one another, and work that is not divided
  above_memory_roof,  ///< faster than a copy in the level that holds the data
  code,               ///< none of the machine's limits is near: the program itself
  unknown,            ///< no peaks to tell, or roofs that are not known well enough
};
std::string to_string(Bound bound);

/// A run's place under its roof, and why. What the peaks do not have is none or "".
struct RooflineAnalysis {
  std::string peaks_of;                 ///< "processor", or the device
  std::string roof;                     ///< the level of memory that holds the data
  std::optional<Spread> roof_gb_per_s;  ///< its copy bandwidth for as many workers (BandwidthPeak::limit)
  std::optional<double> share_of_roof;  ///< of its median
  std::optional<double>
      peak_gflop_per_s;  ///< the fastest arithmetic in that precision, as many workers; of tensor cores theirs
  std::optional<double> share_of_peak;
  std::string operation;                       ///< of the run's the one that is nearest its own roof; "" of none
  std::optional<Spread> peak_operation_per_s;  ///< that roof: as many workers
  std::optional<double> share_of_operation;    ///< of its median
  std::optional<double> ridge_flop_per_byte;   ///< where that roof meets that peak
  /// The largest of these shares: of the lowest roof.
  std::optional<double> share_of_nearest() const {
    return std::max({share_of_roof, share_of_peak, share_of_operation});
  }
  Bound bound = Bound::unknown;
  std::string why;  ///< one sentence with the figures; of a verdict that holds anywhere in the roofs' intervals
  bool is_doubtful = false;  ///< above the roof, and nothing explains it
  /// Where it is more than ten times as fast as a roof lets it be: which figure and which roof. Of bytes those count
  /// that must pass its level of memory: all of its data once in every sweep of steps, or what it moves where that is
  /// less.
  std::string impossible;
};

/// "12.3 us".
std::string microseconds(double seconds);

/// `peaks` may be nullptr.
RooflineAnalysis analyse(const RunFigures& run, const Peaks* peaks);

}  // namespace boltzmark
