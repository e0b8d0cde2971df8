// A plate in strips of rows, one for each rank that has any, and its gathering on the root, as a variant.
#pragma once

#include <mpi.h>

#include <memory>
#include <utility>
#include <vector>

#include "common/heat/grid_solver.hpp"
#include "mpi/gathered.hpp"

namespace boltzmark::mpi {
using namespace heat;

/// A rank's rows, and as many halo rows as a Method requests towards each neighbour; without any, the rows next to the
/// strip are the neighbours'.
template <class T>
struct Strip {
  int ranks = 1;
  int north = MPI_PROC_NULL, south = MPI_PROC_NULL;  ///< ranks
  boltzmark::Range mine;                             ///< of the rows in `at`, without halos
  PlateGrids<T> at;

  Strip() = default;
  Strip(const Plate& plate, const Workers& workers, int halo_rows) : ranks(workers.ranks) {
    const auto strip_of = [&](int rank) { return part_of(plate.height, rank, ranks); };
    const boltzmark::Range rows = strip_of(workers.rank);
    // Ranks without rows are left out. Ranks with rows are adjacent even if there are more ranks than rows.
    for (int other = 0; other < ranks && rows.size() > 0; ++other) {
      if (strip_of(other).size() == 0) continue;
      if (strip_of(other).end == rows.begin) north = other;
      if (strip_of(other).begin == rows.end) south = other;
    }
    const int northern = north == MPI_PROC_NULL ? 0 : halo_rows, southern = south == MPI_PROC_NULL ? 0 : halo_rows;
    mine = {northern, northern + rows.size()};
    at = PlateGrids<T>(plate, {rows.begin - northern, rows.end + southern}, workers);
  }
};

/// A Method as in GridSolver, with a Strip instead of PlateGrids, and without workers. If it has halos,
/// halo_rows(plate, ranks) is their number of rows.
template <class T, class Method>
class StripSolver final : public Solver {
 public:
  explicit StripSolver(const Options& asked) : workers_(start_workers(asked)), method_(method_of<Method>(asked)) {}

  std::string shortage(double bytes) override { return workers_.shortage(bytes); }
  void init(const Plate& plate, int steps) override {
    int halo_rows = 0;
    if constexpr (requires { method_.halo_rows(plate, workers_.ranks); })
      halo_rows = method_.halo_rows(plate, workers_.ranks);
    strip_ = Strip<T>(plate, workers_, halo_rows);
    if constexpr (requires { method_.init(strip_, steps); }) method_.init(strip_, steps);
  }
  void advance(std::span<double> deltas) override { method_.advance(strip_, deltas); }
  int steps_per_look() const override {
    if constexpr (requires { method_.steps_per_look(); }) return method_.steps_per_look();
    return 1;
  }
  void collect() override {
    const Plate& plate = strip_.at.plate;
    gather_blocks(
        [&](int rank) {
          return Block{part_of(plate.height, rank, workers_.ranks), {0, plate.width}};
        },
        [this](std::int64_t row) { return strip_.at.grids.row(strip_.at.now, strip_.mine.begin + row); }, whole_);
  }
  void read(std::int64_t row, std::span<double> values) const override {
    std::copy_n(whole_.data() + row * strip_.at.plate.width, values.size(), values.begin());
  }
  RunFacts facts() const override { return workers_.with(method_.facts(strip_)); }

 private:
  Workers workers_;
  Method method_;
  Strip<T> strip_;
  std::vector<T> whole_;  ///< on the root
};

}  // namespace boltzmark::mpi
