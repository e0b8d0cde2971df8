// A plate in this machine's memory: what the CPU models' variants have in common.
#pragma once

#include <algorithm>

#include "common/heat/cpu/sweep.hpp"
#include "common/heat/solver.hpp"
#include "common/run/on_host.hpp"

namespace boltzmark::heat {

template <class T>
class HostSolver : public OnHost<Solver> {
 public:
  void init(const Plate& plate, int) override {
    plate_ = plate;
    now_ = 0;
    past_caches_ = is_beyond_caches(plate, sizeof(T));
    grids_ = Grids<T>(plate.width, plate.height);
    // Each worker its share of the rows, and of the border.
    this->on_workers([this](std::int64_t me, std::int64_t workers) {
      const std::int64_t begin = me == 0 ? -1 : first_row(me, workers),
                         end = me == workers - 1 ? plate_.height + 1 : first_row(me + 1, workers);
      for (std::int64_t row = begin; row < end; ++row) grids_.fill(plate_, row, row);
    });
  }

  void read(std::int64_t row, std::span<double> values) const override {
    const T* const from = grids_.row(now_, row);
    std::copy(from, from + values.size(), values.begin());
  }

 protected:
  /// Row `share` of `of` equal parts of the rows begins with this one.
  std::int64_t first_row(std::int64_t share, std::int64_t of) const { return plate_.height * share / of; }

  Plate plate_;
  Grids<T> grids_;
  int now_ = 0;               ///< the grid that holds the temperatures of now
  bool past_caches_ = false;  ///< whether the grids are larger than the caches, so that results are stored past them
};

}  // namespace boltzmark::heat
