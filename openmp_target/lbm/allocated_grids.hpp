// What the variants that allocate on the device have in common.
#pragma once

#include "openmp_target/lbm/cells.hpp"
#include "openmp_target/runtime/device_memory.hpp"
#include "openmp_target/runtime/sums.hpp"

namespace boltzmark::openmp_target {

/// One or two grids on the device, and everything else that a step needs. A variant adds its steps.
template <class T, class L>
class AllocatedGrids : public DeviceGrids<T> {
 public:
  void set_start_state() override;
  void write_rows(std::int64_t first, std::int64_t rows, const T* values) override;
  bool run(int steps, double* sums) override;
  const T* fetch() override;
  Launch launch() const override { return launch_; }
  LaunchRecord record() override;
  std::int64_t regions() const override { return regions_; }
  /// Whether the device had memory for all of it.
  bool is_whole() const { return setup_ && solid_ && walls_ && sums_ && record_ && grids_; }

 protected:
  /// `most_steps`: how many are done before their sums are added up.
  AllocatedGrids(const GridSetup<T, L>& setup, int grids, int most_steps);

  /// Time steps first .. end-1; `last`: no body force after them. Their sums go to slot 0 and on. False when
  /// teams that wait for one another timed out.
  virtual bool advance(int first, int end, bool last) = 0;
  /// The body force of the first step.
  virtual void accelerate_start();
  T* grid(int number) const { return grids_.data() + number * layout_.values; }
  /// Calls use(...) with the scalars of with_scalars().
  template <class Use>
  void with_setup(Use&& use) const {
    with_scalars(layout_, relaxation_, walls_.on_device(), use);
  }

  Layout layout_;
  Relaxation<T, L> relaxation_;
  Launch launch_;
  DeviceArray<Setup<T, L>> setup_;
  DeviceArray<std::uint32_t> solid_;
  WallGains<T> walls_;
  StepSums sums_;
  DeviceArray<LaunchRecord> record_;
  std::int64_t regions_ = 0;
  int steps_done_ = 0;

  DeviceArray<T> grids_;

 private:
  int grid_count_;
  AlignedArray<T> fetched_;
};

/// `grids`, or null where they are not whole.
template <class Grids>
std::unique_ptr<Grids> whole(std::unique_ptr<Grids> grids) {
  if (!grids->is_whole()) grids.reset();
  return grids;
}

}  // namespace boltzmark::openmp_target
