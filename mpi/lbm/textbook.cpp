// Textbook: the serial textbook on one strip of rows per rank, with a halo row on either side.
//
//   row rows+1   halo: first row of the rank to the north
//   row rows     |
//   ...          | this rank's strip
//   row 1        |
//   row 0        halo: last row of the rank to the south
//
//   accelerate   cells      read and write one row   (the rank that has the driven row)
//   exchange     cells      first and last row sent, halo rows received
//   propagate    cells      read, scratch   write
//   rebound      scratch    read, cells     write    (solid)
//   collision    scratch    read, cells     write    (fluid)
//   tot_u        cells      read; the ranks' sums of all steps are added at the end
//
// The body force comes before the exchange: the halo rows bring it along, and no rank applies it to a row
// that is not its own.
#include "common/lbm/textbook.hpp"

#include <mpi.h>

#include <optional>
#include <vector>

#include "common/base/error.hpp"
#include "common/cpu/memory.hpp"
#include "common/lbm/cpu/cpu_facts.hpp"
#include "mpi/lbm/variants.hpp"
#include "mpi/library.hpp"

namespace boltzmark::mpi {
using namespace lbm;
namespace {

template <class Real>
class Textbook : public Solver {
 public:
  Textbook() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    MPI_Type_contiguous(Lattice::directions, sizeof(Real) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE,
                        &cell_type_);
    MPI_Type_commit(&cell_type_);
  }
  ~Textbook() override { MPI_Type_free(&cell_type_); }

  void init(const Problem& problem) override {
    nx_ = problem.parameters.nx;
    ny_ = problem.parameters.ny;
    driven_row_ = problem.parameters.driven_row();
    if (ranks_ > ny_)
      throw bad_input("expected at most one rank per row, found {} ranks for {} rows", ranks_, ny_);
    rows_ = first_row(rank_ + 1) - first_row(rank_);
    const std::size_t count = static_cast<std::size_t>(rows_ + 2) * static_cast<std::size_t>(nx_);
    require_memory("two grids", 2.0 * sizeof(Cell) * static_cast<double>(count));
    constants_.emplace(problem.parameters);
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    solid_ = problem.solid_mask(first_row(rank_) - 1, rows_ + 2);
    cells_.assign(count, Cell{});  // fluid at rest
    scratch_.assign(count, Cell{});
  }

  void run(int steps, std::span<double> av_vels) override {
    std::vector<double> tot_u(static_cast<std::size_t>(steps));
    for (int step = 0; step < steps; ++step) {
      accelerate_flow();
      exchange_halos();
      propagate();
      rebound();
      collision();
      tot_u[step] = sum_of_speeds();
    }
    MPI_Reduce(tot_u.data(), av_vels.data(), steps, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    for (double& av_vel : av_vels) av_vel /= fluid_cells_;
  }

  void collect(State& state) override {
    State mine;
    mine.resize(std::int64_t{rows_} * nx_);
    for (std::int64_t cell = 0; cell < std::int64_t{rows_} * nx_; ++cell)
      textbook::store_macroscopic(cells_[nx_ + cell], constants_->density, fields_of(mine),
                                  static_cast<std::size_t>(cell));
    gather(mine.ux, state.ux);
    gather(mine.uy, state.uy);
    gather(mine.density, state.density);
  }

  RunFacts facts() const override {
    RunFacts facts = cpu_facts<Real>(2, {{"halo", "sendrecv"}});
    facts.driver = library_version();
    facts.ranks = ranks_;
    facts.flops_per_update = textbook::counted_flops();
    return facts;
  }

 private:
  using Cell = textbook::Cell<Real>;

  /// Of a rank's strip, in the grid. Strips differ by a row at most.
  int first_row(int rank) const { return static_cast<int>(std::int64_t{ny_} * rank / ranks_); }

  Cell* row(int jj) { return &cells_[static_cast<std::size_t>(jj) * static_cast<std::size_t>(nx_)]; }

  void accelerate_flow() {
    const int jj = driven_row_ - first_row(rank_) + 1;
    if (jj < 1 || jj > rows_) return;
    for (std::int64_t ii = 0; ii < nx_; ++ii)
      if (!solid_[ii + jj * nx_]) textbook::accelerate(row(jj)[ii], *constants_);
  }

  void exchange_halos() {
    const int north = (rank_ + 1) % ranks_, south = (rank_ + ranks_ - 1) % ranks_;
    MPI_Sendrecv(row(rows_), nx_, cell_type_, north, 0, row(0), nx_, cell_type_, south, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(row(1), nx_, cell_type_, south, 1, row(rows_ + 1), nx_, cell_type_, north, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }

  void propagate() {
    for (int jj = 1; jj <= rows_; ++jj)
      for (std::int64_t ii = 0; ii < nx_; ++ii) {
        const std::int64_t x_e = ii == nx_ - 1 ? 0 : ii + 1;
        const std::int64_t x_w = ii == 0 ? nx_ - 1 : ii - 1;
        textbook::propagate(row(jj - 1), row(jj), row(jj + 1), x_w, ii, x_e,
                            scratch_[ii + std::int64_t{jj} * nx_]);
      }
  }

  void rebound() {
    for (std::int64_t cell = nx_; cell < (rows_ + std::int64_t{1}) * nx_; ++cell)
      if (solid_[cell]) textbook::rebound(scratch_[cell], cells_[cell]);
  }

  void collision() {
    for (std::int64_t cell = nx_; cell < (rows_ + std::int64_t{1}) * nx_; ++cell)
      if (!solid_[cell]) textbook::collide(scratch_[cell], cells_[cell], *constants_);
  }

  double sum_of_speeds() const {
    double tot_u = 0.0;  // in double, or a million cells would cost two digits
    for (std::int64_t cell = nx_; cell < (rows_ + std::int64_t{1}) * nx_; ++cell)
      if (!solid_[cell]) tot_u += textbook::speed(cells_[cell], *constants_);
    return tot_u;
  }

  /// Joins all strips on rank 0. Counts in rows, for that of the cells may not fit an int.
  void gather(const std::vector<double>& strip, std::vector<double>& whole) const {
    std::vector<int> counts, starts;
    for (int rank = 0; rank < ranks_; ++rank) {
      starts.push_back(first_row(rank));
      counts.push_back(first_row(rank + 1) - first_row(rank));
    }
    MPI_Datatype row_type;
    MPI_Type_contiguous(nx_, MPI_DOUBLE, &row_type);
    MPI_Type_commit(&row_type);
    MPI_Gatherv(strip.data(), rows_, row_type, whole.data(), counts.data(), starts.data(), row_type, 0,
                MPI_COMM_WORLD);
    MPI_Type_free(&row_type);
  }

  int rank_ = 0, ranks_ = 1;
  int nx_ = 0, ny_ = 0, driven_row_ = 0, rows_ = 0;
  double fluid_cells_ = 0.0;
  MPI_Datatype cell_type_ = MPI_DATATYPE_NULL;
  std::optional<textbook::Constants<Real>> constants_;
  std::vector<std::uint8_t> solid_;
  std::vector<Cell> cells_, scratch_;
};

}  // namespace

std::unique_ptr<Solver> make_textbook(Precision precision) {
  if (precision == Precision::f64) return std::make_unique<Textbook<double>>();
  return std::make_unique<Textbook<float>>();
}

}  // namespace boltzmark::mpi
