// State of the machine that affects the figures of a run, as reported by the system and the GPU's driver. Nothing here
// fails a run: facts that cannot be read are absent.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
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

/// Reads the state of the machine: lasting facts once; waits of the process's threads around every repeat; all else
/// around blocks of repeats, because it takes longer than a short repeat and the system counts stolen time in ticks of
/// 10 ms.
class EnvironmentReader {
 public:
  /// `root`: a folder with the /proc and /sys of another machine; "": this one's.
  explicit EnvironmentReader(const RunFacts& facts, const std::string& root = "");

  RunEnvironment read() const;
  /// Before a repeat.
  void begin();
  /// After it; `seconds`: its length, the same on all ranks. Collective.
  void end(Team& team, double seconds, bool is_last);
  /// States of all repeats that have ended; complete after the last one.
  const std::vector<RepeatState>& repeats() const { return repeats_; }

 private:
  /// A small file that is read again and again.
  class OpenFile {
   public:
    explicit OpenFile(const std::string& file);
    OpenFile(OpenFile&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    ~OpenFile();
    /// From its start; "" if it cannot be read.
    std::string text() const;

   private:
    int number_;
  };
  /// Sample at one moment, around a block.
  struct Sample {
    std::optional<double> stolen_seconds;   ///< of all processors that the process may use, since the system began
    double processor_throttles = 0.0;       ///< number of times that heat slowed their packages
    std::map<std::string, double> gpu_mhz;  ///< "sm", "memory"
    unsigned long long gpu_throttles = 0;   ///< NVML's bits
  };
  Sample sample() const;
  std::optional<double> stolen_seconds() const;
  /// For all threads of the process, each since it began.
  std::optional<double> waited_seconds() const;
  void open_threads();
  void end_block(Team& team);
  /// Seconds of all busy processors together, for seconds of the clock.
  double of_all(double seconds) const;
  RunEnvironment::Facts machine() const;
  RunEnvironment::Facts gpu() const;

  std::string root_;
  int threads_;          ///< that the process keeps busy
  bool has_processors_;  ///< one for each thread of each rank
  std::vector<int> processors_;
  std::vector<std::string> throttle_files_;  ///< of each package
  NvmlDevice* gpu_ = nullptr;
  Sample before_;
  std::vector<OpenFile> threads_waits_;  ///< of each thread of the process when the block began
  Clock::time_point began_;              ///< the repeat
  std::optional<double> waited_before_;  ///< it
  std::vector<RepeatState> repeats_;
  std::size_t block_ = 0;       ///< the first repeat of the open block
  double timed_seconds_ = 0.0;  ///< of its repeats
  double whole_seconds_ = 0.0;  ///< of its repeats, warm-ups included
};

}  // namespace boltzmark
