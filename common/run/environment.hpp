// State of the machine that the figures of a run depend on, as the system and the GPU's driver show it. Nothing here
// fails a run: what cannot be read is absent.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/base/clock.hpp"
#include "common/run/json.hpp"

namespace boltzmark {

struct RunFacts;
struct NvmlDevice;
class Team;

/// One timed repeat.
struct RepeatState {
  std::optional<double> stolen;  ///< share of its workers' time that a hypervisor gave to others, on the worst rank
  std::optional<double> waited;  ///< share of it in which its threads were ready and others had the processor, likewise
  std::map<std::string, double> gpu_mhz;  ///< "sm_before", "sm_after", "memory_before", "memory_after"
  std::vector<std::string> throttled;     ///< what slowed processor or GPU down: "power cap", "heat"
  std::string disturbed;                  ///< why its time is not the machine's own, in a few words; "": it is
};
BOLTZMARK_JSON(RepeatState)

struct RunEnvironment {
  using Facts = std::map<std::string, std::string>;  ///< by name, in the system's words

  Facts machine;    ///< governor, boost, smt, numa_balancing, huge_pages, load, cpu_quota, affinity, ...
  Facts variables;  ///< of the process, that runtimes read: OMP_NUM_THREADS, ...
  Facts libraries;  ///< runtimes in the process and their versions; that of the device is the record's driver
  Facts gpu;        ///< driver, power_cap, ecc
  std::vector<RepeatState> repeats;  ///< every timed one in order

  /// All but the repeats by one name each: "governor", "OMP_NUM_THREADS", "gpu_ecc"; of the last repeat GPU clocks.
  Facts all() const;
};
BOLTZMARK_JSON(RunEnvironment)

/// Reads the state of the machine of a run: once what lasts, and around every repeat what changes.
class EnvironmentReader {
 public:
  /// `root`: a folder with the /proc and /sys of another machine; "": this one's.
  explicit EnvironmentReader(const RunFacts& facts, const std::string& root = "");

  RunEnvironment read() const;
  /// Before a repeat.
  void begin() { before_ = sample(); }
  /// After it. Collective.
  RepeatState end(Team& team) const;

 private:
  /// At one moment.
  struct Sample {
    Clock::time_point time;
    std::optional<double> stolen_seconds;   ///< of all processors that the process may use, since the system began
    std::optional<double> waited_seconds;   ///< of all threads of the process, each since it began
    double processor_throttles = 0.0;       ///< how often heat slowed their packages
    std::map<std::string, double> gpu_mhz;  ///< "sm", "memory"
    unsigned long long gpu_throttles = 0;   ///< NVML's bits
  };
  Sample sample() const;
  std::optional<double> stolen_seconds() const;
  std::optional<double> waited_seconds() const;
  RunEnvironment::Facts machine() const;
  RunEnvironment::Facts gpu() const;

  std::string root_;
  int threads_;          ///< that the process keeps busy
  bool has_processors_;  ///< one for each thread of each rank
  std::vector<int> processors_;
  std::vector<std::string> throttle_files_;  ///< of each package
  NvmlDevice* gpu_ = nullptr;
  Sample before_;
};

}  // namespace boltzmark
