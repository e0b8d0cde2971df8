// heat-mpi: the heat equation on a plate in strips of rows over ranks, each on its processors or its device.
#include <array>
#include <optional>

#include "common/heat/cpu/skewed_sweep.hpp"
#include "common/heat/solver.hpp"
#include "common/heat/traffic.hpp"
#include "mpi/device_ranks.hpp"
#include "mpi/heat/strip_solver.hpp"
#include "mpi/workers.hpp"

namespace boltzmark::mpi {
extern const heat::Variant textbook;
Program device_strips();
namespace {

// Vectors: two grids that are exchanged, updated in vectors; the outermost rows travel while the rows independent of
// them are updated, and deltas are added up over ranks once, after the last step.
//
//     post the exchange of my outermost rows
//     for my inner rows   next = 0.2 (...);   changes += |next - centre|
//     wait;   the same for my outermost rows
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

// Deep halos: several steps between two exchanges. Each rank has as many rows of its neighbours as a sweep has steps,
// and updates one row fewer of these in each step, so that its own rows are right after the last; the sweep keeps its
// rows in cache (common/heat/cpu/skewed_sweep.hpp). Halo rows are updated twice, here and by their owner, which counts
// them.
//
//     MPI_Sendrecv   `depth` rows   northwards, southwards
//     for all waves  for all steps s of a sweep   rows wave - s:   next = 0.2 (...);   delta[s] += |next - centre|
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

const Variant vectors = like_for_like_of<Solver, Vectors>(
    "vectors", "the same in vectors; the exchange overlaps with the update, and deltas are reduced at the end");
const Variant deep_halos = {
    .name = "deep-halos",
    .summary = "several steps in one sweep over a strip between two exchanges of that many rows",
    .options = {vector_length_option(), time_block_option({"4", "8", "12", "16", "24", "32"})},
    .make = made_of_vvl<Solver, DeepHalos>};

}  // namespace
}  // namespace boltzmark::mpi

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace mpi;
  return run_on_local(
      argc, argv, "heat-mpi",
      [] {
        return cpu_ranks(heat::workload, {&textbook, &vectors, &deep_halos}, "deep-halos");
      },
      device_strips);
}
