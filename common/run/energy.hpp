// Energy of the timed parts of a run, by the processor's or the GPU's own counters.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace boltzmark {

struct RunFacts;

/// A counter of energy, or the reason why there is none.
struct EnergyCounter {
  std::string name = "";      ///< what is counted, e.g. "RAPL, 2 packages"; "" where nothing is
  std::string why_not = "";   ///< why nothing is, in a few words; "" where it is
  double step_seconds = 0.0;  ///< from one change of the counter to the next, at most
  /// Joules since some moment of the past; none where the counter cannot be read. Wraps are taken into account where it
  /// is read at least once in a turn.
  std::function<std::optional<double>()> joules = [] { return std::nullopt; };
};

/// All processors of this machine without their memory: Intel's and AMD's RAPL, as Linux shows it in files
/// (Documentation/power/powercap).
EnergyCounter processor_energy(const std::filesystem::path& folder = "/sys/class/powercap");
/// The counter of the device that a run reports: of the processor, or of the NVIDIA GPU at its PCI address with its
/// memory (NVML, nvmlDeviceGetTotalEnergyConsumption).
EnergyCounter energy_of(const RunFacts& facts);

/// Energy of the timed parts, as a record has it.
struct EnergyRecord {
  std::string counter;         ///< EnergyCounter::name
  std::vector<double> joules;  ///< of each repeat; empty where they were not counted
  std::string why_not;         ///< the reason then
};

/// Counts the repeats of a run. If one interval is shorter than the counter's resolution, no energy is reported for the
/// run.
class EnergyMeter {
 public:
  explicit EnergyMeter(EnergyCounter counter) : counter_(std::move(counter)) {}

  void begin() { start_ = counter_.joules(); }
  /// `seconds`: length of the interval.
  void end(double seconds);
  EnergyRecord record() const;

 private:
  static constexpr double least_steps = 10;  ///< the first and the last one may be cut: ten per cent at most each

  EnergyCounter counter_;
  std::optional<double> start_;
  std::vector<double> joules_;
  std::string why_not_;
};

}  // namespace boltzmark
