// Textbook: each rank has a strip of rows. Before a step neighbours exchange their outermost rows, northwards and
// southwards; after it all ranks add up delta.
//
//     MPI_Sendrecv   northwards, southwards
//     for my cells   work = 0.2 (centre + north + south + west + east)
//     for my cells   delta += |work - centre|;   centre = work
//     MPI_Allreduce  delta
#include <cmath>

#include "mpi/heat/strip_solver.hpp"

namespace boltzmark::mpi {
namespace {

template <class T>
class Textbook : public StripSolver<T> {
 public:
  using StripSolver<T>::StripSolver;

  void advance(std::span<double> deltas) override {
    for (double& delta : deltas) {
      exchange();
      const double mine = update();
      MPI_Allreduce(&mine, &delta, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
  }

  /// The work array is written and read, the plate read twice and written.
  RunFacts facts() const override { return this->on_machine({.bytes_per_update = 5.0 * sizeof(T)}); }

 private:
  using StripSolver<T>::grids_, StripSolver<T>::rows_;

  void exchange() {
    const auto width = static_cast<int>(this->plate_.width);
    const MPI_Datatype type = value_type<T>();
    MPI_Sendrecv(grids_.row(0, 0), width, type, this->north_, 0, grids_.row(0, rows_), width, type, this->south_, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(grids_.row(0, rows_ - 1), width, type, this->south_, 0, grids_.row(0, -1), width, type, this->north_,
                 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }

  double update() {
    const std::int64_t width = this->plate_.width;
    for (std::int64_t y = 0; y < rows_; ++y) {
      const T *const north = grids_.row(0, y - 1), *const row = grids_.row(0, y), *const south = grids_.row(0, y + 1);
      T* const work = grids_.row(1, y);
      for (std::int64_t x = 0; x < width; ++x)
        work[x] = T(0.2) * (row[x] + north[x] + south[x] + row[x - 1] + row[x + 1]);
    }
    double delta = 0.0;
    for (std::int64_t y = 0; y < rows_; ++y) {
      const T* const work = grids_.row(1, y);
      T* const row = grids_.row(0, y);
      for (std::int64_t x = 0; x < width; ++x) {
        delta += std::abs(work[x] - row[x]);
        row[x] = work[x];
      }
    }
    return delta;
  }
};

}  // namespace

extern const Variant textbook =
    textbook_of<Solver, Textbook>("strips of rows, exchanged before every step; delta over ranks after it");

}  // namespace boltzmark::mpi
