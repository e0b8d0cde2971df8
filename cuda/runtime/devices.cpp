#include <fmt/core.h>

#include <array>

#include "cuda/runtime/compiler.hpp"
#include "cuda/runtime/driver.hpp"

namespace boltzmark::cuda {

using namespace device;

int attribute(CUdevice number, DeviceAttribute what) {
  int value = 0;
  check(driver().cuDeviceGetAttribute(&value, what, number), "cuDeviceGetAttribute");
  return value;
}

namespace {

std::string name_of(CUdevice number) {
  std::array<char, 256> name{};
  check(driver().cuDeviceGetName(name.data(), static_cast<int>(name.size()), number), "cuDeviceGetName");
  return name.data();
}

/// "0000:17:00.0", in NVML's form.
std::string pci_address(CUdevice number) {
  std::array<char, 32> address{};
  check(driver().cuDeviceGetPCIBusId(address.data(), static_cast<int>(address.size()), number), "cuDeviceGetPCIBusId");
  return address.data();
}

/// All facts except those of the library: name, architecture, and support of sub-groups.
ComputeDevice describe(CUdevice number) {
  ComputeDevice device;
  device.handle = static_cast<std::uintptr_t>(number);
  device.type = DeviceType::gpu;
  device.name = name_of(number);
  device.pci_address = pci_address(number);
  device.units = attribute(number, multiprocessors);
  std::size_t bytes = 0;
  check(driver().cuDeviceTotalMem_v2(&bytes, number), "cuDeviceTotalMem");
  device.global_bytes = device.largest_buffer_bytes = bytes;
  device.local_bytes = static_cast<std::uint64_t>(attribute(number, shared_memory_per_block));
  device.cache_bytes = static_cast<std::uint64_t>(attribute(number, second_level_cache_bytes));
  device.shares_memory = attribute(number, is_integrated) != 0;
  device.max_work_group = static_cast<std::size_t>(attribute(number, max_threads_per_block));
  device.max_work_group_x = static_cast<std::size_t>(attribute(number, max_block_x));
  device.max_work_group_y = static_cast<std::size_t>(attribute(number, max_block_y));
  device.max_work_group_z = static_cast<std::size_t>(attribute(number, max_block_z));
  device.has_doubles = true;
  device.sub_group_size = attribute(number, warp_size);
  device.unit_local_bytes = static_cast<std::uint64_t>(attribute(number, shared_memory_per_multiprocessor));
  device.unit_items = attribute(number, threads_per_multiprocessor);
  return device;
}

}  // namespace

std::vector<ComputeDevice> find_devices(void (*finish)(ComputeDevice&, CUdevice)) {
  driver();  // reports a missing library first
  return attempt(fmt::format("query the {} devices", kernel_language), [&] {
    int count = 0;
    check(driver().cuDeviceGetCount(&count), "cuDeviceGetCount");
    std::vector<ComputeDevice> found;
    for (int i = 0; i < count; ++i) {
      CUdevice number = 0;
      check(driver().cuDeviceGet(&number, i), "cuDeviceGet");
      found.push_back(describe(number));
      found.back().number = i;
      finish(found.back(), number);
    }
    return found;
  });
}

}  // namespace boltzmark::cuda
