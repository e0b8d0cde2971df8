// Two grids with their borders on an offload device.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "common/heat/solver.hpp"
#include "common/heat/traffic.hpp"
#include "openmp_target/runtime/on_device.hpp"
#include "openmp_target/runtime/sums.hpp"

namespace boltzmark::openmp_target {
using namespace heat;

template <class T>
class DeviceGrids : public OnDevice<Solver> {
 public:
  using OnDevice<Solver>::OnDevice;

  std::string shortage(double bytes) override { return shortage_for(bytes, true); }

  void init(const Plate& plate, int) override {
    plate_ = plate;
    now_ = 0;
    if (lead_ == 1) pitch_ = plate.width + 2;
    launch_over(plate.width * plate.height);
    values_.resize(static_cast<std::size_t>(pitch_ * (plate.height + 2)));
    for (std::int64_t row = -1; row <= plate.height; ++row)
      plate.fill(row, values_.data() + (row + 1) * pitch_ + lead_ - 1);
    for (auto& grid : grids_) grid = on_device(values_, device_.number);
  }

  void collect() override { grids_[now_].read(0, grids_[now_].size(), values_.data()); }
  void read(std::int64_t row, std::span<double> values) const override {
    const T* const from = values_.data() + (row + 1) * pitch_ + lead_;
    std::copy(from, from + values.size(), values.begin());
  }

 protected:
  /// Before init: rows of whole cache lines, with room for `columns` from `lead` values on.
  void lay_out(std::int64_t lead, std::int64_t columns) {
    constexpr std::int64_t line = 128 / sizeof(T);
    lead_ = lead;
    pitch_ = (lead + columns + line - 1) / line * line;
  }

  /// Runs steps by regions region(first, count) of up to `at_once` steps, each from one grid to the other; the sums of
  /// the first step go to number `first`. A further region adds up the sums of many.
  template <class Region>
  void advance_by(int at_once, StepSums& sums, std::span<double> deltas, const Region& region) {
    const int fit = std::max(sums.steps() / at_once * at_once, 1);
    for (int done = 0, all = static_cast<int>(deltas.size()); done < all;) {
      const int count = std::min(all - done, fit);
      for (int first = 0; first < count; first += at_once, now_ = 1 - now_, ++regions_)
        region(first, std::min(at_once, count - first));
      sums.reduce(count, record_.data(), deltas.data() + done);
      ++regions_;
      done += count;
    }
  }

  Plate plate_;
  std::int64_t lead_ = 1;   ///< values of a row before column 0; the last of them is border
  std::int64_t pitch_ = 0;  ///< of rows; row 0 is border
  int now_ = 0;             ///< the grid that holds the current temperatures
  std::array<DeviceArray<T>, 2> grids_;

 private:
  std::vector<T> values_;  ///< on the host: the temperatures at the start, and when collected
};

}  // namespace boltzmark::openmp_target
