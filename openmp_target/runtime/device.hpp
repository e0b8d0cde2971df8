// Finding, describing and choosing an offload device.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/run/program.hpp"
#include "openmp_target/runtime/launch.hpp"

namespace boltzmark::openmp_target {

/// To be called first in main: makes the offload runtime find its plugins and never fall back to the host. If the
/// environment must change for that, the program restarts itself and this does not return.
void prepare_runtime(char** argv);

/// Version of the offload runtime that this process has loaded.
std::string runtime_version();

enum class Architecture : int { other, x86_64, aarch64, nvptx64, amdgcn };

/// What code inside a target region finds out about its device.
struct DeviceProperties {
  bool on_device = false;  ///< not the initial device, so no fall-back to the host
  Architecture architecture = Architecture::other;
  int architecture_level = 0;        ///< what an NVIDIA image was compiled for, 900 for sm_90; elsewhere 0
  int processors = 0;                ///< omp_get_num_procs
  int max_threads = 0;               ///< that a team of a processor takes where no option names them
  int lanes_f32 = 1, lanes_f64 = 1;  ///< cells of one row that one thread updates at a time
  int sum_group = 1;                 ///< neighbouring threads that add up their values before one is stored
  bool teams_can_wait = false;       ///< whether a team can wait for another within a region
  std::uintptr_t code = 0;           ///< address of the code that found this out

  template <class T>
  int lanes() const {
    return sizeof(T) == sizeof(float) ? lanes_f32 : lanes_f64;
  }
  bool is_gpu() const { return architecture == Architecture::nvptx64 || architecture == Architecture::amdgcn; }
};

/// A device as regions on it found it.
struct OffloadDevice {
  int number = 0;
  DeviceProperties properties;
  std::string hardware;          ///< the processor's or the GPU's name, "" if unknown
  bool waits_in_a_loop = false;  ///< whether the host waits for it in a loop
  int multiprocessors = 0;       ///< of an NVIDIA GPU; 0 if unknown

  std::string type() const { return properties.is_gpu() ? "gpu" : "cpu"; }
  /// The hardware's, as other models name it; if that is unknown, offload_name().
  std::string name() const;
  std::string details() const;
  /// The runtime has no names for devices: the architecture that was measured, and the number.
  std::string offload_name() const;
};

/// How a region over this many items is launched. A processor is one team; a GPU gets one thread per item.
/// Without `threads` (of a team) the device's own number is used. Throws Error where a GPU cannot have so many.
RegionLaunch launch_for(const OffloadDevice& device, std::optional<int> threads, std::int64_t items);

/// The same where all teams have to be on the device at a time: the most that are worth trying. `value_bytes`
/// of a population: threads for f64 have twice the registers.
RegionLaunch launch_for_one_wave(const OffloadDevice& device, std::optional<int> threads, std::int64_t cells,
                                 int value_bytes);

/// The memory found if a device has less than `bytes`, in words like "less"; "" if it has enough.
std::string memory_shortage_on(const OffloadDevice& device, double bytes);

/// The same with the device's name; on_host_too: for mapped arrays, which the host needs room for too.
std::string shortage_on(const OffloadDevice& device, double bytes, bool on_host_too = false);

/// For variants of one team, whose threads wait for one another within a region. Throws Error (unavailable) for a GPU,
/// of which that is a small part.
void expect_processor(const char* variant, const OffloadDevice& device);

/// Throws Error (unavailable) when one of the `regions` that were started ran on the host, or had other teams
/// or threads than it was launched with.
void check_launches(const OffloadDevice& device, const LaunchRecord& record, std::int64_t regions,
                    const RegionLaunch& launch);

/// A region that does next to nothing, for wake_device.
void wake(int device_number);

/// What a run on the device says of itself, whatever was computed.
RunFacts device_facts(const OffloadDevice& device, const RegionLaunch& launch, const LaunchRecord& record);

/// The device that `wanted` names: a number of the list, a type ("gpu", "cpu"), part of a name (in any case),
/// or "" for the first GPU or else the first device. Throws Error (bad_input) for a number or name that no
/// device has, Error (unavailable) for a type that this machine lacks, when there is no device at all, and
/// when its regions run on the host.
OffloadDevice choose_device(const std::string& wanted);

/// The same by --device, for a run whose arrays are where --memory says. Throws Error (unavailable) for managed memory
/// of a processor, or without LLVM's runtime.
OffloadDevice choose_device(const Options& asked);

/// --threads of the programs here, and --memory of variants that choose where their arrays are.
ModelOption team_threads_option();
ModelOption memory_option();

/// The offload devices, for --list-devices. Throws Error (unavailable) as above.
std::vector<Device> list_devices();

/// One line where OMP_NUM_THREADS names more threads than a processor gives a team; "" elsewhere.
std::string threads_warning(const Options& asked);

/// The variant that runs when none is named, by the kind of the device.
inline auto usual_by_device(std::string on_gpu, std::string on_processor) {
  return [=](const Options& asked) -> std::string {
    return choose_device(asked.text("device")).properties.is_gpu() ? on_gpu : on_processor;
  };
}

/// The main of a program here. usual: the variant that runs when none is named; none: the first.
int run_on_device(int argc, char** argv, const WorkloadEntry& workload, const Variants& variants,
                  DefaultVariant usual = {});

}  // namespace boltzmark::openmp_target
