#include "openacc/device.hpp"

#include <fmt/core.h>

#include <cstdlib>

#include "common/base/error.hpp"
#include "common/base/text.hpp"
#include "common/cpu/processors.hpp"

namespace boltzmark::openacc {
namespace {

constexpr std::string_view target = BOLTZMARK_OPENACC_TARGET;

/// GPUs of the program's target, followed by the processor.
std::vector<AccDevice> all_devices() {
  std::vector<AccDevice> all;
  const acc_device_t gpus = target.starts_with("nvptx") ? acc_device_nvidia : acc_device_radeon;
  const int count = target.empty() ? 0 : acc_get_num_devices(gpus);
  for (int number = 0; number < count; ++number) all.push_back({gpus, number});
  all.push_back({});
  return all;
}

/// Why there is no GPU.
std::string why_no_gpu() {
  if (target.empty()) return "the program was compiled without an offload target (gcc-12-offload-nvptx)";
  return fmt::format("the runtime finds no GPU for {}: driver, or libgomp-plugin-nvptx1, is missing", target);
}

/// --device, or else the standard's environment variable.
std::string wanted_device(const Options& asked) {
  const char* const type = std::getenv("ACC_DEVICE_TYPE");
  if (asked.has("device") || !type) return lower_case(asked.text("device"));
  return lower_case(type) == "host" ? "cpu" : "gpu";
}

AccDevice found_device(const std::string& wanted) {
  const std::vector<AccDevice> all = all_devices();
  if (wanted.empty()) return all.front();
  if (const auto number = parse_number<int>(wanted)) {
    if (*number >= 0 && *number < static_cast<int>(all.size())) return all[static_cast<std::size_t>(*number)];
    throw bad_input("--device: expected a number from 0 to {}, found {}", all.size() - 1, wanted);
  }
  for (const AccDevice& device : all) {
    const Device has = device.described();
    if (has.type == wanted || lower_case(has.name).find(wanted) != std::string::npos) return device;
  }
  if (wanted == "gpu") throw unavailable("expected a GPU: {}", why_no_gpu());
  throw bad_input("--device: no device has \"{}\" in its name; see --list-devices", wanted);
}

}  // namespace

Device AccDevice::described() const {
  if (!is_gpu()) return {"cpu", cpu_name(), "one thread"};
  const double memory = static_cast<double>(acc_get_property(number, kind, acc_property_memory));
  return {"gpu", acc_get_property_string(number, kind, acc_property_name),
          fmt::format("{:.0f} GiB, {}", memory / (1 << 30), target)};
}

std::vector<Device> devices() {
  std::vector<Device> found;
  for (const AccDevice& device : all_devices()) found.push_back(device.described());
  return found;
}

AccDevice choose_device(const Options& asked) {
  const AccDevice device = found_device(wanted_device(asked));
  acc_set_device_num(device.number, device.kind);
  // The host runs a region that the device cannot run; only a region itself can tell where it runs.
  int is_there = 0;
#pragma acc parallel copyout(is_there)
  is_there = acc_on_device(acc_device_not_host);
  if ((is_there != 0) != device.is_gpu())
    throw unavailable("{}: a loop for it ran on the host", device.described().name);
  return device;
}

std::string device_advice(const Options& asked) {
  const std::string wanted = wanted_device(asked);
  if (!wanted.empty() || found_device(wanted).is_gpu()) return {};
  return fmt::format("loops run on one thread of the processor: {}", why_no_gpu());
}

RunFacts facts_on(const AccDevice& device, RunFacts facts) {
  const Device described = device.described();
  facts.device = described.name;
  facts.device_type = described.type;
  facts.driver = fmt::format("GCC {}, OpenACC {}", __VERSION__, _OPENACC);
  facts.threads = device.is_gpu() ? 0 : 1;
  facts.write_allocate = !device.is_gpu();
  return facts;
}

void require_memory_on(const AccDevice& device, double bytes) {
  if (!device.is_gpu()) return;
  const double free = static_cast<double>(acc_get_property(device.number, device.kind, acc_property_free_memory));
  if (bytes > free)
    throw unavailable("{}: expected {:.3g} GiB of free memory, found {:.3g}", device.described().name,
                      bytes / (1 << 30), free / (1 << 30));
}

}  // namespace boltzmark::openacc
