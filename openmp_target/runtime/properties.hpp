// What code inside a target region finds out about its device.
#pragma once

#include <cstddef>
#include <cstdint>

namespace boltzmark::openmp_target {

enum class Architecture : int { other, x86_64, aarch64, nvptx64, amdgcn };

struct DeviceProperties {
  bool on_device = false;  ///< not the initial device, so no fall-back to the host
  Architecture architecture = Architecture::other;
  int architecture_level = 0;        ///< what an NVIDIA image was compiled for, 900 for sm_90; elsewhere 0
  int processors = 0;                ///< omp_get_num_procs
  int max_threads = 0;               ///< omp_get_max_threads
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

/// Runs a region on offload device `device` and says what it found there.
DeviceProperties query_device(int device);

/// Whether `bytes` can be allocated on the device.
bool has_memory(int device, std::size_t bytes);

}  // namespace boltzmark::openmp_target
