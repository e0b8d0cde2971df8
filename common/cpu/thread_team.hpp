// The threads of one process that work on one grid together: OpenMP's, where a program is compiled with it,
// or else the only one.
#pragma once

#ifdef _OPENMP
#include <omp.h>
#endif

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "common/error.hpp"

namespace boltzmark {

class ThreadTeam {
 public:
  /// Starts `asked` threads, or without a wish as many as the runtime says (OMP_NUM_THREADS and its kin).
  /// Throws Error (unavailable) when there are not as many as asked for.
  explicit ThreadTeam(std::optional<int> asked) {
#ifdef _OPENMP
    const int wanted = asked.value_or(omp_get_max_threads());
#pragma omp parallel num_threads(wanted)
#pragma omp single
    size_ = omp_get_num_threads();
    if (asked && size_ != wanted)
      throw unavailable(
          "--threads: expected {} threads, found that the OpenMP runtime gives {} (OMP_THREAD_LIMIT?)",
          wanted, size_);
#else
    if (asked.value_or(1) != 1)
      throw unavailable("--threads: expected 1, for this program was built without OpenMP, found {}", *asked);
#endif
  }

  int size() const { return size_; }

  /// Calls work(me) on every thread at once, `me` from 0 (the caller) to size()-1; returns when all have
  /// returned. `work` must not throw.
  template <class Work>
  void run(Work&& work) const {
#ifdef _OPENMP
#pragma omp parallel num_threads(size_)
    work(omp_get_thread_num());
#else
    work(0);
#endif
  }

 private:
  int size_ = 1;
};

/// A number a time step from each worker, and their sums.
class StepSums {
 public:
  explicit StepSums(int workers) : of_worker_(static_cast<std::size_t>(workers)) {}

  /// Worker `me`'s numbers, all zero. To be called once, by its own thread, so that no two threads share a
  /// cache line.
  double* start(int me, int steps) {
    of_worker_[me].resize(static_cast<std::size_t>(steps));
    return of_worker_[me].data();
  }

  /// Their sums over workers times `factor`, in the order of the workers: the same result every time.
  void add_up(double factor, std::span<double> sums) const {
    std::fill(sums.begin(), sums.end(), 0.0);
    for (const auto& one : of_worker_)
      for (std::size_t step = 0; step < sums.size(); ++step) sums[step] += one[step];
    for (double& sum : sums) sum *= factor;
  }

 private:
  std::vector<std::vector<double>> of_worker_;
};

}  // namespace boltzmark
