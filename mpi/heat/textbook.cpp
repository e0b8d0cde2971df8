// Textbook: each rank has a strip of rows. Before a step neighbours exchange their outermost rows, northwards and
// southwards; after it all ranks add up delta.
//
//     MPI_Sendrecv   northwards, southwards
//     for my cells   work = 0.2 (centre + north + south + west + east)
//     for my cells   delta += |work - centre|;   centre = work
//     MPI_Allreduce  delta
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

  RunFacts facts() const override { return this->facts_of_textbook(); }

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
    for (std::int64_t y = 0; y < rows_; ++y) this->row_to_work(y);
    double delta = 0.0;
    for (std::int64_t y = 0; y < rows_; ++y) this->row_to_plate(y, delta);
    return delta;
  }
};

}  // namespace

extern const Variant textbook =
    textbook_of<Solver, Textbook>("strips of rows, exchanged before every step; delta over ranks after it");

}  // namespace boltzmark::mpi
