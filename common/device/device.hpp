// Describing and choosing a device of the API in use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/device/api.hpp"
#include "common/run/program.hpp"

namespace boltzmark::device {

enum class DeviceType { cpu, accelerator, gpu };
std::string to_string(DeviceType type);

/// Sub-groups that kernels can use: none, those of OpenCL's standard, or NVIDIA's warps.
enum class SubGroups { none, standard, warps };

/// A device and the facts that the suite needs about it.
struct ComputeDevice {
  std::uintptr_t handle = 0;  ///< of the API: cl_device_id, CUdevice
  int number = 0;             ///< position in --list-devices
  DeviceType type = DeviceType::cpu;
  std::string name;              ///< as the device reports it
  std::string platform;          ///< name of the platform it belongs to
  std::string driver;            ///< platform name and driver version
  std::string pci_address = "";  ///< of an NVIDIA device, "0000:17:00.0"
  int units = 0;                 ///< compute units
  std::uint64_t global_bytes = 0, largest_buffer_bytes = 0, local_bytes = 0, cache_bytes = 0;
  bool shares_memory = false;  ///< with the processor
  std::size_t max_work_group = 0, max_work_group_x = 0, max_work_group_y = 0,
              max_work_group_z = 0;          ///< work-items
  bool has_doubles = false, has_fma = true;  ///< the latter in single precision
  bool has_local_memory = true;              ///< of its own, not a part of the global one
  bool keeps_kernels = false;                ///< its driver itself, compiled, from one run to the next
  SubGroups sub_groups = SubGroups::none;
  std::string sub_group_language = "";        ///< value of -cl-std for sub-groups of the standard, e.g. "CL3.0"
  std::string architecture = "";              ///< its name for CUDA's compiler, e.g. "sm_90"
  int capability = 0;                         ///< compute capability of an NVIDIA device: 90 for 9.0
  int native_floats = 1, native_doubles = 1;  ///< that its vector registers hold
  int sub_group_size = 0;                     ///< work-items of the largest group; 0 if it depends on the kernel

  std::uint64_t unit_local_bytes = 0;  ///< local memory of a compute unit; local_bytes if unknown
  int unit_items = 0;                  ///< work-items that a compute unit holds at once; 0 if unknown

  /// Whether its memory is separate from this machine's.
  bool has_own_memory() const;

  /// Asynchronous copies from global to local memory.
  bool has_asynchronous_copies() const { return capability >= 80; }

  /// Local memory that a kernel may declare for a group: on NVIDIA devices more than OpenCL reports.
  std::uint64_t group_local_bytes() const;

  /// Groups with this local memory, these work-items and registers per item that a unit holds at once; 1 if unknown.
  int resident_groups(std::size_t bytes, int items, int registers) const;

  /// Numbers of this precision that its vector registers hold: a power of two from 1 to 16.
  int native_lanes(Precision precision) const;
};

/// The device that `wanted` names: a number of the list, a type ("gpu", "cpu", "accelerator"), part of a name or of a
/// driver, which begins with the platform's name (in any case), or "" for any. Of several that fit, the best is chosen:
/// GPU before accelerator before CPU, then the most compute units, then the first. Throws Error (bad_input) for a
/// number or text that no device has, Error (unavailable) for a type that this machine lacks or if there is no device
/// at all.
ComputeDevice choose_device(const std::string& wanted);

/// That device and all others that `wanted` names and that have the same name, platform, type and number of units; a
/// number of the list names a single one. In the order of the list; throws as above.
std::vector<ComputeDevice> choose_devices(const std::string& wanted);

/// The device of --device. Throws as choose_device, and Error (unavailable) for --precision f64 without doubles.
ComputeDevice device_for(const Options& options);

/// The device's memory in GiB if it is less than `bytes` of arrays, the largest of them of `largest` bytes; "" if it
/// and this machine's memory suffice.
std::string device_shortage(const ComputeDevice& device, double bytes, double largest);

/// Name, driver and limits, for --describe.
Settings limits_of(const ComputeDevice& device);
/// Those of the device that --device names; for boltzmark::Program::device_limits.
Settings device_limits(const Options& options);

/// For --list-devices, one entry per device.
std::vector<Device> list_devices();

/// --device, `own`, and those of the compiler: --cl-options or --nvrtc-options, and --no-kernel-cache.
std::vector<ModelOption> device_options(std::vector<ModelOption> own = {});

/// The program of a workload for the API in use, without its variants.
Program program_of(const WorkloadEntry& workload);

/// The main of such a program, which `program` makes once the API is chosen.
int run_on(int argc, char** argv, const Api& api, Program (*program)());

}  // namespace boltzmark::device
