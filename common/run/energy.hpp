// Energy of the timed parts of a run, by counters of the processor or the GPU.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace boltzmark {

struct RunFacts;

/// An energy counter, or the reason why there is none.
struct EnergyCounter {
  std::string name = "";      ///< source of the count, e.g. "RAPL, 2 packages"; "" if there is none
  std::string why_not = "";   ///< reason for no count, in a few words; "" if there is one
  double step_seconds = 0.0;  ///< longest time between two changes of the counter
  /// Joules since some moment in the past; empty if the counter cannot be read. Wraps are handled if it is read at
  /// least once per wrap.
  std::function<std::optional<double>()> joules = [] { return std::nullopt; };
};

/// All processors of this machine without memory: RAPL of Intel and AMD in Linux's files
/// (Documentation/power/powercap).
EnergyCounter processor_energy(const std::filesystem::path& folder = "/sys/class/powercap");
/// The counter of the device that a run reports: of the processor, or of the NVIDIA GPU at its PCI address with its
/// memory (NVML, nvmlDeviceGetTotalEnergyConsumption).
EnergyCounter energy_of(const RunFacts& facts);

/// Energy of the timed parts in the form of the record.
struct EnergyRecord {
  std::string counter;         ///< EnergyCounter::name
  std::vector<double> joules;  ///< of each repeat; empty if not counted
  std::string why_not;         ///< the reason then
};

/// Counts the repeats of a run. If one interval is shorter than the counter's resolution, no energy is reported for the
/// run.
class EnergyMeter {
 public:
  explicit EnergyMeter(EnergyCounter counter) : counter_(std::move(counter)) {}

  /// Reads nothing after an interval that was too short: that takes a driver longer than such a one lasts.
  void begin() {
    if (why_not_.empty()) start_ = counter_.joules();
  }
  /// `seconds`: length of the interval.
  void end(double seconds);
  EnergyRecord record() const;

 private:
  static constexpr double least_steps = 10;  ///< cutting off the first and the last costs ten per cent each

  EnergyCounter counter_;
  std::optional<double> start_;
  std::vector<double> joules_;
  std::string why_not_;
};

}  // namespace boltzmark
