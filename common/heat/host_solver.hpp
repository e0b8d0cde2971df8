// A plate in this machine's memory: what the CPU models' variants have in common.
#pragma once

#include <algorithm>
#include <cmath>

#include "common/base/real.h"
#include "common/cpu/range.hpp"
#include "common/heat/cpu/sweep.hpp"
#include "common/heat/solver.hpp"
#include "common/heat/traffic.hpp"
#include "common/run/on_host.hpp"

namespace boltzmark::heat {

template <class T>
class HostSolver : public OnHost<Solver> {
 public:
  void init(const Plate& plate, int) override { make_grids(plate, {0, plate.height}); }

  void read(std::int64_t row, std::span<double> values) const override {
    const T* const from = grids_.row(now_, row);
    std::copy(from, from + values.size(), values.begin());
  }

 protected:
  /// Rows `rows` of the plate, each worker its share of them, and of the border.
  void make_grids(const Plate& plate, Range rows) {
    plate_ = plate;
    rows_ = rows.size();
    now_ = 0;
    past_caches_ = is_beyond_caches(plate, sizeof(T));
    grids_ = Grids<T>(plate.width, rows_);
    this->on_workers([&](std::int64_t me, std::int64_t workers) {
      const Range mine = part_of(rows_, me, workers);
      const std::int64_t end = me == workers - 1 ? rows_ + 1 : mine.end;
      for (std::int64_t row = me == 0 ? -1 : mine.begin; row < end; ++row) grids_.fill(plate_, row, rows.begin + row);
    });
  }

  /// The first loop of a textbook's step, on row y: the new temperatures to a work array, which is the other grid.
  KERNEL_FN void row_to_work(std::int64_t y) {
    const T *const north = grids_.row(0, y - 1), *const row = grids_.row(0, y), *const south = grids_.row(0, y + 1);
    T* const work = grids_.row(1, y);
    const std::int64_t width = plate_.width;
    for (std::int64_t x = 0; x < width; ++x)
      work[x] = T(0.2) * (row[x] + north[x] + south[x] + row[x - 1] + row[x + 1]);
  }
  /// The second one: back, and the changes added to delta.
  KERNEL_FN void row_to_plate(std::int64_t y, double& delta) {
    const T* const work = grids_.row(1, y);
    T* const row = grids_.row(0, y);
    const std::int64_t width = plate_.width;
    for (std::int64_t x = 0; x < width; ++x) {
      delta += std::abs(work[x] - row[x]);
      row[x] = work[x];
    }
  }
  /// The work array is written and read, the plate read twice and written.
  RunFacts facts_of_textbook() const {
    return this->on_machine({.bytes_per_update = 5.0 * sizeof(T), .fetched_per_update = sizeof(T)});
  }

  /// All of a step on row y where the grids are exchanged: the new temperatures to the other one, the changes added.
  KERNEL_FN void row_to_other(std::int64_t y, double& delta) {
    const T *const north = grids_.row(now_, y - 1), *const row = grids_.row(now_, y),
                   *const south = grids_.row(now_, y + 1);
    T* const next = grids_.row(now_ + 1, y);
    const std::int64_t width = plate_.width;
    for (std::int64_t x = 0; x < width; ++x) {
      next[x] = T(0.2) * (row[x] + north[x] + south[x] + row[x - 1] + row[x + 1]);
      delta += std::abs(next[x] - row[x]);
    }
  }

  /// What a step in vectors of so many values moves.
  RunFacts facts_of_vectors(int lanes) const {
    return this->on_machine({.bytes_per_update = 2.0 * sizeof(T),
                             .write_allocate = !past_caches_,
                             .fetched_per_update = sizeof(T),
                             .settings = {{"vvl", lanes}}});
  }

  Plate plate_;
  std::int64_t rows_ = 0;  ///< in this process
  Grids<T> grids_;
  int now_ = 0;               ///< the grid with the current temperatures
  bool past_caches_ = false;  ///< whether the grids are larger than the caches, so that results are stored past them
};

}  // namespace boltzmark::heat
