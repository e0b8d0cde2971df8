// Textbook: the serial textbook on one strip of layers per rank, which are rows or in three dimensions planes, with a
// halo layer on either side.
//
//   layer layers+1       halo: first layer of the rank to the north
//   layers layers .. 1   this rank's strip
//   layer 0              halo: last layer of the rank to the south
//
//   accelerate   cells      read and write one row, in three dimensions that of every plane
//   exchange     cells      first and last layer sent, halo layers received
//   propagate    cells      read, scratch   write
//   rebound      scratch    read, cells     write    (solid)
//   collision    scratch    read, cells     write    (fluid)
//   tot_u        cells      read; the ranks' sums of all steps are added at the end
//
// The body force precedes the exchange, so the halo layers include it.
#include "common/lbm/textbook.hpp"

#include <mpi.h>

#include <optional>
#include <utility>
#include <vector>

#include "common/cpu/memory.hpp"
#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/traffic.hpp"
#include "mpi/lbm/ranks.hpp"
#include "mpi/neighbours.hpp"
#include "mpi/types.hpp"
#include "mpi/workers.hpp"

namespace boltzmark::mpi {
using namespace lbm;
namespace {

template <class Real, class L>
class Textbook final : public Solver {
 public:
  Textbook(Workers workers, const Options&)
      : workers_(std::move(workers)), rank_(workers_.rank), ranks_(workers_.ranks) {}

  void init(const Problem& problem) override {
    p_ = problem.parameters;
    rows_ = L::dimension == 2 ? 1 : p_.ny;
    expect_layers(p_, ranks_);
    layers_ = first_layer(rank_ + 1) - first_layer(rank_);
    begin_ = p_.layer_cells();
    end_ = begin_ + layers_ * p_.layer_cells();
    const auto count = static_cast<std::size_t>(end_ + p_.layer_cells());
    require_memory("two grids", 2.0 * sizeof(Cell) * static_cast<double>(count));
    constants_.emplace(p_);
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    grid_bytes_.emplace(problem, sizeof(Cell));
    solid_ = problem.solid_mask(first_layer(rank_) - 1, layers_ + 2);
    row_type_.emplace(L::directions * p_.nx, value_type<Real>());
    cells_.resize(count);
    scratch_.resize(count);
    const std::int64_t before = (first_layer(rank_) - 1) * p_.layer_cells();  // of the grid, those of the halo included
    for (std::int64_t cell = begin_; cell < end_; ++cell)
      cells_[cell] = textbook::start_of<Real, L>(p_, before + cell, solid_[cell]);
    for (WallPush push : wall_pushes<L>(problem)) {
      push.cell -= before;
      if (push.cell >= begin_ && push.cell < end_) pushes_.push_back(push);
    }
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
    mine.resize(end_ - begin_, L::dimension);
    for (std::int64_t cell = begin_; cell < end_; ++cell)
      textbook::store_macroscopic(cells_[cell], constants_->density, fields_of(mine),
                                  static_cast<std::size_t>(cell - begin_));
    for (auto field : {&State::ux, &State::uy, &State::uz, &State::density})
      if (!(mine.*field).empty()) gather(mine.*field, state.*field);
  }

  RunFacts facts() const override {
    RunFacts facts =
        workers_.with(cpu_facts<Real, L>(2,
                                         {{"halo", "sendrecv"},
                                          {"halo_messages", 2},
                                          {"halo_bytes", 2.0 * sizeof(Cell) * static_cast<double>(p_.layer_cells())},
                                          {"hosts", hosts_}},
                                         textbook::counted_flops<L>()));
    facts.traffic = textbook_traffic(*grid_bytes_, true);
    return facts;
  }

 private:
  using Cell = textbook::Cell<Real, L>;

  /// Place of a rank's strip in the grid. Strips differ by at most one layer.
  int first_layer(int rank) const { return static_cast<int>(std::int64_t{p_.layers()} * rank / ranks_); }

