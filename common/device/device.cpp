#include "common/device/device.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <tuple>

#include "common/base/error.hpp"
#include "common/base/text.hpp"
#include "common/cpu/memory.hpp"

namespace boltzmark::device {
namespace {

const Api* chosen_api = nullptr;

std::string sub_groups_text(const ComputeDevice& device) {
  if (device.sub_group_size > 0) return fmt::format("sub-groups of {}", device.sub_group_size);
  return device.sub_groups == SubGroups::none ? "no sub-groups" : "sub-groups as the kernel wants";
}

std::optional<DeviceType> type_named(const std::string& name) {
  for (const auto type : {DeviceType::gpu, DeviceType::accelerator, DeviceType::cpu})
    if (name == to_string(type)) return type;
  return {};
}

bool is_better(const ComputeDevice& a, const ComputeDevice& b) {
  return std::tuple(a.type, a.units) > std::tuple(b.type, b.units);
}

/// The best of the devices that fit, and those like it, in their order.
template <class Fits>
std::vector<ComputeDevice> best(const std::vector<ComputeDevice>& devices, Fits&& fits) {
  std::vector<ComputeDevice> chosen;
  for (const auto& device : devices) {
    if (!fits(device)) continue;
    if (!chosen.empty() && is_better(device, chosen.front())) chosen.clear();
    const auto is_like = [&](const ComputeDevice& other) {
      return !is_better(other, device) && device.name == other.name && device.platform == other.platform;
    };
    if (chosen.empty() || is_like(chosen.front())) chosen.push_back(device);
  }
  return chosen;
}

}  // namespace

void use(const Api& api) { chosen_api = &api; }

const Api& api() {
  if (!chosen_api) throw std::logic_error("device::use() was not called");
  return *chosen_api;
}

std::string to_string(DeviceType type) {
  return type == DeviceType::gpu ? "gpu" : type == DeviceType::cpu ? "cpu" : "accelerator";
}

int ComputeDevice::native_lanes(Precision precision) const {
  const int reported = precision == Precision::f32 ? native_floats : native_doubles;
  int lanes = 1;
  while (lanes < 16 && 2 * lanes <= reported) lanes *= 2;
  return lanes;
}

/// Local memory of a compute unit that each group takes in addition to its own.
constexpr std::uint64_t own_local_bytes = 1024;

bool ComputeDevice::has_own_memory() const { return type != DeviceType::cpu && !shares_memory; }

std::uint64_t ComputeDevice::group_local_bytes() const {
  return std::max(local_bytes, unit_local_bytes - std::min(unit_local_bytes, own_local_bytes));
}

int ComputeDevice::resident_groups(std::size_t bytes, int items, int registers) const {
  constexpr std::size_t unit_registers = 65536;
  if (unit_items == 0) return 1;
  const auto by_memory = unit_local_bytes / (bytes + own_local_bytes);
  const auto by_registers = unit_registers / (static_cast<std::size_t>(items) * registers);
  const auto by_items = static_cast<std::size_t>(unit_items / items);
  return static_cast<int>(std::max<std::size_t>(1, std::min({by_memory, by_registers, by_items})));
}

ComputeDevice choose_device(const std::string& wanted) { return choose_devices(wanted).front(); }

std::vector<ComputeDevice> choose_devices(const std::string& wanted) {
  const auto devices = api().find_devices();
  if (wanted.empty()) return best(devices, [](const ComputeDevice&) { return true; });
  const auto number = parse_number<std::size_t>(wanted);
  if (number && *number < devices.size()) return {devices[*number]};
  if (const auto type = type_named(lower_case(wanted))) {
    const auto chosen = best(devices, [&](const ComputeDevice& device) { return device.type == *type; });
    if (chosen.empty())
      throw unavailable("--device: this machine has no {} {}; see --list-devices", api().name, wanted);
    return chosen;
  }
  const auto chosen = best(devices, [part = lower_case(wanted)](const ComputeDevice& device) {
    return lower_case(device.name + '\n' + device.driver).find(part) != std::string::npos;
  });
  if (chosen.empty() || number)  // a number is an index, never part of a text
    throw bad_input(
        "--device: expected a number below {}, gpu, cpu or part of a device's name or driver, found \"{}\"; see "
        "--list-devices",
        devices.size(), wanted);
  return chosen;
}

ComputeDevice device_for(const Options& options) {
  const ComputeDevice device = choose_device(options.text("device"));
  if (options.precision == Precision::f64 && !device.has_doubles)
    throw unavailable("--precision: {} has no double precision", device.name);
  return device;
}

Settings device_limits(const Options& options) { return limits_of(choose_device(options.text("device"))); }

Settings limits_of(const ComputeDevice& device) {
  return {{"name", device.name},
          {"type", to_string(device.type)},
          {"driver", device.driver},
          {"units", device.units},
          {"max_work_group", device.max_work_group},
          {"max_work_group_x", device.max_work_group_x},
          {"max_work_group_y", device.max_work_group_y},
          {"max_work_group_z", device.max_work_group_z},
          {"sub_group_size", device.sub_group_size},
          {"local_bytes", device.local_bytes}};
}

std::vector<Device> list_devices() {
  std::vector<Device> list;
  for (const auto& device : api().find_devices())
    list.push_back({to_string(device.type), device.name,
                    fmt::format("{}, {} compute units, {:.1f} GiB memory, {} KiB local memory, work-groups up to {}, "
                                "{}, doubles: {}",
                                device.driver, device.units, static_cast<double>(device.global_bytes) / (1u << 30),
                                device.local_bytes / 1024, device.max_work_group, sub_groups_text(device),
                                device.has_doubles ? "yes" : "no")});
  return list;
}

std::vector<ModelOption> device_options(std::vector<ModelOption> own) {
  ModelOption device = device_option();
  device.help = "number, type or part of a name or driver (see --list-devices); the best of several";
  own.insert(own.begin(), device);
  own.push_back(
      {.name = api().compiler_option,
       .value = "\"OPTION ...\"",
       .help = fmt::format("further options for the device's compiler, e.g. {}", api().compiler_option_example)});
  own.push_back(
      {.name = "no-kernel-cache", .value = "", .help = "compile the kernels every time and store no binaries"});
  if (api().has_managed_memory)
    own.push_back({.name = "memory",
                   .value = "device|managed|host",
                   .help = "where arrays are: in device memory; in managed memory (pages migrate on access); or in "
                           "host memory (read over the bus); default: device",
                   .choices = {"device", "managed", "host"},
                   .is_users = true});
  return own;
}

std::string device_shortage(const ComputeDevice& device, double bytes, double largest) {
  constexpr double gib = 1 << 30, tenth_of_mib = (1 << 20) / 10.0, usable = 0.95;
  const auto all = static_cast<double>(device.global_bytes), one = static_cast<double>(device.largest_buffer_bytes);
  if (bytes > usable * all)
    return fmt::format("{:.3g} GiB, a twentieth of them in reserve, on {}", all / gib, device.name);
  if (largest > one)  // possibly by some bytes
    return fmt::format("at most {:.1f} MiB in one buffer, which would take {:.1f} MiB, on {}",
                       std::floor(one / tenth_of_mib) / 10.0, std::ceil(largest / tenth_of_mib) / 10.0, device.name);
  return device.has_own_memory() ? "" : memory_shortage(static_cast<std::uint64_t>(bytes));
}

Program program_of(const WorkloadEntry& workload) {
  return {.workload = &workload,
          .model = api().model,
          .where = std::string("on a device of ") + api().name,
          .options = device_options(),
          .devices = list_devices,
          .device_limits = device_limits,
          .compiles_kernels = true};
}

int run_on(int argc, char** argv, const Api& api, Program (*program)()) {
  use(api);
  return run_program(argc, argv, program());
}

}  // namespace boltzmark::device
