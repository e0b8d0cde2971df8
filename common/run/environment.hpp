// State of the machine that affects the figures of a run, as reported by the system and the GPU's driver. Nothing here
// fails a run: facts that cannot be read are absent.
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
  std::optional<double> waited;  ///< likewise, share in which ready threads waited for a processor
  std::map<std::string, double> gpu_mhz;  ///< "sm_before", "sm_after", "memory_before", "memory_after"
  std::vector<std::string> throttled;     ///< causes that slowed the processor or GPU: "power cap", "heat"
  std::string disturbed;                  ///< why the repeat was disturbed, in a few words; "": it was not
};
BOLTZMARK_JSON(RepeatState)

struct RunEnvironment {
  using Facts = std::map<std::string, std::string>;  ///< by name, in the system's words

  Facts machine;    ///< governor, boost, smt, numa_balancing, huge_pages, load, cpu_quota, affinity, ...
  Facts variables;  ///< variables of the process that runtimes read: OMP_NUM_THREADS, ...
  Facts libraries;  ///< runtimes in the process and their versions; the device's is the record's driver
  Facts gpu;        ///< driver, power_cap, ecc
  std::vector<RepeatState> repeats;  ///< timed repeats in order

  /// All but the repeats, by single names: "governor", "OMP_NUM_THREADS", "gpu_ecc"; with GPU clocks of the last
  /// repeat.
  Facts all() const;
};
BOLTZMARK_JSON(RunEnvironment)

/// Reads the state of the machine: lasting facts once, changing ones around every repeat.
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
  /// Sample at one moment.
  struct Sample {
    Clock::time_point time;
    std::optional<double> stolen_seconds;   ///< of all processors that the process may use, since the system began
    std::optional<double> waited_seconds;   ///< of all threads of the process, each since it began
    double processor_throttles = 0.0;       ///< number of times that heat slowed their packages
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
