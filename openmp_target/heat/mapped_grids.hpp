// Two grids with their borders, mapped to an offload device for as long as they live.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "common/heat/solver.hpp"
#include "openmp_target/runtime/on_device.hpp"
#include "openmp_target/runtime/team.hpp"

namespace boltzmark::openmp_target {
using namespace heat;

template <class T>
class MappedGrids : public OnDevice<Solver> {
 public:
  using OnDevice<Solver>::OnDevice;
  ~MappedGrids() override { unmap(); }

  std::string shortage(double bytes) override { return shortage_for(bytes, true); }

  void init(const Plate& plate, int) override {
    unmap();
    plate_ = plate;
    now_ = 0;
    pitch_ = plate.width + 2;
    launch_over(plate.width * plate.height);
    for (auto& grid : grids_) {
      grid.resize(static_cast<std::size_t>(pitch_ * (plate.height + 2)));
      for (std::int64_t row = -1; row <= plate.height; ++row) plate.fill(row, grid.data() + (row + 1) * pitch_);
    }
    T *const a = grids_[0].data(), *const b = grids_[1].data();
    const std::size_t values = grids_[0].size();
#pragma omp target enter data map(to : a [0:values], b [0:values]) device(device_.number)
  }

  void collect() override {
    T* const now = grids_[now_].data();
    const std::size_t values = grids_[0].size();
#pragma omp target update from(now [0:values]) device(device_.number)
  }
  void read(std::int64_t row, std::span<double> values) const override {
    const T* const from = grids_[now_].data() + (row + 1) * pitch_ + 1;
    std::copy(from, from + values.size(), values.begin());
  }

 protected:
  RunFacts facts_with(double values_per_update) const {
    RunFacts facts = OnDevice::facts();
    facts.bytes_per_update = values_per_update * sizeof(T);
    return facts;
  }

  Plate plate_;
  std::int64_t pitch_ = 0;  ///< of rows; row 0 and column 0 are border
  int now_ = 0;             ///< the grid that holds the temperatures of now
  std::array<std::vector<T>, 2> grids_;

 private:
  void unmap() {
    if (grids_[0].empty()) return;
    T *const a = grids_[0].data(), *const b = grids_[1].data();
    const std::size_t values = grids_[0].size();
#pragma omp target exit data map(delete : a [0:values], b [0:values]) device(device_.number)
  }
};

}  // namespace boltzmark::openmp_target
