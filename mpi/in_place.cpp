// In place and wavefront over ranks: strips of rows of one grid that is updated where it lies
// (common/in_place_strip.hpp).
//
// in-place: an even step reads and writes the rows beside a row, so each rank borrows three populations of
// the row beyond either end of its strip, and returns to their places what it wrote there. An odd step needs
// nothing of anyone.
//
//   rank r+1    row 0         --- 4, 7, 8 --->  even step of rank r's last row  --- 4, 7, 8 --->  back
//   rank r      row rows-1    --- 2, 5, 6 --->  even step of rank r+1's row 0   --- 2, 5, 6 --->  back
//
// wavefront: `depth` halo rows at either end, exchanged whole before every `depth` steps, which are then done
// in one sweep. The halo rows are updated too, one fewer at either end with each step: work done twice for
// fewer and larger messages. The depth is even, so that populations are back in their own rows afterwards.
//
//   step 0    halo [ - x x x ]  own rows [ x x x x x x x x ]  [ x x x - ] halo
//   step 1         [ - - x x ]           [ x x x x x x x x ]  [ x x - - ]
//   step 2         [ - - - x ]           [ x x x x x x x x ]  [ x - - - ]
//   step 3         [ - - - - ]           [ x x x x x x x x ]  [ - - - - ]
#include <fmt/format.h>
#include <mpi.h>

#include "common/counting.hpp"
#include "common/error.hpp"
#include "common/in_place_strip.hpp"
#include "common/provenance.hpp"
#include "common/wavefront.hpp"
#include "mpi/library.hpp"
#include "mpi/models.hpp"
#include "mpi/ranks.hpp"

namespace boltzmark::mpi {
namespace {

/// The places of a row that a neighbour's cells read and write in an even step, as one MPI type that starts
/// at the row's first value.
class CrossingPlaces {
 public:
  CrossingPlaces(int cy, int vectors, int lanes, MPI_Datatype value) {
    std::vector<int> starts;
    for (int vector = 0; vector < vectors; ++vector)
      for (int i = 0; i < Lattice::directions; ++i)
        if (Lattice::cy[i] == cy) starts.push_back((vector * Lattice::directions + i) * lanes);
    MPI_Type_create_indexed_block(static_cast<int>(starts.size()), lanes, starts.data(), value, &type_);
    MPI_Type_commit(&type_);
  }
  CrossingPlaces(const CrossingPlaces&) = delete;
  CrossingPlaces& operator=(const CrossingPlaces&) = delete;
  ~CrossingPlaces() { MPI_Type_free(&type_); }
  MPI_Datatype type() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

template <class T>
class InPlace : public Model {
 public:
  InPlace(const RowKernels<T>& kernels, std::optional<int> time_block)
      : kernels_(kernels), time_block_(time_block) {}

  void init(const Problem& problem) override {
    ranks_.emplace(problem.parameters.nx, problem.parameters.ny);
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    depth_ = choose_depth(problem.parameters.nx);
    strip_.emplace(problem, ranks_->first_row(), ranks_->rows(), depth_, kernels_);
    strip_->init_rows(-depth_, ranks_->rows() + depth_);
    const MPI_Datatype value = sizeof(T) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE;
    northward_.emplace(+1, strip_->vectors(), strip_->lanes(), value);
    southward_.emplace(-1, strip_->vectors(), strip_->lanes(), value);
    MPI_Type_contiguous(static_cast<int>(strip_->pitch()), value, &row_);
    MPI_Type_commit(&row_);
  }

  ~InPlace() override {
    if (row_ != MPI_DATATYPE_NULL) MPI_Type_free(&row_);
  }

  void run(int steps, std::span<double> av_vels) override {
    std::vector<double> sums(static_cast<std::size_t>(steps));
    if (depth_ > 1)
      run_blocks(steps, sums);
    else
      run_steps(steps, sums);
    MPI_Reduce(sums.data(), av_vels.data(), steps, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    for (double& average : av_vels) average *= strip_->speed_unit() / fluid_cells_;
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
            .grids = 1,
            .bytes_per_update = 2.0 * Lattice::directions * sizeof(T),
            .flops_per_update = counted_cell_flops(),
            .extra = {{"vector_lanes", kernels_.lanes},
                      {"vectors", kernels_.name},
                      {"time_block", depth_},
                      {"halo", depth_ > 1 ? "non-blocking, time_block rows" : "MPI_Sendrecv"}}};
  }

