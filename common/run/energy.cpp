#include "common/run/energy.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "common/base/files.hpp"
#include "common/base/text.hpp"
#include "common/run/nvml.hpp"
#include "common/run/program.hpp"

namespace boltzmark {
namespace {

namespace fs = std::filesystem;

EnergyCounter none(std::string why) { return {.why_not = std::move(why)}; }

std::optional<double> number_in(const fs::path& file) { return parse_number<double>(first_line_of(file)); }

/// One package of a processor; the counter wraps to 0 at the end of its range.
struct Package {
  fs::path file;
  double range = 0.0, last = 0.0, turns = 0.0;  ///< microjoules

  std::optional<double> microjoules() {
    const auto now = number_in(file);
    if (!now) return {};
    if (*now < last) turns += range;
    last = *now;
    return turns + *now;
  }
};

EnergyCounter gpu_energy(const std::string& pci_address) {
  constexpr const char* counter = "nvmlDeviceGetTotalEnergyConsumption";
  if (!nvml_symbol(counter)) return none("NVML, which counts a GPU's energy, was not found");
  NvmlDevice* const device = nvml_device(pci_address);
  const auto joules = [device]() -> std::optional<double> {
    unsigned long long millijoules = 0;
    if (!nvml_call(counter, device, &millijoules)) return {};
    return 1e-3 * static_cast<double>(millijoules);
  };
  if (!device || !joules()) return none("NVML counts no energy of this GPU");
  return {.name = "NVML", .step_seconds = 0.1, .joules = joules};  // seen: 20 to 100 ms
}

}  // namespace

EnergyCounter processor_energy(const fs::path& folder) {
  std::vector<Package> packages;
  std::error_code error;
  bool is_closed = false;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    // intel-rapl:0 is a package, intel-rapl:0:1 a part of it; intel-rapl-mmio:0 is the same package by another
    // interface.
    const std::string zone = entry.path().filename();
    if (!zone.starts_with("intel-rapl:") || std::count(zone.begin(), zone.end(), ':') != 1) continue;
    const std::string what = first_line_of(entry.path() / "name");
    if (!what.empty() && !what.starts_with("package")) continue;
    Package package = {.file = entry.path() / "energy_uj"};
    const auto range = number_in(entry.path() / "max_energy_range_uj");
    if (!range || !package.microjoules()) {
      is_closed = true;
      continue;
    }
    package.range = *range;
    packages.push_back(std::move(package));
  }
  if (is_closed) return none("the processor's energy counter cannot be read by this user");
  if (packages.empty()) return none("this machine shows no energy counter of its processor");
  std::string name = "RAPL, " + counted(static_cast<int>(packages.size()), "package");
  const auto joules = [packages = std::move(packages)]() mutable -> std::optional<double> {
    double sum = 0.0;
    for (Package& package : packages) {
      const auto one = package.microjoules();
      if (!one) return {};
      sum += *one;
    }
    return 1e-6 * sum;
  };
  return {.name = std::move(name), .step_seconds = 1e-3, .joules = joules};
}

EnergyCounter energy_of(const RunFacts& facts) {
  if (facts.device_type == "cpu") return processor_energy();
  if (facts.pci_address.empty()) return none("no energy counter is known of this device");
  if (facts.ranks > 1) return none("energy of several ranks' devices is not counted");
  return gpu_energy(facts.pci_address);
}

void EnergyMeter::end(double seconds) {
  if (!why_not_.empty()) return;
  const auto stop = counter_.joules();
  if (!start_ || !stop) {
    why_not_ = counter_.why_not.empty() ? "the energy counter could not be read" : counter_.why_not;
  } else if (seconds < least_steps * counter_.step_seconds) {
    why_not_ = fmt::format("{:.2g} s is too short for the energy counter, which needs {:.2g} s", seconds,
                           least_steps * counter_.step_seconds);
  } else {
    joules_.push_back(*stop - *start_);
  }
}

EnergyRecord EnergyMeter::record() const {
  if (!why_not_.empty()) return {counter_.name, {}, why_not_};
  return {counter_.name, joules_, ""};
}

}  // namespace boltzmark
