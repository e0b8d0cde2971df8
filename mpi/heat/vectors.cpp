// Vectors: two grids that are exchanged, updated in vectors; the outermost rows travel while the rows independent of
// them are updated, and deltas are added up over ranks once, after the last step.
//
//     post the exchange of my outermost rows
//     for my inner rows   next = 0.2 (...);   changes += |next - centre|
//     wait;   the same for my outermost rows
#include <array>

#include "mpi/heat/strip_solver.hpp"

namespace boltzmark::mpi {
namespace {

template <class T, int lanes>
struct InVectors {
  static void init(Strip<T>& strip, int) {
    const double bytes = strip.at.plate.bytes(sizeof(T)) / strip.ranks;
    strip.at.past_caches = bytes > static_cast<double>(smallest_last_level());
  }
  static void advance(Strip<T>& strip, std::span<double> deltas) {
    PlateGrids<T>& at = strip.at;
    const std::int64_t rows = at.rows;
    const auto update = [&](std::int64_t begin, std::int64_t end) {
      return update_rows<T, lanes>(at.grids, at.now, begin, end, at.plate.width, at.past_caches);
    };
    for (double& delta : deltas) {
      std::array<MPI_Request, 4> requests = post_exchange(strip);
      delta = update(1, rows - 1);
      MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
      delta += update(0, std::min<std::int64_t>(1, rows)) + update(std::max<std::int64_t>(1, rows - 1), rows);
      at.now = 1 - at.now;
    }
    MPI_Allreduce(MPI_IN_PLACE, deltas.data(), static_cast<int>(deltas.size()), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }

  static std::array<MPI_Request, 4> post_exchange(Strip<T>& strip) {
    const auto width = static_cast<int>(strip.at.plate.width);
    const auto row = [&at = strip.at](std::int64_t y) { return at.grids.row(at.now, y); };
    const std::int64_t rows = strip.at.rows;
    std::array<MPI_Request, 4> requests;
    MPI_Irecv(row(rows), width, value_type<T>(), strip.south, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(row(-1), width, value_type<T>(), strip.north, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(row(0), width, value_type<T>(), strip.north, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(row(rows - 1), width, value_type<T>(), strip.south, 1, MPI_COMM_WORLD, &requests[3]);
    return requests;
  }
  static RunFacts facts(const Strip<T>& strip) { return facts_of_vectors(strip.at, lanes); }
};

template <class T, int lanes>
using Vectors = StripSolver<T, InVectors<T, lanes>>;

}  // namespace

extern const Variant vectors = like_for_like_of<Solver, Vectors>(
    "vectors", "the same in vectors; the exchange overlaps with the update, and deltas are reduced at the end");

}  // namespace boltzmark::mpi
