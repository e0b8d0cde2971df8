// Two grids with their borders, mapped to an offload device for as long as they live, and what its regions recorded.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <vector>

#include "common/cpu/memory.hpp"
#include "common/heat/solver.hpp"
#include "openmp_target/runtime/device.hpp"

namespace boltzmark::openmp_target {
using namespace heat;

template <class T>
class MappedGrids : public Solver {
 public:
  MappedGrids(const OffloadDevice& device, std::optional<int> threads)
      : device_(device), asked_threads_(threads) {}
  ~MappedGrids() override { unmap(); }

  std::string shortage(double bytes) override {
    const std::string here = memory_shortage(static_cast<std::uint64_t>(bytes));
    if (!here.empty()) return here;
    const std::string there = memory_shortage_on(device_, bytes);
    return there.empty() ? "" : fmt::format("{} on {}", there, device_.name());
  }

  void init(const Plate& plate, int) override {
    unmap();
    plate_ = plate;
    now_ = 0;
    pitch_ = plate.width + 2;
    launch_ = launch_for(device_, asked_threads_, plate.width * plate.height);
    for (auto& grid : grids_) {
      grid.resize(static_cast<std::size_t>(pitch_ * (plate.height + 2)));
      for (std::int64_t row = -1; row <= plate.height; ++row)
        plate.fill(row, grid.data() + (row + 1) * pitch_);
    }
    T *const a = grids_[0].data(), *const b = grids_[1].data();
    LaunchRecord* const record = &record_;
    const std::size_t values = grids_[0].size();
#pragma omp target enter data map(to : a [0:values], b [0:values], record [0:1]) device(device_.number)
  }

  void confirm() override {
    LaunchRecord* const record = &record_;
#pragma omp target update from(record [0:1]) device(device_.number)
    check_launches(device_, record_, regions_, launch_);
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
    RunFacts facts = device_facts(device_, launch_, record_);
    facts.bytes_per_update = values_per_update * sizeof(T);
    return facts;
  }

  OffloadDevice device_;
  std::optional<int> asked_threads_;
  Plate plate_;
  std::int64_t pitch_ = 0;  ///< of rows; row 0 and column 0 are border
  int now_ = 0;             ///< the grid that holds the temperatures of now
  Launch launch_;
  std::array<std::vector<T>, 2> grids_;
  LaunchRecord record_;
  std::int64_t regions_ = 0;

 private:
  void unmap() {
    if (grids_[0].empty()) return;
    T *const a = grids_[0].data(), *const b = grids_[1].data();
    LaunchRecord* const record = &record_;
    const std::size_t values = grids_[0].size();
#pragma omp target exit data map(delete : a [0:values], b [0:values], record [0:1]) device(device_.number)
  }
};

}  // namespace boltzmark::openmp_target
