// Sums of many steps: threads store parts of them on the device, and one region adds these up later.
#pragma once

#include "openmp_target/runtime/device_memory.hpp"
#include "openmp_target/runtime/launch.hpp"

namespace boltzmark::openmp_target {

/// Memory on a device for the parts of many steps' sums: one part per step from each group of threads, written by
/// store_group_sum() of team.hpp.
class StepSums {
 public:
  StepSums() = default;
  /// At most `most_steps`, fewer if these would take too much memory. `sum_group`: of the device.
  StepSums(const RegionLaunch& launch, int sum_group, int most_steps);

  /// Sets the launch that makes the parts of later sums; it must not have more threads than the one before.
  void set_launch(const RegionLaunch& launch);

  int steps() const { return steps_; }
  /// On the device: address of the parts of a step; the next step's follow after groups().
  double* parts(int step) const { return parts_.data() + step * groups_; }
  std::int64_t groups() const { return groups_; }
  /// Adds up the parts of the first `steps` steps in one region, and copies the sums to the host.
  void reduce(int steps, LaunchRecord* record, double* sums) const;

 private:
  RegionLaunch launch_;
  int sum_group_ = 1;
  std::int64_t groups_ = 0;
  int slices_ = 0;  ///< sums per step that are left to the host
  int steps_ = 0;
  DeviceArray<double> parts_, slice_sums_;
};

}  // namespace boltzmark::openmp_target
