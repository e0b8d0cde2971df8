// The devices of OpenCL's platforms.
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "common/cpu/processors.hpp"
#include "common/device/kernel_cache.hpp"
#include "opencl/runtime/calls.hpp"

namespace boltzmark::opencl {

using namespace device;

namespace {

namespace fs = std::filesystem;

/// PoCL finds no device if it cannot write its cache, e.g. if the user's home is missing on compute nodes. This sets
/// POCL_CACHE_DIR to a user's folder in the temporary folder, unless it is set already or the usual place can be
/// written. Must be called before OpenCL.
void give_pocl_a_cache() {
  const fs::path usual = kernel_cache_folder();                // PoCL's own is next to it
  if (std::getenv("POCL_CACHE_DIR") || usual.empty()) return;  // without a home PoCL uses the temporary folder itself
  std::error_code error;
  fs::create_directories(usual, error);
  if (access(usual.c_str(), W_OK | X_OK) == 0) return;
  const fs::path temporary = fs::temp_directory_path(error);
  if (error) return;
  const fs::path own = temporary / fmt::format("boltzmark-pocl-{}", getuid());
  mkdir(own.c_str(), 0700);
  // A name in /tmp may be another user's folder, or a link to one.
  struct stat found {};
  if (lstat(own.c_str(), &found) != 0 || !S_ISDIR(found.st_mode) || found.st_uid != getuid() ||
      (found.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return;
  setenv("POCL_CACHE_DIR", own.c_str(), 0);
}

/// In that cache, unless it was told not to.
bool pocl_keeps_kernels() {
  const char* const asked = std::getenv("POCL_KERNEL_CACHE");
  return !asked || std::string_view(asked) != "0";
}

/// PoCL has a thread for each processor, whether this process may use it or not, and binds them to processors 0, 1, ...
/// when asked to, before OpenCL is called. Unbound, two of them often share a processor at the start of a run, and groups
/// that wait for one another then have a quarter of their rate. Binding fails where this process may not use the first
/// processors.
void place_pocl_threads() {
  const std::vector<int> processors = usable_processor_numbers();
  if (usable_cores() < sysconf(_SC_NPROCESSORS_ONLN))
    for (const char* const name : {"POCL_MAX_PTHREAD_COUNT", "POCL_CPU_MAX_CU_COUNT"})  // PoCL 3, then 4
      setenv(name, std::to_string(usable_cores()).c_str(), 0);
  if (std::ssize(processors) == processors.back() + 1) setenv("POCL_AFFINITY", "1", 0);
}

/// While it exists, a driver library that ends the program causes a line, and the exit status `unavailable`.
class LibraryWatch {
 public:
  LibraryWatch() {
    for (std::size_t i = 0; i < signals.size(); ++i) before_[i] = std::signal(signals[i], say_and_end);
  }
  LibraryWatch(const LibraryWatch&) = delete;
  LibraryWatch& operator=(const LibraryWatch&) = delete;
  ~LibraryWatch() {
    for (std::size_t i = 0; i < signals.size(); ++i) std::signal(signals[i], before_[i]);
  }

 private:
  static constexpr std::array signals = {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE};
  static void say_and_end(int) {
    for (const char* part :
         {static_cast<const char*>(program_invocation_short_name),
          ": error: an OpenCL driver's library crashed when it was asked for its devices; remove it from "
          "/etc/OpenCL/vendors, or set OCL_ICD_VENDORS to a folder without it\n"})
      if (write(STDERR_FILENO, part, std::strlen(part)) < 0) break;
    _exit(static_cast<int>(ExitStatus::unavailable));
  }

  std::array<void (*)(int), signals.size()> before_;
};

/// A device's or platform's text, without surrounding blanks.
template <class Object, class Info>
std::string text_of(cl_int (*get)(Object, Info, std::size_t, void*, std::size_t*), Object object, Info what) {
  std::size_t bytes = 0;
  check(get(object, what, 0, nullptr, &bytes), "clGetInfo");
  std::string text(bytes, '\0');
  check(get(object, what, bytes, text.data(), nullptr), "clGetInfo");
  const auto is_blank = [](unsigned char c) { return std::isspace(c) || c == '\0'; };
  while (!text.empty() && is_blank(text.back())) text.pop_back();
  text.erase(text.begin(), std::find_if_not(text.begin(), text.end(), is_blank));
  return text;
}
std::string text_of(cl_device_id device, cl_device_info what) { return text_of(&clGetDeviceInfo, device, what); }

template <class T>
T info(cl_device_id device, cl_device_info what) {
  T value{};
  CHECKED(clGetDeviceInfo, device, what, sizeof value, &value, nullptr);
  return value;
}
int number_of(cl_device_id device, cl_device_info what) { return static_cast<int>(info<cl_uint>(device, what)); }

DeviceType type_of(cl_device_type type) {
  if (type & CL_DEVICE_TYPE_GPU) return DeviceType::gpu;
  return type & CL_DEVICE_TYPE_CPU ? DeviceType::cpu : DeviceType::accelerator;
}

/// A device's number from an extension; 0 without it.
template <class T>
T extension_info(cl_device_id id, cl_device_info what) {
  T value = 0;
  return clGetDeviceInfo(id, what, sizeof value, &value, nullptr) == CL_SUCCESS ? value : 0;
}

/// The largest of CL_DEVICE_SUB_GROUP_SIZES_INTEL, or 0.
int largest_intel_sub_group(cl_device_id id) {
  constexpr cl_device_info sub_group_sizes = 0x4108;
  std::array<std::size_t, 32> sizes{};
  std::size_t bytes = 0;
  if (clGetDeviceInfo(id, sub_group_sizes, sizeof sizes, sizes.data(), &bytes) != CL_SUCCESS) return 0;
  return static_cast<int>(*std::max_element(sizes.begin(), sizes.end()));
}

/// PCI address of an NVIDIA device. Drivers without cl_khr_pci_bus_info report a slot, with the device in its upper
/// five bits and the function in the lower three.
std::string pci_address(cl_device_id id) {
  constexpr cl_device_info bus_info = 0x410F;
  struct {
    cl_uint domain, bus, device, function;
  } at{};
  if (clGetDeviceInfo(id, bus_info, sizeof at, &at, nullptr) == CL_SUCCESS)
    return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", at.domain, at.bus, at.device, at.function);
  constexpr cl_device_info bus = 0x4008, slot = 0x4009, domain = 0x400A;
  const cl_uint place = extension_info<cl_uint>(id, slot);
  return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", extension_info<cl_uint>(id, domain), extension_info<cl_uint>(id, bus),
                     place >> 3, place & 7);
}

void describe_sub_groups(ComputeDevice& device, cl_device_id id) {
  constexpr cl_device_info nvidia_warp = 0x4003, amd_wavefront = 0x4043;
  const std::string extensions = " " + text_of(id, CL_DEVICE_EXTENSIONS) + " ";
  const auto has = [&](const char* name) { return extensions.find(fmt::format(" {} ", name)) != std::string::npos; };
  const std::string version = text_of(id, CL_DEVICE_VERSION);  // "OpenCL 3.0 ..."
  const bool is_2 = version.starts_with("OpenCL 2."), is_3 = version.starts_with("OpenCL 3.");
  constexpr cl_device_info most_sub_groups = 0x105C;  // since 2.1, where 3.1 no longer lists the extension
  if (has("cl_nv_device_attribute_query")) device.pci_address = pci_address(id);
  if (has("cl_nv_device_attribute_query"))
    device.sub_group_size = static_cast<int>(extension_info<cl_uint>(id, nvidia_warp));
  else if (has("cl_amd_device_attribute_query"))
    device.sub_group_size = static_cast<int>(extension_info<cl_uint>(id, amd_wavefront));
  else
    device.sub_group_size = largest_intel_sub_group(id);
  if ((is_2 && has("cl_khr_subgroups")) ||
      (is_3 && (has("cl_khr_subgroups") || extension_info<cl_uint>(id, most_sub_groups) > 0))) {
    device.sub_groups = SubGroups::standard;
    device.sub_group_language = is_2 ? "CL2.0" : "CL3.0";
  } else if (has("cl_nv_device_attribute_query") && device.sub_group_size == 32) {
    device.sub_groups = SubGroups::warps;
  }
}

/// Resources of a compute unit for all its groups, by compute capability (CUDA C++ Programming Guide, "Technical
/// specifications per compute capability"); zeros if unknown.
struct UnitLimits {
  int capability = 0;
  std::uint64_t local_kib = 0;
  int items = 0;
};

int nvidia_capability(cl_device_id id) {
  constexpr cl_device_info major = 0x4000, minor = 0x4001;
  return static_cast<int>(10 * extension_info<cl_uint>(id, major) + extension_info<cl_uint>(id, minor));
}

UnitLimits nvidia_unit_limits(int capability) {
  for (const UnitLimits known :
       {UnitLimits{70, 96, 2048}, {75, 64, 1024}, {80, 164, 2048}, {86, 100, 1536}, {89, 100, 1536}, {90, 228, 2048}})
    if (known.capability == capability) return known;
  return {};
}

ComputeDevice describe(cl_platform_id platform, cl_device_id id) {
  ComputeDevice device;
  device.handle = reinterpret_cast<std::uintptr_t>(id);
  device.type = type_of(info<cl_device_type>(id, CL_DEVICE_TYPE));
  device.name = text_of(id, CL_DEVICE_NAME);
  device.platform = text_of(&clGetPlatformInfo, platform, cl_platform_info{CL_PLATFORM_NAME});
  device.driver = device.platform + " " + text_of(id, CL_DRIVER_VERSION);
  device.keeps_kernels = device.platform == "Portable Computing Language" && pocl_keeps_kernels();
  device.units = number_of(id, CL_DEVICE_MAX_COMPUTE_UNITS);
  device.global_bytes = info<cl_ulong>(id, CL_DEVICE_GLOBAL_MEM_SIZE);
  device.largest_buffer_bytes = info<cl_ulong>(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  device.local_bytes = info<cl_ulong>(id, CL_DEVICE_LOCAL_MEM_SIZE);
  device.has_local_memory = info<cl_device_local_mem_type>(id, CL_DEVICE_LOCAL_MEM_TYPE) == CL_LOCAL;
  device.max_work_group = info<std::size_t>(id, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  std::array<std::size_t, 16> sizes{};  // of more dimensions than any device has
  CHECKED(clGetDeviceInfo, id, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes.data(), nullptr);
  device.max_work_group_x = sizes[0];
  device.max_work_group_y = sizes[1];
  device.max_work_group_z = sizes[2];
  device.cache_bytes = info<cl_ulong>(id, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
  device.shares_memory = info<cl_bool>(id, CL_DEVICE_HOST_UNIFIED_MEMORY);
  device.native_floats = number_of(id, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT);
  device.native_doubles = number_of(id, CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE);
  device.has_doubles = info<cl_device_fp_config>(id, CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
  device.has_fma = info<cl_device_fp_config>(id, CL_DEVICE_SINGLE_FP_CONFIG) & CL_FP_FMA;
  describe_sub_groups(device, id);
  device.unit_local_bytes = device.local_bytes;
  if (device.sub_groups == SubGroups::warps) {
    device.capability = nvidia_capability(id);
    const UnitLimits unit = nvidia_unit_limits(device.capability);
    device.unit_local_bytes = std::max(device.local_bytes, unit.local_kib << 10);
    device.unit_items = unit.items;
  }
  return device;
}

std::vector<cl_platform_id> platforms() {
  cl_uint count = 0;
  const cl_int status = clGetPlatformIDs(0, nullptr, &count);
  if (status == platform_not_found || (status == CL_SUCCESS && count == 0)) return {};
  if (status != CL_SUCCESS) throw unavailable("cannot list the OpenCL platforms: {}", status_name(status));
  std::vector<cl_platform_id> found(count);
  clGetPlatformIDs(count, found.data(), nullptr);
  return found;
}

/// No devices for a platform that has none or is broken; the others may still work.
std::vector<cl_device_id> devices_of(cl_platform_id platform) {
  cl_uint count = 0;
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS) return {};
  std::vector<cl_device_id> found(count);
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, found.data(), nullptr) != CL_SUCCESS) return {};
  std::erase_if(found, [](cl_device_id id) { return !info<cl_bool>(id, CL_DEVICE_AVAILABLE); });
  return found;
}

}  // namespace

std::vector<ComputeDevice> find_devices() {
  give_pocl_a_cache();
  place_pocl_threads();
  const LibraryWatch watch;
  std::vector<ComputeDevice> found;
  for (const cl_platform_id platform : platforms())
    for (const cl_device_id id : devices_of(platform))
      attempt("query an OpenCL device", [&] { found.push_back(describe(platform, id)); });
  for (std::size_t i = 0; i < found.size(); ++i) found[i].number = static_cast<int>(i);
  if (found.empty())
    throw unavailable(
        "no OpenCL device found; install the GPU vendor's OpenCL driver, or pocl-opencl-icd to run on the CPU");
  return found;
}

}  // namespace boltzmark::opencl
