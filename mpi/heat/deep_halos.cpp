// Deep halos: several steps between two exchanges. Each rank has as many rows of its neighbours as a sweep has steps,
// and of each step does one row less of these, so that its own are right after the last; the sweep keeps its rows in
// cache (common/heat/cpu/skewed_sweep.hpp). Rows of a halo are done twice, here and by their owner, who counts them.
//
//     MPI_Sendrecv   `depth` rows   northwards, southwards
//     for all waves  for all steps s of a sweep   rows wave - s:   next = 0.2 (...);   delta[s] += |next - centre|
#include <optional>

#include "common/heat/cpu/skewed_sweep.hpp"
#include "common/run/vector_lengths.hpp"
#include "mpi/heat/strip_solver.hpp"

namespace boltzmark::mpi {
namespace {

template <class T, int lanes>
class DeepHalos : public StripSolver<T> {
 public:
  explicit DeepHalos(const Options& asked)
      : StripSolver<T>(asked), depth_(asked.number("time-block").value_or(usual_depth)) {}

  void init(const Plate& plate, int steps) override {
    steps_ = steps;
    const Range mine = this->find_neighbours(plate);
    if (this->ranks_ > 1) depth_ = std::clamp(static_cast<int>(plate.height / this->ranks_), 1, depth_);
    sweep_.emplace(plate.width, depth_, smallest_l2());
    const int north = this->north_ == MPI_PROC_NULL ? 0 : depth_, south = this->south_ == MPI_PROC_NULL ? 0 : depth_;
    this->make_grids(plate, {mine.begin - north, mine.end + south});
    mine_ = {north, north + mine.size()};
    rows_with_halos_ = {north > 0, static_cast<int>(this->rows_) - (south > 0), north > 0, south > 0 ? -1 : 0};
  }
  int steps_per_look() const override { return depth_; }

  void advance(std::span<double> deltas) override {
    const auto steps = static_cast<int>(deltas.size());
    std::fill(deltas.begin(), deltas.end(), 0.0);
    for (int first = 0; first < steps; first += depth_) {
      const int levels = std::min(depth_, steps - first);
      exchange();
      sweep_->run(this->grids_, this->now_, levels, rows_with_halos_, &deltas[first], mine_);
      this->now_ = (this->now_ + levels) % 2;
    }
    MPI_Allreduce(MPI_IN_PLACE, deltas.data(), steps, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }

  /// As if every step were a sweep of its own.
  RunFacts facts() const override {
    return this->on_machine(
        {.bytes_per_update = 2.0 * sizeof(T),
         .steps_per_launch = depth_,
         .traffic = swept_in_turns(this->plate_, sizeof(T), steps_, depth_, sweep_->window_bytes(this->ranks_),
                                   sweep_->near_bytes(this->ranks_),
                                   {sweep_->share_again(), sweep_->strip_bytes(this->rows_)}),
         .settings = {{"vvl", lanes}, {"strip", sweep_->strip()}}});
  }

 private:
  void exchange() {
    GridRows<T>& grids = this->grids_;
    const int values = static_cast<int>((depth_ - 1) * grids.pitch + this->plate_.width);
    const auto rows = [&](std::int64_t first) { return grids.row(this->now_, first); };
    MPI_Sendrecv(rows(mine_.begin), values, value_type<T>(), this->north_, 0, rows(mine_.end), values, value_type<T>(),
                 this->south_, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(rows(mine_.end - depth_), values, value_type<T>(), this->south_, 1, rows(mine_.begin - depth_), values,
                 value_type<T>(), this->north_, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }

  const T* row_of_mine(std::int64_t row) const override { return this->grids_.row(this->now_, mine_.begin + row); }

  int depth_;
  int steps_ = 0;             ///< of a run
  Range mine_;                ///< of the rows with halos, those of this rank
  TileRows rows_with_halos_;  ///< without the outermost, which have no neighbours here
  std::optional<SkewedSweep<T, lanes>> sweep_;
};

}  // namespace

extern const Variant deep_halos = {
    .name = "deep-halos",
    .summary = "several steps in one sweep over a strip between two exchanges of as many rows",
    .options = {vector_length_option(), time_block_option({"4", "8", "12", "16", "24", "32"})},
    .make = made_of_vvl<Solver, DeepHalos>};

}  // namespace boltzmark::mpi