  Cell* layer(std::int64_t number) { return &cells_[number * p_.layer_cells()]; }

  void accelerate_flow() {
    const int driven = p_.driven_row();
    for (int kk = 1; kk <= layers_; ++kk) {
      const bool has_it = driven >= 0 && (L::dimension == 3 || driven == first_layer(rank_) + kk - 1);
      const std::int64_t begin = (std::int64_t{kk} * rows_ + (L::dimension == 3 ? driven : 0)) * p_.nx;
      for (std::int64_t cell = begin; has_it && cell < begin + p_.nx; ++cell)
        if (!solid_[cell]) textbook::accelerate(cells_[cell], *constants_);
    }
  }

  void exchange_halos() {
    const int north = (rank_ + 1) % ranks_, south = (rank_ + ranks_ - 1) % ranks_;
    const MPI_Datatype type = row_type_->type();  // counts in rows: cells may not fit in an int
    MPI_Sendrecv(layer(layers_), rows_, type, north, 0, layer(0), rows_, type, south, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(layer(1), rows_, type, south, 1, layer(layers_ + 1), rows_, type, north, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }

  void propagate() {
    Parameters strip = p_;
    (L::dimension == 2 ? strip.ny : strip.nz) = layers_ + 2;
    for (int layer = 1; layer <= layers_; ++layer)
      for (int row = 0; row < rows_; ++row)
        for (int ii = 0; ii < p_.nx; ++ii)
          textbook::propagate(cells_.data(), strip, ii, L::dimension == 2 ? layer : row, L::dimension == 2 ? 0 : layer,
                              scratch_.data());
  }

  void rebound() {
    for (std::int64_t cell = begin_; cell < end_; ++cell)
      if (solid_[cell]) textbook::rebound(scratch_[cell], cells_[cell]);
    for (const WallPush& push : pushes_) cells_[push.cell].speeds[push.direction] += Real(push.momentum);
  }

  void collision() {
    for (std::int64_t cell = begin_; cell < end_; ++cell)
      if (!solid_[cell]) textbook::collide(scratch_[cell], cells_[cell], *constants_);
  }

  double sum_of_speeds() const {
    double tot_u = 0.0;  // in double: a million cells would cost a float two digits
    for (std::int64_t cell = begin_; cell < end_; ++cell)
      if (!solid_[cell]) tot_u += textbook::speed(cells_[cell], *constants_);
    return tot_u;
  }

  /// Joins all strips on rank 0. Counts in layers, because the number of cells may not fit in an int.
  void gather(const std::vector<double>& strip, std::vector<double>& whole) const {
    std::vector<int> counts, starts;
    for (int rank = 0; rank < ranks_; ++rank) {
      starts.push_back(first_layer(rank));
      counts.push_back(first_layer(rank + 1) - first_layer(rank));
    }
    const OwnedType row(p_.nx, MPI_DOUBLE), layer(rows_, row.type());
    MPI_Gatherv(strip.data(), layers_, layer.type(), whole.data(), counts.data(), starts.data(), layer.type(), 0,
                MPI_COMM_WORLD);
  }

  Workers workers_;
  int rank_, ranks_;
  Parameters p_;
  int hosts_ = hosts_of_ranks();
  int rows_ = 1, layers_ = 0;         ///< rows in a layer, layers in the strip
  std::int64_t begin_ = 0, end_ = 0;  ///< cells of the strip, between those of the halo
  double fluid_cells_ = 0.0;
  std::optional<GridBytes> grid_bytes_;
  std::optional<OwnedType> row_type_;
  std::optional<textbook::Constants<Real, L>> constants_;
  std::vector<std::uint8_t> solid_;
  std::vector<WallPush> pushes_;
  std::vector<Cell> cells_, scratch_;
};

}  // namespace

extern const Variant textbook = textbook_of<Textbook>(
    "array of structs, strips of rows or planes over ranks, MPI_Sendrecv in every step, one MPI_Reduce", start_workers);

}  // namespace boltzmark::mpi
