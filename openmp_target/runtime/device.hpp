// Finding, describing and choosing an offload device.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/run/program.hpp"
#include "openmp_target/runtime/launch.hpp"

namespace boltzmark::openmp_target {

/// Call first in main: makes the offload runtime find its plugins and never fall back to the host. If the environment
/// must change for that, the program restarts itself and this does not return.
void prepare_runtime(char** argv);

/// Version of the offload runtime that this process has loaded.
std::string runtime_version();

enum class Architecture : int { other, x86_64, aarch64, nvptx64, amdgcn };

/// Facts about a device, found by code inside a target region.
struct DeviceProperties {
  bool on_device = false;  ///< not the initial device, so no fall-back to the host
  Architecture architecture = Architecture::other;
  int architecture_level = 0;        ///< architecture of an NVIDIA image, 900 for sm_90; elsewhere 0
  int processors = 0;                ///< omp_get_num_procs
  int max_threads = 0;               ///< default threads of a team on a processor
  int lanes_f32 = 1, lanes_f64 = 1;  ///< cells of one row that one thread updates at a time
  int sum_group = 1;                 ///< neighbouring threads that add up their values before one is stored
  bool teams_can_wait = false;       ///< whether a team can wait for another within a region
  std::uintptr_t code = 0;           ///< address of the code that found these

  template <class T>
  int lanes() const {
    return sizeof(T) == sizeof(float) ? lanes_f32 : lanes_f64;
  }
  bool is_gpu() const { return architecture == Architecture::nvptx64 || architecture == Architecture::amdgcn; }
};

/// A device with the facts that regions on it found.
struct OffloadDevice {
  int number = 0;
  DeviceProperties properties;
  std::string hardware;          ///< the processor's or the GPU's name, "" if unknown
  bool waits_in_a_loop = false;  ///< whether the host waits for it in a loop
  int multiprocessors = 0;       ///< of an NVIDIA GPU; 0 if unknown

  std::string type() const { return properties.is_gpu() ? "gpu" : "cpu"; }
  /// Name of the hardware, as in other models; if unknown, offload_name().
  std::string name() const;
  std::string details() const;
  /// The runtime has no names for devices: the architecture that was measured, and the number.
  std::string offload_name() const;
};

/// Launch of a region over this many items. A processor is one team; a GPU gets one thread per item. Without `threads`
/// (of a team) the device's own number is used. Throws Error if a GPU cannot have this many.
RegionLaunch launch_for(const OffloadDevice& device, std::optional<int> threads, std::int64_t items);

/// The same if all teams must be on the device at once: the largest number worth trying. `value_bytes` of a population:
/// threads for f64 have twice the registers.
RegionLaunch launch_for_one_wave(const OffloadDevice& device, std::optional<int> threads, std::int64_t cells,
                                 int value_bytes);

/// The memory found if a device has less than `bytes`, in words like "less"; "" if it has enough.
std::string memory_shortage_on(const OffloadDevice& device, double bytes);

/// The same with the device's name; on_host_too: for mapped arrays, which also take host memory.
std::string shortage_on(const OffloadDevice& device, double bytes, bool on_host_too = false);

/// For variants of one team, whose threads wait for one another within a region. Throws Error (unavailable) for a GPU,
/// of which one team is a small part.
void expect_processor(const char* variant, const OffloadDevice& device);

/// Throws Error (unavailable) if one of the started `regions` ran on the host, or had other teams or threads than
/// launched.
void check_launches(const OffloadDevice& device, const LaunchRecord& record, std::int64_t regions,
                    const RegionLaunch& launch);

/// A region with almost no work, for wake_device.
void wake(int device_number);
/// So many regions that do nothing, in the form of the models' kernels, for small_kernels.
void empty_regions(int device_number, int regions);

/// Facts of a run on the device, for any workload.
RunFacts device_facts(const OffloadDevice& device, const RegionLaunch& launch, const LaunchRecord& record);

/// The device that `wanted` names: a number of the list, a type ("gpu", "cpu"), part of a name (in any case),
/// or "" for the first GPU or else the first device. Throws Error (bad_input) for a number or name that no
/// device has, Error (unavailable) for a type that this machine lacks, when there is no device at all, and
/// when its regions run on the host.
OffloadDevice choose_device(const std::string& wanted);

/// The device chosen by --device, for a run with its arrays in --memory. Throws Error (unavailable) for managed memory
/// on a processor, or without LLVM's runtime.
OffloadDevice choose_device(const Options& asked);

/// --threads of this model's programs, and --memory of variants that choose the memory of their arrays.
ModelOption team_threads_option();
ModelOption memory_option();

/// The offload devices, for --list-devices. Throws Error (unavailable) as above.
std::vector<Device> list_devices();

/// One line if OMP_NUM_THREADS names more threads than a processor gives a team; else "".
std::string threads_warning(const Options& asked);

/// The default variant, by the kind of device.
inline auto usual_by_device(std::string on_gpu, std::string on_processor) {
  return [=](const Options& asked) -> std::string {
    return choose_device(asked.text("device")).properties.is_gpu() ? on_gpu : on_processor;
  };
}

/// The main of a program of this model. usual: the default variant; if empty, the first.
int run_on_device(int argc, char** argv, const WorkloadEntry& workload, const Variants& variants,
                  DefaultVariant usual = {});

}  // namespace boltzmark::openmp_target
