// A plate in this machine's memory, or some of its rows, for the loops of the CPU models.
#pragma once

#include <algorithm>
#include <cmath>

#include "common/base/real.h"
#include "common/cpu/range.hpp"
#include "common/heat/cpu/sweep.hpp"
#include "common/run/workers.hpp"

namespace boltzmark::heat {

template <class T>
struct PlateGrids {
  Plate plate;
  std::int64_t rows = 0;  ///< in this process
  Grids<T> grids;
  int now = 0;               ///< the grid with the current temperatures
  bool past_caches = false;  ///< whether the grids exceed the caches, so that results are stored past them

  PlateGrids() = default;
  /// Makes these rows of the plate; each worker sets its share of rows and border.
  PlateGrids(const Plate& of, Range some, const Workers& workers)
      : plate(of), rows(some.size()), grids(of.width, rows), past_caches(is_beyond_caches(of, sizeof(T))) {
    workers.run([&](int me) {
      const Range mine = part_of(rows, me, workers.count);
      const std::int64_t end = me == workers.count - 1 ? rows + 1 : mine.end;
      for (std::int64_t row = me == 0 ? -1 : mine.begin; row < end; ++row) grids.fill(plate, row, some.begin + row);
    });
  }

  /// The first loop of a textbook's step, on row y: writes new temperatures to a work array, the other grid.
  KERNEL_FN void row_to_work(std::int64_t y) {
    const T *const north = grids.row(0, y - 1), *const row = grids.row(0, y), *const south = grids.row(0, y + 1);
    T* const work = grids.row(1, y);
    const std::int64_t width = plate.width;
    for (std::int64_t x = 0; x < width; ++x)
      work[x] = T(0.2) * (row[x] + north[x] + south[x] + row[x - 1] + row[x + 1]);
  }
  /// The second loop: copies them back and adds the changes to delta.
  KERNEL_FN void row_to_plate(std::int64_t y, double& delta) {
    const T* const work = grids.row(1, y);
    T* const row = grids.row(0, y);
    const std::int64_t width = plate.width;
    for (std::int64_t x = 0; x < width; ++x) {
      delta += std::abs(work[x] - row[x]);
      row[x] = work[x];
    }
  }
  /// A whole step on row y if the grids are exchanged: writes new temperatures to the other grid and adds the changes.
  KERNEL_FN void row_to_other(std::int64_t y, double& delta) {
    const T *const north = grids.row(now, y - 1), *const row = grids.row(now, y), *const south = grids.row(now, y + 1);
    T* const next = grids.row(now + 1, y);
    const std::int64_t width = plate.width;
    for (std::int64_t x = 0; x < width; ++x) {
      next[x] = T(0.2) * (row[x] + north[x] + south[x] + row[x - 1] + row[x + 1]);
      delta += std::abs(next[x] - row[x]);
    }
  }
};

/// Traffic of a textbook: the work array is written and read, the plate read twice and written.
template <class T>
RunFacts facts_of_textbook() {
  return {.bytes_per_update = 5.0 * sizeof(T), .fetched_per_update = sizeof(T)};
}
/// Traffic of a step from one grid to the other, and the same in vectors.
template <class T>
RunFacts facts_of_step() {
  return {.bytes_per_update = 2.0 * sizeof(T), .fetched_per_update = sizeof(T)};
}
template <class T>
RunFacts facts_of_vectors(const PlateGrids<T>& at, int lanes) {
  RunFacts facts = facts_of_step<T>();
  facts.write_allocate = !at.past_caches;
  facts.settings = {{"vvl", lanes}};
  return facts;
}

}  // namespace boltzmark::heat
