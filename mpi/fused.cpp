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

#include <algorithm>

#include "common/counting.hpp"
#include "common/error.hpp"
#include "common/provenance.hpp"
#include "common/strip.hpp"
#include "mpi/library.hpp"
#include "mpi/models.hpp"

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
  Fused() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  }

  void init(const Problem& problem) override {
    nx_ = problem.parameters.nx;
    ny_ = problem.parameters.ny;
    if (ranks_ > ny_)
      throw bad_input("expected at most one rank a row, found {} ranks for {} rows", ranks_, ny_);
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    strip_.emplace(problem, first_row(rank_), first_row(rank_ + 1) - first_row(rank_), true);
    strip_->init_rows(0, strip_->rows());
    const MPI_Datatype value = sizeof(T) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE;
    northward_.emplace(+1, nx_, strip_->pitch(), value);
    southward_.emplace(-1, nx_, strip_->pitch(), value);
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
    const std::size_t mine = static_cast<std::size_t>(strip_->rows()) * nx_;
    std::vector<double> ux(mine), uy(mine), density(mine);
    strip_->collect(steps_, ux, uy, density);
    gather(ux, state.ux);
    gather(uy, state.uy);
    gather(density, state.density);
  }

  RunFacts facts() const override {
    return {.device = provenance_now().cpu,
            .driver = library_version(),
            .ranks = ranks_,
            .bytes_per_update = 2.0 * Lattice::directions * sizeof(T),
            .flops_per_update = counted_cell_flops(),
            .extra = {{"vector_lanes", Strip<T>::lanes}, {"halo", "MPI_Sendrecv"}}};
  }

 private:
  /// Where a rank's strip begins; strips differ by one row at most.
  int first_row(int rank) const { return static_cast<int>(std::int64_t{ny_} * rank / ranks_); }

  void exchange_halo_rows(int step) {
    const int north = (rank_ + 1) % ranks_, south = (rank_ + ranks_ - 1) % ranks_, rows = strip_->rows();
    MPI_Sendrecv(strip_->segment(0, rows - 1, step), 1, northward_->type(), north, 0,  //
                 strip_->segment(0, -1, step), 1, northward_->type(), south, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(strip_->segment(0, 0, step), 1, southward_->type(), south, 1,  //
                 strip_->segment(0, rows, step), 1, southward_->type(), north, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }

  /// Joins one field of all strips on rank 0, in whole rows, whose number fits an int where cells may not.
  void gather(const std::vector<double>& mine, std::vector<double>& whole) const {
    MPI_Datatype row;
    MPI_Type_contiguous(nx_, MPI_DOUBLE, &row);
    MPI_Type_commit(&row);
    std::vector<int> counts(static_cast<std::size_t>(ranks_)), starts(counts.size());
    for (int rank = 0; rank < ranks_; ++rank) {
      starts[rank] = first_row(rank);
      counts[rank] = first_row(rank + 1) - first_row(rank);
    }
    MPI_Gatherv(mine.data(), counts[rank_], row, whole.data(), counts.data(), starts.data(), row, 0,
                MPI_COMM_WORLD);
    MPI_Type_free(&row);
  }

  int rank_ = 0, ranks_ = 1, nx_ = 0, ny_ = 0, steps_ = 0;
  double fluid_cells_ = 0.0;
  std::optional<Strip<T>> strip_;
  std::optional<CrossingSegments> northward_, southward_;
};

}  // namespace

std::unique_ptr<Model> make_fused(Precision precision) {
  if (precision == Precision::f64) return std::make_unique<Fused<double>>();
  return std::make_unique<Fused<float>>();
}

}  // namespace boltzmark::mpi
