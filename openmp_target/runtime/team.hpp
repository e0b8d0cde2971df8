// What the threads of a region do together: which part of the work each has, sums over neighbouring threads,
// and the record of where a region ran. For use inside `omp parallel` in `omp target teams`.
#pragma once

#include <omp.h>

// What the headers below take from the standard library, before they are declared for devices: variables of its own
// headers would become ones that the image must have, and has not.
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "openmp_target/runtime/launch.hpp"

#pragma omp begin declare target
#include "common/base/compensated_sum.hpp"
#include "common/cpu/simd.hpp"
#pragma omp end declare target

namespace boltzmark::openmp_target {

/// What depends on the image alone. Neighbouring threads of a GPU have neighbouring data, and the hardware
/// makes the vectors; a thread of a processor has a block of its own and goes through it in vectors.
struct Image {
#if defined(__NVPTX__)
  enum : int { is_gpu = 1, sum_group = 32, teams_can_wait = 1 };
#elif defined(__AMDGCN__)
  enum : int { is_gpu = 1, sum_group = 1, teams_can_wait = 0 };
#else
  enum : int { is_gpu = 0, sum_group = 1, teams_can_wait = 0 };
#endif
};

/// Values that a thread takes at a time along a row or an array.
struct NativeLanes {
  enum : int { f32 = native_lanes<float>, f64 = native_lanes<double> };
};
template <class T>
struct ImageLanes {
  enum : int { value = Image::is_gpu ? 1 : sizeof(T) == sizeof(float) ? int{NativeLanes::f32} : int{NativeLanes::f64} };
};

#pragma omp begin declare target

/// Called by all threads of every region, with a record on the device and the region's launch.
KERNEL_FN void record_launch(LaunchRecord* record, int teams, int threads) {
  if (omp_get_team_num() != 0 || omp_get_thread_num() != 0) return;
  record->regions += !omp_is_initial_device();
  if (omp_get_num_teams() == teams && omp_get_num_threads() == threads) return;
  record->mismatches += 1;
  record->teams = omp_get_num_teams();
  record->threads = omp_get_num_threads();
}

/// Of all threads of the region: how many there are, and which one this is.
KERNEL_FN std::int64_t thread_count() { return std::int64_t{omp_get_num_teams()} * omp_get_num_threads(); }
KERNEL_FN std::int64_t thread_number() {
  return std::int64_t{omp_get_team_num()} * omp_get_num_threads() + omp_get_thread_num();
}

/// The numbers below `count` that this thread has: begin, begin + stride ... below end. A grid-stride loop on
/// a GPU, one block of numbers on a processor.
struct IndexRange {
  std::int64_t begin, end, stride;
};
KERNEL_FN IndexRange indices_of_thread(std::int64_t count) {
  const std::int64_t threads = thread_count(), thread = thread_number();
  if (Image::is_gpu) return {thread, count, threads};
  return {count * thread / threads, count * (thread + 1) / threads, 1};
}

#if defined(__NVPTX__)
KERNEL_FN float from_lane(float value, int distance) {
  return __nvvm_shfl_sync_bfly_f32(0xffffffffu, value, distance, 31);
}
KERNEL_FN double from_lane(double value, int distance) {
  int halves[2];
  __builtin_memcpy(halves, &value, sizeof(value));
  for (int& half : halves) half = __nvvm_shfl_sync_bfly_i32(0xffffffffu, half, distance, 31);
  __builtin_memcpy(&value, halves, sizeof(value));
  return value;
}
#endif

/// The sum over Image::sum_group neighbouring threads, which call this together.
template <class T>
KERNEL_FN T sum_over_group(T value) {
#if defined(__NVPTX__)
  for (int distance = Image::sum_group / 2; distance > 0; distance /= 2) value += from_lane(value, distance);
#endif
  return value;
}

/// Adds up `value` over each group of threads and stores the sum in that group's element of `sums`.
template <class T>
KERNEL_FN void store_group_sum(T value, double* sums) {
  const T total = sum_over_group(value);
  const std::int64_t thread = thread_number();
  if (thread % Image::sum_group == 0) sums[thread / Image::sum_group] = static_cast<double>(total);
}

#pragma omp end declare target

}  // namespace boltzmark::openmp_target
