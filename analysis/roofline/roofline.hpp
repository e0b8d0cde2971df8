// The hierarchical roofline: the least time of a run under each limit of a machine, and the share of the measured time
// that the largest of them explains. Uses only the figures of runs. Sources: S. Williams, A. Waterman and D. Patterson,
// "Roofline: an insightful visual performance model for multicore architectures", CACM 2009; C. Yang, T. Kurth and S.
// Williams, "Hierarchical Roofline analysis for GPUs", 2020.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/store/peaks.hpp"
#include "common/run/calls.hpp"
#include "common/run/traffic.hpp"

namespace boltzmark {

/// Facts of a run, or of a part of one, for the roofline. All amounts are per repeat.
struct RunFigures {
  std::string precision;            ///< "f32" or "f64"
  std::string device, device_type;  ///< name, and "cpu", "gpu" or "accelerator"
  int workers = 0;                  ///< ranks x threads; 0 if the device decides
  double seconds = 0.0, updates = 0.0, flops = 0.0;
  double least_seconds = 0.0;          ///< lower end of the interval of these seconds; 0 if it has none
  Traffic traffic = {};                ///< its least traffic
  std::optional<double> written = {};  ///< share of those bytes that a processor writes, where it is known
  bool has_traffic = true;             ///< false: the record has none, and `traffic` is a lower bound for any run
  std::string tensor_cores = "";       ///< their format, whose FLOPs are the peak for the run
  std::string memory = "";             ///< "host" if its device's arrays are there
  bool is_opencl = true;               ///< peaks know the cost of launches in OpenCL alone
  Operations operations = {};          ///< of operations with separate roofs
  Calls calls = {};                    ///< launches of a device's kernels and waits of the host, with their cost
  std::optional<double> network_seconds = {};  ///< of its ranks' messages alone, by the network's fits
};

/// The least time that the machine needs for one kind of the run's work.
struct Limit {
  std::string name;      ///< a level of memory, or an operation, "launches", "messages"
  double seconds = 0.0;  ///< work over its roof
  double most = 0.0;     ///< over the lower end of a noisy roof; of a steady one the same
  std::string words;     ///< "4.8 GB in DRAM at 25.3 GB/s"
};

/// A run's place under its roofs. Facts missing in the peaks are absent, or "".
struct RooflineAnalysis {
  std::string peaks_of;                    ///< "processor", or the device
  std::vector<Limit> limits;               ///< from the longest time to the shortest
  std::string bound;                       ///< of these the one that takes longest; several where the ends of noisy
                                           ///< roofs leave it open, "DRAM or arithmetic"; "" where it is not known
  std::optional<double> share;             ///< of the measured time that the bound takes
  std::optional<double> share_most;        ///< by the lower end of its roof; none where that is steady
  std::string noise;                       ///< ProcessorPeaks::noise, where one of these roofs is noisy
  double swing = 1.0;                      ///< of the noisiest of them the roof over its lower end
  std::string level;                       ///< of memory: the one of these limits that takes longest
  double level_bytes_per_update = 0.0;     ///< that cross it, write-allocate included
  std::optional<double> level_gb_per_s;    ///< of these bytes
  std::optional<Spread> roof_gb_per_s;     ///< that level's roof for as many workers
  std::string roof_of;                     ///< the kernel that has it, and fewer cores than all: "copy on 1 core"
  std::optional<double> flop_per_byte;     ///< of these bytes
  std::optional<double> peak_gflop_per_s;  ///< the fastest arithmetic in that precision for as many workers
  std::string peak_of;                     ///< "f64", "tf32 on tensor cores", "f32 on 1 core"
  std::optional<double> share_of_peak;
  std::optional<double> ridge_flop_per_byte;  ///< where that roof meets that peak
  std::string verdict;                        ///< "L2, 91 %", "L2, 40 to 83 %", or why there is none
  std::string kind;                           ///< the verdict without figures: "L2", "latency or code"
  bool is_far = false;                        ///< below least_share of every limit
  std::string defect;                         ///< where the share is above most_share: what was compared
  std::string impossible;  ///< where the run is more than ten times as fast as a limit lets it be: likewise
};

/// A larger share exceeds errors of measurement: the count of bytes or the roof is wrong.
inline constexpr double most_share = 1.05;
/// Below this share of every limit, at the best ends of the intervals of run and roof, latency or the code itself takes
/// most of the time.
inline constexpr double least_share = 0.5;

/// "12.3 us".
std::string microseconds(double seconds);

/// `peaks` may be nullptr.
RooflineAnalysis analyse(const RunFigures& run, const Peaks* peaks);

}  // namespace boltzmark
