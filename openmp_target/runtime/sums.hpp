// Sums of many steps: threads store parts of them on the device, and one region adds these up later.
#pragma once

#include "openmp_target/runtime/device_memory.hpp"
#include "openmp_target/runtime/launch.hpp"

namespace boltzmark::openmp_target {

/// Room on a device for the parts of many steps' sums: one part per step from each group of threads, written
/// by store_group_sum() of team.hpp.
class StepSums {
 public:
  /// At most `most_steps`, fewer when that many would take too much memory. `sum_group`: of the device.
  StepSums(const Launch& launch, int sum_group, int most_steps);

  /// From now on the sums have the parts of this launch, which has no more threads than the one before.
  void set_launch(const Launch& launch);

  explicit operator bool() const { return parts_ && slice_sums_; }
  int steps() const { return steps_; }
  /// On the device: where the parts of a step go; the next step's follow after groups().
  double* parts(int step) const { return parts_.data() + step * groups_; }
  std::int64_t groups() const { return groups_; }
  /// Adds up the parts of the first `steps` steps in one region, and copies the sums to the host.
  void reduce(int steps, LaunchRecord* record, double* sums) const;

 private:
  Launch launch_;
  int sum_group_;
  std::int64_t groups_;
  int slices_;  ///< sums per step that are left to the host
  int steps_;
  DeviceArray<double> parts_, slice_sums_;
};

}  // namespace boltzmark::openmp_target
