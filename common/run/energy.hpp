// Joules of a stretch of a run, by the counters that a processor or a GPU keeps of its own.
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
  virtual ~EnergyCounter() = default;
  /// What is counted, e.g. "RAPL, 2 packages"; "" where nothing is.
  virtual std::string name() const { return ""; }
  /// Why nothing is, in a few words; "" where it is.
  virtual std::string why_not() const { return ""; }
  /// Seconds from one change of the counter to the next, at most.
  virtual double step_seconds() const { return 0.0; }
  /// Joules since some moment of the past; none where the counter cannot be read. Wraps are taken into account where
  /// it is read at least once in a turn.
  virtual std::optional<double> joules() { return {}; }
};

/// That of all the processors of this machine, memory not included: Intel's and AMD's RAPL, as Linux shows it in files
/// (Documentation/power/powercap).
std::unique_ptr<EnergyCounter> processor_energy(const std::filesystem::path& folder = "/sys/class/powercap");
/// That of an NVIDIA GPU at this address of the PCI bus, its memory included: NVML, nvmlDeviceGetTotalEnergyConsumption.
std::unique_ptr<EnergyCounter> gpu_energy(const std::string& pci_address);
/// That of what a run says it runs on.
std::unique_ptr<EnergyCounter> energy_of(const RunFacts& facts);

/// Energy of the timed parts, as a record has it.
struct EnergyRecord {
  std::string counter;         ///< EnergyCounter::name()
  std::vector<double> joules;  ///< of each repeat; empty where they were not counted
  std::string why_not;         ///< the reason then
};

/// Counts the repeats of a run. A stretch that is short beside the counter's step is no figure, and then none of the
/// run's is.
class EnergyMeter {
 public:
  explicit EnergyMeter(std::unique_ptr<EnergyCounter> counter) : counter_(std::move(counter)) {}

  void begin() { start_ = counter_->joules(); }
  /// `seconds`: what the stretch took.
  void end(double seconds);
  EnergyRecord record() const;

 private:
  static constexpr double least_steps =
      10;  ///< the first and the last one may be cut: ten per cent at most each

  std::unique_ptr<EnergyCounter> counter_;
  std::optional<double> start_;
  std::vector<double> joules_;
  std::string why_not_;
};

}  // namespace boltzmark
