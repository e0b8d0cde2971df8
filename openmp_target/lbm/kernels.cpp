#include "openmp_target/lbm/kernels.hpp"

#include <omp.h>

#include "common/lbm/lattice.hpp"
#include "openmp_target/lbm/cells.hpp"

namespace boltzmark::openmp_target {
using namespace lbm;

namespace {

#pragma omp begin declare target

Surroundings surroundings() {
  Surroundings here;
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
  here.code = reinterpret_cast<std::uintptr_t>(&surroundings);
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

Surroundings look_round(int device) {
  Surroundings found;
#pragma omp target map(tofrom : found) device(device)
  found = surroundings();
  return found;
}

bool has_memory(int device, std::size_t bytes) {
  void* const trial = omp_target_alloc(bytes, device);
  if (trial) omp_target_free(trial, device);
  return trial != nullptr;
}

Layout::Layout(int nx_cells, int ny_cells, int value_bytes)
    : nx(nx_cells), ny(ny_cells), accelerated_row(ny - 2), words((nx + word - 1) / word) {
  pitch = word * (words + 1);
  if (pitch * value_bytes % 4096 == 0)
    pitch += word;  // segments that lie 4 KiB apart fight for the same cache lines
  row = std::int64_t{pitch} * Lattice::directions;
  values = row * ny + 2 * word;
}

}  // namespace boltzmark::openmp_target
