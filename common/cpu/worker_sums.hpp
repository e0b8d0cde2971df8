// Sums over the threads that share some work.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

namespace boltzmark {

/// One value per time step from each worker, and their sums.
class WorkerSums {
 public:
  explicit WorkerSums(int workers) : of_worker_(static_cast<std::size_t>(workers)) {}

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
