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
struct Steps {
  static void advance(Strip<T>& strip, std::span<double> deltas) {
    for (double& delta : deltas) {
      exchange(strip);
      const double mine = update(strip.at);
      MPI_Allreduce(&mine, &delta, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
  }

  static void exchange(Strip<T>& strip) {
    PlateGrids<T>& at = strip.at;
    const auto width = static_cast<int>(at.plate.width);
    const auto row = [&](std::int64_t y) { return at.grids.row(0, y); };
    const MPI_Datatype type = value_type<T>();
    MPI_Sendrecv(row(0), width, type, strip.north, 0, row(at.rows), width, type, strip.south, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(row(at.rows - 1), width, type, strip.south, 0, row(-1), width, type, strip.north, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
  /// A separate function, so that its loops have all registers.
  [[gnu::noinline]] static double update(PlateGrids<T>& at) {
    for (std::int64_t y = 0; y < at.rows; ++y) at.row_to_work(y);
    double delta = 0.0;
    for (std::int64_t y = 0; y < at.rows; ++y) at.row_to_plate(y, delta);
    return delta;
  }
  static RunFacts facts(const Strip<T>&) { return facts_of_textbook<T>(); }
};

template <class T>
using Textbook = StripSolver<T, Steps<T>>;

}  // namespace

extern const Variant textbook = textbook_of<Solver, Textbook>(
    "strips of rows; halo rows are exchanged before every step, and the delta is reduced over ranks after it");

}  // namespace boltzmark::mpi
