// Bytes and FLOPs of the timed parts of a run by the processor's counters, in addition to those that the algorithm
// counts.
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
  int processor = -1;  ///< all counts of that processor; -1: those of this process and of threads that it starts later
};

/// Opens an event: a descriptor that gives three numbers at every read (count, nanoseconds enabled, nanoseconds running
/// on the hardware); or -1 and errno.
using OpenEvent = std::function<int(const HardwareEvent&)>;
int open_event(const HardwareEvent& event);

/// Counts in the form of the record.
struct CounterRecord {
  std::vector<double> bytes, flops;  ///< of each repeat; empty if not counted
  std::string why_no_bytes, why_no_flops;
};

/// Counts bytes to and from the memory of this machine, those of other processes included, and the FLOPs of this
/// process.
class HardwareCounters {
 public:
  /// To be made before the process starts threads. `root`: a folder with the /proc and /sys of another machine.
  explicit HardwareCounters(const std::string& root = "", const OpenEvent& open = open_event);
  HardwareCounters(const HardwareCounters&) = delete;
  HardwareCounters& operator=(const HardwareCounters&) = delete;
  ~HardwareCounters();

  void begin();
  /// Ends the interval of the last begin(). Collective: FLOPs are of all ranks, bytes of the root's machine.
  void end(Team& team);
  CounterRecord record(const RunFacts& facts) const;

 private:
  struct Counter {
    int file;
    double weight;               ///< bytes or FLOPs of one event
    std::uint64_t last[3] = {};  ///< as read at begin()
  };
  /// Sum of several events.
  struct Amount {
    std::vector<Counter> counters;
    std::string why_not;
    std::vector<double> of_repeats;
    /// Opens one more; on failure all are closed, and why_not holds the reason.
    void add(const OpenEvent& open, const HardwareEvent& event, double weight, const std::string& root);
    void begin();
    double end();  ///< NaN if it could not be counted
  };

  Amount bytes_, flops_;
};

}  // namespace boltzmark
