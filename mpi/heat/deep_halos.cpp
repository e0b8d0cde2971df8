// Deep halos: several steps between two exchanges. Each rank has as many rows of its neighbours as a sweep has steps,
// and updates one row fewer of these in each step, so that its own rows are right after the last; the sweep keeps its
// rows in cache (common/heat/cpu/skewed_sweep.hpp). Halo rows are updated twice, here and by their owner, which counts
// them.
//
//     MPI_Sendrecv   `depth` rows   northwards, southwards
//     for all waves  for all steps s of a sweep   rows wave - s:   next = 0.2 (...);   delta[s] += |next - centre|
#include <optional>

#include "common/heat/cpu/skewed_sweep.hpp"
#include "common/heat/traffic.hpp"
#include "mpi/heat/strip_solver.hpp"

namespace boltzmark::mpi {
namespace {

template <class T, int lanes>
class Sweeps {
 public:
  explicit Sweeps(const Options& asked) : depth_(asked.number("time-block").value_or(usual_depth)) {}

  int halo_rows(const Plate& plate, int ranks) {
    if (ranks > 1) depth_ = std::clamp(static_cast<int>(plate.height / ranks), 1, depth_);
    return depth_;
  }
  void init(const Strip<T>& strip, int steps) {
    steps_ = steps;
    sweep_.emplace(strip.at.plate.width, depth_, smallest_l2());
    const int north = strip.mine.begin > 0, south = strip.mine.end < strip.at.rows;
    rows_ = {north, static_cast<int>(strip.at.rows) - south, north, -south};
  }
  int steps_per_look() const { return depth_; }

  void advance(Strip<T>& strip, std::span<double> deltas) {
    const auto steps = static_cast<int>(deltas.size());
    std::fill(deltas.begin(), deltas.end(), 0.0);
    for (int first = 0; first < steps; first += depth_) {
      const int levels = std::min(depth_, steps - first);
      exchange(strip);
      sweep_->run(strip.at.grids, strip.at.now, levels, rows_, &deltas[first], strip.mine);
      strip.at.now = (strip.at.now + levels) % 2;
    }
    MPI_Allreduce(MPI_IN_PLACE, deltas.data(), steps, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }

  /// Counted as if every step were a separate sweep.
  RunFacts facts(const Strip<T>& strip) const {
    return {.bytes_per_update = 2.0 * sizeof(T),
            .steps_per_launch = depth_,
            .traffic = swept_in_turns(strip.at.plate, sizeof(T), steps_, depth_, sweep_->window_bytes(strip.ranks),
                                      sweep_->near_bytes(strip.ranks),
                                      {sweep_->share_again(), sweep_->strip_bytes(strip.at.rows)}),
            .settings = {{"vvl", lanes}, {"strip", sweep_->strip()}}};
  }

 private:
  void exchange(Strip<T>& strip) const {
    PlateGrids<T>& at = strip.at;
    const boltzmark::Range mine = strip.mine;
    const int values = static_cast<int>((depth_ - 1) * at.grids.pitch + at.plate.width);
    const auto rows = [&](std::int64_t first) { return at.grids.row(at.now, first); };
    MPI_Sendrecv(rows(mine.begin), values, value_type<T>(), strip.north, 0, rows(mine.end), values, value_type<T>(),
                 strip.south, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(rows(mine.end - depth_), values, value_type<T>(), strip.south, 1, rows(mine.begin - depth_), values,
                 value_type<T>(), strip.north, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }

  int depth_;
  int steps_ = 0;  ///< of a run
  TileRows rows_;  ///< with halos, without the outermost rows, which have no neighbours here
  std::optional<SkewedSweep<T, lanes>> sweep_;
};

template <class T, int lanes>
using DeepHalos = StripSolver<T, Sweeps<T, lanes>>;

}  // namespace

extern const Variant deep_halos = {
    .name = "deep-halos",
    .summary = "several steps in one sweep over a strip between two exchanges of that many rows",
    .options = {vector_length_option(), time_block_option({"4", "8", "12", "16", "24", "32"})},
    .make = made_of_vvl<Solver, DeepHalos>};

}  // namespace boltzmark::mpi
