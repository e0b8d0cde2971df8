// Cooperation of the threads of a region: the part of the work of each, sums over neighbouring threads, and the record
// of where a region ran. For use inside `omp parallel` in `omp target teams`.
#pragma once

#include <omp.h>

// Standard headers needed by the headers below, included before those are declared for devices: otherwise their
// variables would be required in the image, which lacks them.
#include <cstdint>

#include "openmp_target/runtime/launch.hpp"

#pragma omp begin declare target
#include "common/base/compensated_sum.hpp"
#include "common/cpu/simd.hpp"
#pragma omp end declare target

/// Before a loop: not unrolled.
#define UNROLL _Pragma("unroll")

namespace boltzmark::openmp_target {

/// Properties of the image. Neighbouring threads of a GPU have neighbouring data, and the hardware forms the vectors; a
/// thread of a processor has a separate block and processes it in vectors.
struct Image {
#if defined(__NVPTX__)
  enum : int { is_gpu = 1, sum_group = 32, teams_can_wait = 1, most_groups = 32 };
#elif defined(__AMDGCN__)
  enum : int { is_gpu = 1, sum_group = 1, teams_can_wait = 0, most_groups = 1024 };
#else
  enum : int { is_gpu = 0, sum_group = 1, teams_can_wait = 0, most_groups = 1024 };  // of a team
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

/// Number of threads in the region, and the number of this thread.
KERNEL_FN std::int64_t thread_count() { return std::int64_t{omp_get_num_teams()} * omp_get_num_threads(); }
KERNEL_FN std::int64_t thread_number() {
  return std::int64_t{omp_get_team_num()} * omp_get_num_threads() + omp_get_thread_num();
}

/// This thread's numbers below `count`: begin, begin + stride ... below end. A grid-stride loop on a GPU, one block of
/// numbers on a processor.
struct IndexRange {
  std::int64_t begin, end, stride;
};
/// On a GPU this many neighbours may share each number.
KERNEL_FN IndexRange indices_of_thread(std::int64_t count, int sharing = 1) {
  const std::int64_t threads = thread_count() / sharing, thread = thread_number() / sharing;
  if (Image::is_gpu) return {thread, count, threads};
  return {count * thread / threads, count * (thread + 1) / threads, 1};
}

/// This thread in its group of Image::sum_group neighbours, and that group in the team.
KERNEL_FN int lane_number() { return omp_get_thread_num() % Image::sum_group; }
KERNEL_FN int group_number() { return omp_get_thread_num() / Image::sum_group; }

// Values of other threads of the group, which call these together. In a group of one, a thread gets its own value.
#if defined(__NVPTX__)
KERNEL_FN int half_across(int half, int distance, std::uint32_t lanes) {
  return __nvvm_shfl_sync_bfly_i32(lanes, half, distance, 31);
}
KERNEL_FN int half_below(int half, int distance) { return __nvvm_shfl_sync_up_i32(~0u, half, distance, 0); }
KERNEL_FN int half_above(int half, int distance) { return __nvvm_shfl_sync_down_i32(~0u, half, distance, 31); }
KERNEL_FN int half_of(int half, int lane) { return __nvvm_shfl_sync_idx_i32(~0u, half, lane, 31); }
KERNEL_FN std::uint32_t lanes_where(bool truth) { return __nvvm_vote_ballot_sync(~0u, truth); }
#else
KERNEL_FN int half_across(int half, int, std::uint32_t) { return half; }
KERNEL_FN int half_below(int half, int) { return half; }
KERNEL_FN int half_above(int half, int) { return half; }
KERNEL_FN int half_of(int half, int) { return half; }
KERNEL_FN std::uint32_t lanes_where(bool truth) { return truth; }
#endif
template <auto shuffle, class T, class... Which>
KERNEL_FN T shuffled(T value, Which... which) {
  int halves[sizeof(T) / sizeof(int)];
  __builtin_memcpy(halves, &value, sizeof value);
  for (int& half : halves) half = shuffle(half, which...);
  __builtin_memcpy(&value, halves, sizeof value);
  return value;
}
/// Value of the lane this many places below or above; the first, or last, lanes keep their own. Value of one lane.
template <class T>
KERNEL_FN T from_below(T value, int distance) {
  return shuffled<half_below>(value, distance);
}
template <class T>
KERNEL_FN T from_above(T value, int distance) {
  return shuffled<half_above>(value, distance);
}
template <class T>
KERNEL_FN T of_lane(T value, int lane) {
  return shuffled<half_of>(value, lane);
}

struct Plus {
  template <class V>
  static KERNEL_FN V of(V a, V b) {
    return a + b;
  }
};

/// Combines the values of `lanes` neighbouring threads, a power of two. Other groups of neighbours may be elsewhere in
/// the program.
template <class Op, class T>
KERNEL_FN T combined_over_lanes(T value, int lanes) {
  const std::uint32_t together = ~0u >> (32 - lanes) << (lane_number() & -lanes);
  for (int distance = lanes / 2; distance > 0; distance /= 2)
    value = Op::of(value, shuffled<half_across>(value, distance, together));
  return value;
}
template <class T>
KERNEL_FN T sum_over_group(T value) {
  return combined_over_lanes<Plus>(value, Image::sum_group);
}

/// Combines the values of all threads of the team, which call this together. `of_groups`: team memory for most_groups
/// values, in use until the next barrier.
template <class Op, class T>
KERNEL_FN T combined_over_team(T value, T* of_groups) {
  value = combined_over_lanes<Op>(value, Image::sum_group);
  if (lane_number() == 0) of_groups[group_number()] = value;
#pragma omp barrier
  value = of_groups[0];
  for (int group = 1; group < omp_get_num_threads() / Image::sum_group; ++group)
    value = Op::of(value, of_groups[group]);
  return value;
}

// Communication between teams of one region: a team publishes its writes, then changes a word; a team that has seen the
// word sees the published data. Words that carry the data themselves need no more.
#if defined(__NVPTX__)
KERNEL_FN void publish() { __nvvm_membar_gl(); }
KERNEL_FN std::uint32_t count_up(std::uint32_t* counter) {
  std::uint32_t before;
  asm volatile("atom.global.add.u32 %0, [%1], 1;" : "=r"(before) : "l"(counter) : "memory");
  return before;
}
KERNEL_FN std::uint64_t load_word(const std::uint64_t* from) {
  std::uint64_t word;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(from) : "memory");
  return word;
}
KERNEL_FN void store_word(std::uint64_t* to, std::uint64_t word) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(word) : "memory");
}
#else
KERNEL_FN void publish() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
KERNEL_FN std::uint32_t count_up(std::uint32_t* counter) { return __atomic_fetch_add(counter, 1u, __ATOMIC_RELAXED); }
KERNEL_FN std::uint64_t load_word(const std::uint64_t* from) { return __atomic_load_n(from, __ATOMIC_RELAXED); }
KERNEL_FN void store_word(std::uint64_t* to, std::uint64_t word) { __atomic_store_n(to, word, __ATOMIC_RELAXED); }
#endif

/// Vectors in memory. On a GPU only aligned vectors are read and written by one instruction.
template <class Vector, class T>
KERNEL_FN Vector vector_at(const T* from) {
  if (Image::is_gpu) return {*reinterpret_cast<const typename Vector::Raw*>(from)};
  return Vector::load(from);
}
template <class Vector, class T>
KERNEL_FN void set_vector(T* to, Vector vector) {
  if (Image::is_gpu)
    *reinterpret_cast<typename Vector::Raw*>(to) = vector.raw;
  else
    vector.store(to);
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
