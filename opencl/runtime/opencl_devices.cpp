// The devices that OpenCL's platforms have.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "opencl/runtime/device.hpp"
#include "opencl/runtime/error.hpp"
#include "opencl/runtime/kernel_cache.hpp"

namespace boltzmark::opencl {
namespace {

constexpr cl_int platform_not_found =
    -1001;  // CL_PLATFORM_NOT_FOUND_KHR, the loader's word for "no driver installed"

std::string trimmed(std::string text) {
  const auto is_blank = [](unsigned char c) { return std::isspace(c) || c == '\0'; };
  while (!text.empty() && is_blank(text.back())) text.pop_back();
  text.erase(text.begin(), std::find_if_not(text.begin(), text.end(), is_blank));
  return text;
}

DeviceType type_of(cl_device_type type) {
  if (type & CL_DEVICE_TYPE_GPU) return DeviceType::gpu;
  return type & CL_DEVICE_TYPE_CPU ? DeviceType::cpu : DeviceType::accelerator;
}

/// A number that an extension lets a device tell; 0 where it does not.
template <class T>
T extension_info(const cl::Device& handle, cl_device_info what) {
  T value = 0;
  return clGetDeviceInfo(handle(), what, sizeof value, &value, nullptr) == CL_SUCCESS ? value : 0;
}

/// The largest of CL_DEVICE_SUB_GROUP_SIZES_INTEL, 0 where there is none.
int largest_intel_sub_group(const cl::Device& handle) {
  constexpr cl_device_info sub_group_sizes = 0x4108;
  std::array<std::size_t, 32> sizes{};
  std::size_t bytes = 0;
  if (clGetDeviceInfo(handle(), sub_group_sizes, sizeof sizes, sizes.data(), &bytes) != CL_SUCCESS) return 0;
  return static_cast<int>(*std::max_element(sizes.begin(), sizes.end()));
}

/// Where an NVIDIA device is on the PCI bus. Drivers without cl_khr_pci_bus_info tell a slot, which has the device in its upper
/// five bits and the function below.
std::string pci_address(const cl::Device& handle) {
  constexpr cl_device_info bus_info = 0x410F;
  struct {
    cl_uint domain, bus, device, function;
  } at{};
  if (clGetDeviceInfo(handle(), bus_info, sizeof at, &at, nullptr) == CL_SUCCESS)
    return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", at.domain, at.bus, at.device, at.function);
  constexpr cl_device_info bus = 0x4008, slot = 0x4009, domain = 0x400A;
  const cl_uint place = extension_info<cl_uint>(handle, slot);
  return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", extension_info<cl_uint>(handle, domain),
                     extension_info<cl_uint>(handle, bus), place >> 3, place & 7);
}

void describe_sub_groups(ComputeDevice& device) {
  constexpr cl_device_info nvidia_warp = 0x4003, amd_wavefront = 0x4043;
  const std::string extensions = " " + device.handle.getInfo<CL_DEVICE_EXTENSIONS>() + " ";
  const auto has = [&](const char* name) {
    return extensions.find(fmt::format(" {} ", name)) != std::string::npos;
  };
  const std::string version = device.handle.getInfo<CL_DEVICE_VERSION>();  // "OpenCL 3.0 ..."
  const bool is_2 = version.starts_with("OpenCL 2."), is_3 = version.starts_with("OpenCL 3.");
  if (has("cl_nv_device_attribute_query")) device.pci_address = pci_address(device.handle);
  if (has("cl_nv_device_attribute_query"))
    device.sub_group_size = static_cast<int>(extension_info<cl_uint>(device.handle, nvidia_warp));
  else if (has("cl_amd_device_attribute_query"))
    device.sub_group_size = static_cast<int>(extension_info<cl_uint>(device.handle, amd_wavefront));
  else
    device.sub_group_size = largest_intel_sub_group(device.handle);
  if (has("cl_khr_subgroups") && (is_2 || is_3)) {
    device.sub_groups = SubGroups::standard;
    device.sub_group_language = is_2 ? "CL2.0" : "CL3.0";
  } else if (has("cl_nv_device_attribute_query") && device.sub_group_size == 32) {
    device.sub_groups = SubGroups::warps;
  }
}

/// What a compute unit has for all its groups, by compute capability (CUDA C++ Programming Guide, "Technical
/// specifications per compute capability"); zeros for one that is not known here.
struct UnitLimits {
  int capability = 0;
  std::uint64_t local_kib = 0;
  int items = 0;
};

int nvidia_capability(const cl::Device& handle) {
  constexpr cl_device_info major = 0x4000, minor = 0x4001;
  return static_cast<int>(10 * extension_info<cl_uint>(handle, major) +
                          extension_info<cl_uint>(handle, minor));
}

UnitLimits nvidia_unit_limits(int capability) {
  for (const UnitLimits known : {UnitLimits{70, 96, 2048},
                                 {75, 64, 1024},
                                 {80, 164, 2048},
                                 {86, 100, 1536},
                                 {89, 100, 1536},
                                 {90, 228, 2048}})
    if (known.capability == capability) return known;
  return {};
}

ComputeDevice describe(const cl::Platform& platform, const cl::Device& handle) {
  ComputeDevice device;
  device.handle = handle;
  device.type = type_of(handle.getInfo<CL_DEVICE_TYPE>());
  device.name = trimmed(handle.getInfo<CL_DEVICE_NAME>());
  device.platform = trimmed(platform.getInfo<CL_PLATFORM_NAME>());
  device.driver = device.platform + " " + trimmed(handle.getInfo<CL_DRIVER_VERSION>());
  device.units = static_cast<int>(handle.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>());
  device.global_bytes = handle.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>();
  device.largest_buffer_bytes = handle.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
  device.local_bytes = handle.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
  device.max_work_group = handle.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>();
  const auto sizes = handle.getInfo<CL_DEVICE_MAX_WORK_ITEM_SIZES>();
  device.max_work_group_x = sizes.at(0);
  device.max_work_group_y = sizes.at(1);
  device.max_work_group_z = sizes.at(2);
  device.cache_bytes = handle.getInfo<CL_DEVICE_GLOBAL_MEM_CACHE_SIZE>();
  device.shares_memory = handle.getInfo<CL_DEVICE_HOST_UNIFIED_MEMORY>();
  device.native_floats = static_cast<int>(handle.getInfo<CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT>());
  device.native_doubles = static_cast<int>(handle.getInfo<CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE>());
  device.has_doubles = handle.getInfo<CL_DEVICE_DOUBLE_FP_CONFIG>() != 0;
  describe_sub_groups(device);
  device.unit_local_bytes = device.local_bytes;
  if (device.sub_groups == SubGroups::warps) {
    device.capability = nvidia_capability(handle);
    const UnitLimits unit = nvidia_unit_limits(device.capability);
    device.unit_local_bytes = std::max(device.local_bytes, unit.local_kib << 10);
    device.unit_items = unit.items;
  }
  return device;
}

std::vector<cl::Platform> platforms() {
  std::vector<cl::Platform> found;
  try {
    cl::Platform::get(&found);
  } catch (const cl::Error& error) {
    if (error.err() != platform_not_found)
      throw unavailable("cannot list the OpenCL platforms: {}", status_name(error.err()));
  }
  return found;
}

std::vector<cl::Device> devices_of(const cl::Platform& platform) {
  std::vector<cl::Device> found;
  try {
    platform.getDevices(CL_DEVICE_TYPE_ALL, &found);
  } catch (const cl::Error&) {
    found.clear();  // a platform without devices, or one that is broken: the others may still serve
  }
  std::erase_if(found, [](const cl::Device& device) { return !device.getInfo<CL_DEVICE_AVAILABLE>(); });
  return found;
}

}  // namespace

std::vector<ComputeDevice> find_devices() {
  give_pocl_a_cache();
  std::vector<ComputeDevice> found;
  for (const auto& platform : platforms())
    for (const auto& device : devices_of(platform))
      attempt("ask an OpenCL device what it is", [&] { found.push_back(describe(platform, device)); });
  for (std::size_t i = 0; i < found.size(); ++i) found[i].number = static_cast<int>(i);
  if (found.empty())
    throw unavailable(
        "no OpenCL device found; install the GPU vendor's OpenCL driver, or pocl-opencl-icd to run on the "
        "CPU");
  return found;
}

}  // namespace boltzmark::opencl
