// A plate in this machine's memory: what the CPU models' variants have in common.
#pragma once

#include <algorithm>

#include "common/cpu/range.hpp"
#include "common/heat/cpu/sweep.hpp"
#include "common/heat/solver.hpp"
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

  /// What a step in vectors of so many values moves.
  RunFacts facts_of_vectors(int lanes) const {
    return this->on_machine(
        {.bytes_per_update = 2.0 * sizeof(T), .write_allocate = !past_caches_, .settings = {{"vvl", lanes}}});
  }

  Plate plate_;
  std::int64_t rows_ = 0;  ///< in this process
  Grids<T> grids_;
  int now_ = 0;               ///< the grid with the current temperatures
  bool past_caches_ = false;  ///< whether the grids are larger than the caches, so that results are stored past them
};

}  // namespace boltzmark::heat
