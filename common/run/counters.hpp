// Bytes and FLOPs of the timed parts of a run by the processor's own counters, beside those that the algorithm counts.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace boltzmark {

struct RunFacts;
class Team;

/// An event of the hardware in the numbers of perf_event_open(2).
struct HardwareEvent {
  std::uint32_t type = 0;
  std::uint64_t config = 0;
  int processor = -1;  ///< all that is counted there; -1: of this process, and of threads that it starts from now on
};

/// Opens an event: a descriptor that gives three numbers at every read (how often, nanoseconds that it was wanted,
/// nanoseconds that it was on the hardware); or -1 and errno.
using OpenEvent = std::function<int(const HardwareEvent&)>;
int open_event(const HardwareEvent& event);

/// As a record has it.
struct CounterRecord {
  std::vector<double> bytes, flops;  ///< of each repeat; empty where they were not counted
  std::string why_no_bytes, why_no_flops;
};

/// Counts bytes to and from the memory of this machine, whoever moves them, and the FLOPs of this process.
class HardwareCounters {
 public:
  /// To be made before the process starts threads. `root`: a folder with the /proc and /sys of another machine.
  explicit HardwareCounters(const std::string& root = "", const OpenEvent& open = open_event);
  HardwareCounters(const HardwareCounters&) = delete;
  HardwareCounters& operator=(const HardwareCounters&) = delete;
  ~HardwareCounters();

  void begin();
  /// Ends the interval that began last. Collective: FLOPs are of all ranks, bytes of the root's machine.
  void end(Team& team);
  CounterRecord record(const RunFacts& facts) const;

 private:
  struct Counter {
    int file;
    double weight;               ///< bytes or FLOPs of one event
    std::uint64_t last[3] = {};  ///< as read at begin()
  };
  /// What events together count.
  struct Amount {
    std::vector<Counter> counters;
    std::string why_not;
    std::vector<double> of_repeats;
    /// Opens one more; where that fails there are none, and why_not says so.
    void add(const OpenEvent& open, const HardwareEvent& event, double weight, const std::string& root);
    void begin();
    double end();  ///< not a number where it could not be counted
  };

  Amount bytes_, flops_;
};

}  // namespace boltzmark
