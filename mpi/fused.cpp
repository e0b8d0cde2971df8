// Fused over ranks: strips of rows with one halo row at each end, exchanged before every step.
//
//   rank r+1    |  row 0                           |  --- directions 4, 7, 8 --->  halo row `rows` of rank r
//   rank r      |  row rows-1                      |  --- directions 2, 5, 6 --->  halo row -1 of rank r+1
//               |  ...                             |
//               |  row 0                           |  --- directions 4, 7, 8 --->  halo row `rows` of rank
//               r-1
//
// The exchange is the published one (Rutterford): MPI_Sendrecv up, then down, with only the three directions
// that cross; average velocities are summed once, after the last step.
#include <fmt/format.h>
#include <mpi.h>

#include "common/counting.hpp"
#include "common/provenance.hpp"
#include "common/strip.hpp"
#include "mpi/library.hpp"
#include "mpi/models.hpp"
#include "mpi/ranks.hpp"

namespace boltzmark::mpi {
namespace {

/// The segments of a row that cross to the row above (cy = 1) or below (cy = -1), with their ghost columns,
/// as one MPI type that starts at direction 0 of x = 0.
class CrossingSegments {
 public:
  CrossingSegments(int cy, int nx, int pitch, MPI_Datatype value) {
    std::vector<int> starts;
    for (int i = 0; i < Lattice::directions; ++i)
      if (Lattice::cy[i] == cy) starts.push_back(i * pitch - 1);
    MPI_Type_create_indexed_block(static_cast<int>(starts.size()), nx + 2, starts.data(), value, &type_);
    MPI_Type_commit(&type_);
  }
  CrossingSegments(const CrossingSegments&) = delete;
  CrossingSegments& operator=(const CrossingSegments&) = delete;
  ~CrossingSegments() { MPI_Type_free(&type_); }
  MPI_Datatype type() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

template <class T>
class Fused : public Model {
 public:
  void init(const Problem& problem) override {
    ranks_.emplace(problem.parameters.nx, problem.parameters.ny);
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    strip_.emplace(problem, ranks_->first_row(), ranks_->rows(), true);
    strip_->init_rows(0, strip_->rows());
    const MPI_Datatype value = sizeof(T) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE;
    northward_.emplace(+1, problem.parameters.nx, strip_->pitch(), value);
    southward_.emplace(-1, problem.parameters.nx, strip_->pitch(), value);
  }

  void run(int steps, std::span<double> av_vels) override {
    strip_->accelerate_start();
    std::vector<double> sums(static_cast<std::size_t>(steps));
    for (int step = 0; step < steps; ++step) {
      exchange_halo_rows(step);
      sums[step] = strip_->update_rows(0, strip_->rows(), step, step == steps - 1);
    }
    MPI_Reduce(sums.data(), av_vels.data(), steps, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    for (double& average : av_vels) average /= fluid_cells_;
    steps_ = steps;
  }

  void collect(State& state) override {
    ranks_->gather(state, [this](std::span<double> ux, std::span<double> uy, std::span<double> density) {
      strip_->collect(steps_, ux, uy, density);
    });
  }

  RunFacts facts() const override {
    return {.device = provenance_now().cpu,
            .driver = library_version(),
            .ranks = ranks_->size(),
            .bytes_per_update = 2.0 * Lattice::directions * sizeof(T),
            .flops_per_update = counted_cell_flops(),
            .extra = {{"vector_lanes", Strip<T>::lanes}, {"halo", "MPI_Sendrecv"}}};
  }

 private:
  void exchange_halo_rows(int step) {
    const int north = ranks_->north(), south = ranks_->south(), rows = strip_->rows();
    MPI_Sendrecv(strip_->segment(0, rows - 1, step), 1, northward_->type(), north, 0,  //
                 strip_->segment(0, -1, step), 1, northward_->type(), south, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(strip_->segment(0, 0, step), 1, southward_->type(), south, 1,  //
                 strip_->segment(0, rows, step), 1, southward_->type(), north, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }

  int steps_ = 0;
  double fluid_cells_ = 0.0;
  std::optional<Ranks> ranks_;
  std::optional<Strip<T>> strip_;
  std::optional<CrossingSegments> northward_, southward_;
};

}  // namespace

std::unique_ptr<Model> make_fused(Precision precision) {
  if (precision == Precision::f64) return std::make_unique<Fused<double>>();
  return std::make_unique<Fused<float>>();
}

}  // namespace boltzmark::mpi