 private:
  /// As asked for or as the caches have it, but never more than the shortest strip has rows: halo rows come
  /// from the next rank alone. Without a wish also no more than makes one row in sixteen be done twice.
  int choose_depth(int nx) const {
    const std::size_t row_bytes = static_cast<std::size_t>(nx) * Lattice::directions * sizeof(T);
    const int rows = ranks_->fewest_rows();
    const int wanted = time_block_.value_or(std::min(default_time_block(row_bytes), std::max(4, rows / 16)));
    const int possible = std::min(wanted, rows);
    return possible > 1 ? possible / 2 * 2 : 1;
  }

  void run_steps(int steps, std::vector<double>& sums) {
    const int rows = strip_->rows();
    for (int step = 0; step < steps; ++step) {
      const bool last = step == steps - 1;
      if (step % 2 == 0) borrow_crossing();
      for (int y = 0; y < rows; ++y) sums[step] += strip_->update_row(y, step, last);
      if (step % 2 == 0 && !last) return_crossing();
    }
  }

  void run_blocks(int steps, std::vector<double>& sums) {
    const int rows = strip_->rows();
    for (int first = 0; first < steps; first += depth_) {
      const int levels = std::min(depth_, steps - first);
      exchange_rows(levels);
      run_trapezoid(rows, levels, [&](int y, int level) {
        const double sum = strip_->update_row(y, first + level, first + level == steps - 1);
        if (y >= 0 && y < rows) sums[first + level] += sum;
      });
    }
  }

  void borrow_crossing() {
    const int rows = strip_->rows();
    MPI_Sendrecv(strip_->row(rows - 1), 1, northward_->type(), ranks_->north(), 0,  //
                 strip_->row(-1), 1, northward_->type(), ranks_->south(), 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(strip_->row(0), 1, southward_->type(), ranks_->south(), 1,  //
                 strip_->row(rows), 1, southward_->type(), ranks_->north(), 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }

  void return_crossing() {
    const int rows = strip_->rows();
    MPI_Sendrecv(strip_->row(-1), 1, northward_->type(), ranks_->south(), 2,  //
                 strip_->row(rows - 1), 1, northward_->type(), ranks_->north(), 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(strip_->row(rows), 1, southward_->type(), ranks_->north(), 3,  //
                 strip_->row(0), 1, southward_->type(), ranks_->south(), 3, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }

  /// The `count` rows next to either end, from the neighbours that own them.
  void exchange_rows(int count) {
    const int rows = strip_->rows();
    MPI_Request requests[4];
    MPI_Irecv(strip_->row(-count), count, row_, ranks_->south(), 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(strip_->row(rows), count, row_, ranks_->north(), 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(strip_->row(rows - count), count, row_, ranks_->north(), 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(strip_->row(0), count, row_, ranks_->south(), 1, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  }

  const RowKernels<T>& kernels_;
  std::optional<int> time_block_;
  int depth_ = 1, steps_ = 0;
  double fluid_cells_ = 0.0;
  std::optional<Ranks> ranks_;
  std::optional<InPlaceStrip<T>> strip_;
  std::optional<CrossingPlaces> northward_, southward_;
  MPI_Datatype row_ = MPI_DATATYPE_NULL;
};

}  // namespace

std::unique_ptr<Model> make_in_place(Precision precision, std::optional<int> lanes,
                                     std::optional<int> time_block) {
  if (time_block && *time_block > 1 && *time_block % 2 != 0)
    throw bad_input("--time-block: expected 1 or an even number of steps with ranks, found {}", *time_block);
  if (precision == Precision::f64)
    return std::make_unique<InPlace<double>>(row_kernels<double>(lanes), time_block);
  return std::make_unique<InPlace<float>>(row_kernels<float>(lanes), time_block);
}

}  // namespace boltzmark::mpi
