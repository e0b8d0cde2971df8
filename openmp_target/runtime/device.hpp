// Finding, describing and choosing an offload device.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/run/program.hpp"
#include "openmp_target/runtime/launch.hpp"
#include "openmp_target/runtime/properties.hpp"

namespace boltzmark::openmp_target {

/// To be called first in main: sees to it that the offload runtime finds its plugins and never falls back to
/// the host on its own. Where the environment must change for that, the program starts itself anew and this
/// does not return.
void prepare_runtime(char** argv);

/// Version of the offload runtime that this process has loaded.
std::string runtime_version();

/// A device as regions on it found it.
struct OffloadDevice {
  int number = 0;
  DeviceProperties properties;
  std::string hardware;          ///< the processor's or the GPU's name, "" where nobody knows it
  bool waits_in_a_loop = false;  ///< whether the host waits for it in a loop, see cuda_driver.hpp

  std::string type() const { return properties.is_gpu() ? "gpu" : "cpu"; }
  /// The hardware's, as other models name it; where nobody knows that, offload_name().
  std::string name() const;
  std::string details() const;
  /// The runtime has no names for devices: the architecture that was measured, and the number.
  std::string offload_name() const;
};

/// How a region over this many items is launched. A processor is one team; a GPU gets one thread per item.
/// Without `threads` (of a team) the device's own number is used. Throws Error where a GPU cannot have so many.
Launch launch_for(const OffloadDevice& device, std::optional<int> threads, std::int64_t items);

/// The same where all teams have to be on the device at a time: the most that are worth trying. `value_bytes`
/// of a population: threads for f64 have twice the registers.
Launch launch_for_one_wave(const OffloadDevice& device, std::optional<int> threads, std::int64_t cells,
                           int value_bytes);

/// What there is where a device has less memory than `bytes`, in words like "less"; "" where it has that
/// much.
std::string memory_shortage_on(const OffloadDevice& device, double bytes);

/// Throws Error (unavailable) when one of the `regions` that were started ran on the host, or had other teams
/// or threads than it was launched with.
void check_launches(const OffloadDevice& device, const LaunchRecord& record, std::int64_t regions,
                    const Launch& launch);

/// What a run on the device says of itself, whatever was computed.
RunFacts device_facts(const OffloadDevice& device, const Launch& launch, const LaunchRecord& record);

/// The device that `wanted` names: a number of the list, a type ("gpu", "cpu"), part of a name (in any case),
/// or "" for the first GPU or else the first device. Throws Error (bad_input) for a number or name that no
/// device has, Error (unavailable) for a type that this machine lacks, when there is no device at all, and
/// when its regions run on the host.
OffloadDevice choose_device(const std::string& wanted);

/// --threads of the programs here.
ModelOption team_threads_option();

/// The offload devices, for --list-devices. Throws Error (unavailable) as above.
std::vector<Device> list_devices();

}  // namespace boltzmark::openmp_target
