// Vectors: two grids that change places, updated in vectors; the outermost rows travel while those that need none of
// them are done, and deltas are added up over ranks once, after the last step.
//
//     post the exchange of my outermost rows
//     for my inner rows   next = 0.2 (...);   changes += |next - centre|
//     wait;   the same for my outermost rows
#include <array>

#include "common/heat/cpu/sweep.hpp"
#include "common/run/vector_lengths.hpp"
#include "mpi/heat/strip_solver.hpp"

namespace boltzmark::mpi {
namespace {

template <class T, int lanes>
class Vectors : public StripSolver<T> {
 public:
  using StripSolver<T>::StripSolver;

  void init(const Plate& plate, int steps) override {
    StripSolver<T>::init(plate, steps);
    past_caches_ = plate.bytes(sizeof(T)) / this->ranks_ > static_cast<double>(smallest_last_level());
  }

  void advance(std::span<double> deltas) override {
    for (double& delta : deltas) {
      std::array<MPI_Request, 4> requests = post_exchange();
      delta = update(1, rows_ - 1);
      MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
      delta += update(0, std::min<std::int64_t>(1, rows_)) + update(std::max<std::int64_t>(1, rows_ - 1), rows_);
      now_ = 1 - now_;
    }
    MPI_Allreduce(MPI_IN_PLACE, deltas.data(), static_cast<int>(deltas.size()), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }

  RunFacts facts() const override { return this->facts_of_vectors(lanes); }

 private:
  using StripSolver<T>::grids_, StripSolver<T>::now_, StripSolver<T>::past_caches_, StripSolver<T>::rows_;

  std::array<MPI_Request, 4> post_exchange() {
    const auto width = static_cast<int>(this->plate_.width);
    std::array<MPI_Request, 4> requests;
    MPI_Irecv(grids_.row(now_, rows_), width, value_type<T>(), this->south_, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(grids_.row(now_, -1), width, value_type<T>(), this->north_, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(grids_.row(now_, 0), width, value_type<T>(), this->north_, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(grids_.row(now_, rows_ - 1), width, value_type<T>(), this->south_, 1, MPI_COMM_WORLD, &requests[3]);
    return requests;
  }

  double update(std::int64_t begin, std::int64_t end) {
    return update_rows<T, lanes>(grids_, now_, begin, end, this->plate_.width, past_caches_);
  }
};

}  // namespace

extern const Variant vectors = like_for_like_of<Solver, Vectors>(
    "vectors", "the same in vectors, rows exchanged behind the work, deltas at the end");

}  // namespace boltzmark::mpi
