// What the threads of a region do together: which part of the work each has, sums over neighbouring threads,
// and how a region says where it ran. For the inside of `omp parallel` in `omp target teams`.
#pragma once

#include <omp.h>

#include <cstdint>

#include "openmp_target/lbm/kernels.hpp"

#pragma omp begin declare target
#include "common/cpu/simd.hpp"
#include "common/base/compensated_sum.hpp"
#pragma omp end declare target

namespace boltzmark::openmp_target {

/// What depends on the image alone. Neighbouring threads of a GPU have neighbouring data, and the hardware
/// makes the vectors; a thread of a processor has a stretch of its own and walks it in vectors.
struct Image {
#if defined(__NVPTX__)
  enum : int { is_gpu = 1, sum_group = 32, teams_can_wait = 1 };
#elif defined(__AMDGCN__)
  enum : int { is_gpu = 1, sum_group = 1, teams_can_wait = 0 };
#else
  enum : int { is_gpu = 0, sum_group = 1, teams_can_wait = 0 };
#endif
};

/// Values that a thread takes in one go where it walks along a row or an array.
struct NativeLanes {
  enum : int { f32 = native_lanes<float>, f64 = native_lanes<double> };
};
template <class T>
struct ImageLanes {
  enum : int {
    value = Image::is_gpu                ? 1
            : sizeof(T) == sizeof(float) ? int{NativeLanes::f32}
                                         : int{NativeLanes::f64}
  };
};

#pragma omp begin declare target

/// Called by all threads of every region of a run, with a witness on the device and what it was launched
/// with.
KERNEL_FN void testify(Witness* witness, int teams, int threads) {
  if (omp_get_team_num() != 0 || omp_get_thread_num() != 0) return;
  witness->regions += !omp_is_initial_device();
  if (omp_get_num_teams() == teams && omp_get_num_threads() == threads) return;
  witness->misfits += 1;
  witness->teams = omp_get_num_teams();
  witness->threads = omp_get_num_threads();
}

/// The numbers below `count` that this thread has: begin, begin + step ... below end.
struct Share {
  std::int64_t begin, end, step;
};
KERNEL_FN Share share_of(std::int64_t count) {
  const std::int64_t threads = std::int64_t{omp_get_num_teams()} * omp_get_num_threads();
  const std::int64_t thread = std::int64_t{omp_get_team_num()} * omp_get_num_threads() + omp_get_thread_num();
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

/// Adds up `value` over each group of threads into that group's element of `sums`.
template <class T>
KERNEL_FN void leave_sum(T value, double* sums) {
  const T total = sum_over_group(value);
  const std::int64_t thread = std::int64_t{omp_get_team_num()} * omp_get_num_threads() + omp_get_thread_num();
  if (thread % Image::sum_group == 0) sums[thread / Image::sum_group] = static_cast<double>(total);
}

/// The cells that this thread updates, stretch by stretch, each within a row: single cells of a GPU's thread,
/// whole rows of a processor's. A team of a GPU has `team_cells` cells in a row-by-row order; a processor is
/// one team, which has all.
class Walk {
 public:
  int y;  ///< row of the stretch

  KERNEL_FN Walk(int nx, int ny, std::uint32_t team_cells) : nx_(nx) {
    const int threads = omp_get_num_threads(), thread = omp_get_thread_num();
    if (Image::is_gpu) {
      const std::uint32_t first = omp_get_team_num() * team_cells, cells = std::uint32_t(nx) * ny;
      cell_ = first + thread;
      end_ = first + team_cells < cells ? first + team_cells : cells;
      y = int(cell_ / std::uint32_t(nx));
      x_ = int(cell_ % std::uint32_t(nx));
      step_ = threads;
    } else {
      y = int(std::int64_t{ny} * thread / threads);
      end_ = std::uint32_t(std::int64_t{ny} * (thread + 1) / threads);
    }
  }
  KERNEL_FN bool inside() const { return Image::is_gpu ? cell_ < end_ : std::uint32_t(y) < end_; }
  KERNEL_FN void next() {
    if (Image::is_gpu) {
      cell_ += step_;
      x_ += step_;
      if (x_ >= nx_) {
        const int rows = int(std::uint32_t(x_) / std::uint32_t(nx_));
        y += rows;
        x_ -= rows * nx_;
      }
    } else {
      ++y;
    }
  }
  /// The same where each thread of a GPU has one cell only: the launch has as many threads as there are
  /// cells.
  KERNEL_FN void next_row() {
    if (Image::is_gpu)
      end_ = 0;
    else
      ++y;
  }
  /// First column of the stretch, and the one behind its last.
  KERNEL_FN int begin() const { return Image::is_gpu ? x_ : 0; }
  KERNEL_FN int end() const { return Image::is_gpu ? x_ + 1 : nx_; }

 private:
  int nx_, x_ = 0, step_ = 0;
  std::uint32_t cell_ = 0, end_;  ///< on a processor: the row behind its last
};

#pragma omp end declare target

}  // namespace boltzmark::openmp_target
