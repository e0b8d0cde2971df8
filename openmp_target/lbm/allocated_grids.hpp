// What the variants that allocate on the device have in common.
#pragma once

#include "openmp_target/lbm/cells.hpp"
#include "openmp_target/runtime/device_memory.hpp"
#include "openmp_target/runtime/sums.hpp"

namespace boltzmark::openmp_target {

/// One or two grids on the device, and everything else that a step needs. A variant adds its steps.
template <class T>
class AllocatedGrids : public DeviceGrids<T> {
 public:
  void set_start_state() override;
  bool run(int steps, double* sums) override;
  const T* fetch() override;
  Launch launch() const override { return launch_; }
  LaunchRecord record() override;
  std::int64_t regions() const override { return regions_; }
  /// Whether the device had memory for all of it.
  bool is_whole() const { return setup_ && solid_ && sums_ && record_ && grids_; }

 protected:
  /// `most_steps`: how many are done before their sums are added up.
  AllocatedGrids(const GridSetup<T>& setup, int grids, int most_steps);

  /// Time steps first .. end-1; `last`: no body force after them. Their sums go to slot 0 and on. False when
  /// teams that wait for one another timed out.
  virtual bool advance(int first, int end, bool last) = 0;
  T* grid(int number) const { return grids_.data() + number * layout_.values; }

  Layout layout_;
  Relaxation<T> relaxation_;
  Launch launch_;
  DeviceArray<Setup<T>> setup_;
  DeviceArray<std::uint32_t> solid_;
  StepSums sums_;
  DeviceArray<LaunchRecord> record_;
  std::int64_t regions_ = 0;
  int steps_done_ = 0;

 private:
  void accelerate_start();

  int grid_count_;
  DeviceArray<T> grids_;
  AlignedArray<T> fetched_;
};

/// `grids`, or null where they are not whole.
template <class Grids>
std::unique_ptr<Grids> whole(std::unique_ptr<Grids> grids) {
  if (!grids->is_whole()) grids.reset();
  return grids;
}

}  // namespace boltzmark::openmp_target
