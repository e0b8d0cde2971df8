#include "openmp_target/runtime/properties.hpp"

#include <omp.h>

#include "openmp_target/runtime/team.hpp"

namespace boltzmark::openmp_target {
namespace {

#pragma omp begin declare target

DeviceProperties properties() {
  DeviceProperties here;
  here.on_device = !omp_is_initial_device();
#if defined(__NVPTX__)
  here.architecture = Architecture::nvptx64;
  here.architecture_level = __CUDA_ARCH__;
#elif defined(__AMDGCN__)
  here.architecture = Architecture::amdgcn;
#elif defined(__x86_64__)
  here.architecture = Architecture::x86_64;
#elif defined(__aarch64__)
  here.architecture = Architecture::aarch64;
#endif
  here.code = reinterpret_cast<std::uintptr_t>(&properties);
  here.processors = omp_get_num_procs();
  here.max_threads = omp_get_max_threads();
  here.lanes_f32 = ImageLanes<float>::value;
  here.lanes_f64 = ImageLanes<double>::value;
  here.sum_group = Image::sum_group;
  here.teams_can_wait = Image::teams_can_wait;
  return here;
}

#pragma omp end declare target

}  // namespace

DeviceProperties query_device(int device) {
  DeviceProperties found;
#pragma omp target map(tofrom : found) device(device)
  found = properties();
  return found;
}

bool has_memory(int device, std::size_t bytes) {
  void* const trial = omp_target_alloc(bytes, device);
  if (trial) omp_target_free(trial, device);
  return trial != nullptr;
}

}  // namespace boltzmark::openmp_target
