// Energy of the timed parts of a run, by the processor's or the GPU's own counters.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace boltzmark {

struct RunFacts;

/// A counter of energy, or the reason why there is none.
class EnergyCounter {
 public:
  explicit EnergyCounter(std::string why_not = "") : why_not_(std::move(why_not)) {}
  virtual ~EnergyCounter() = default;
  /// What is counted, e.g. "RAPL, 2 packages"; "" where nothing is.
  virtual std::string name() const { return ""; }
  /// Why nothing is, in a few words; "" where it is.
  const std::string& why_not() const { return why_not_; }
  /// Seconds from one change of the counter to the next, at most.
  virtual double step_seconds() const { return 0.0; }
  /// Joules since some moment of the past; none where the counter cannot be read. Wraps are taken into account where
  /// it is read at least once in a turn.
  virtual std::optional<double> joules() { return {}; }

 private:
  std::string why_not_;
};

/// All processors of this machine without their memory: Intel's and AMD's RAPL, as Linux shows it in files
/// (Documentation/power/powercap).
std::unique_ptr<EnergyCounter> processor_energy(const std::filesystem::path& folder = "/sys/class/powercap");
/// The NVIDIA GPU at this PCI address with its memory: NVML, nvmlDeviceGetTotalEnergyConsumption.
std::unique_ptr<EnergyCounter> gpu_energy(const std::string& pci_address);
/// The counter of the device that a run reports.
std::unique_ptr<EnergyCounter> energy_of(const RunFacts& facts);

/// Energy of the timed parts, as a record has it.
struct EnergyRecord {
  std::string counter;         ///< EnergyCounter::name()
  std::vector<double> joules;  ///< of each repeat; empty where they were not counted
  std::string why_not;         ///< the reason then
};

/// Counts the repeats of a run. If one interval is shorter than the counter's resolution, no energy is reported for the
/// run.
class EnergyMeter {
 public:
  explicit EnergyMeter(std::unique_ptr<EnergyCounter> counter) : counter_(std::move(counter)) {}

  void begin() { start_ = counter_->joules(); }
  /// `seconds`: length of the interval.
  void end(double seconds);
  EnergyRecord record() const;

 private:
  static constexpr double least_steps = 10;  ///< the first and the last one may be cut: ten per cent at most each

  std::unique_ptr<EnergyCounter> counter_;
  std::optional<double> start_;
  std::vector<double> joules_;
  std::string why_not_;
};

}  // namespace boltzmark
