// heat-kokkos: the heat equation in Kokkos.
#include "kokkos/on_space.hpp"

#include <cmath>

#include "common/cpu/progress.hpp"
#include "common/cpu/worker_sums.hpp"
#include "common/heat/grid_solver.hpp"

namespace boltzmark::kokkos {
namespace {
using namespace heat;

/// Textbook: the two loops of a step, each over rows and columns, the second with a sum. Row 0 and column 0 are border.
///
///     work = 0.2 (centre + north + south + west + east)
///     delta += |work - centre|;   centre = work
template <class T>
struct Textbook {
  void init(PlateGrids<T>& at, int, const Workers&) {
    for (int i = 0; i < 2; ++i) views[i] = {at.grids.row(i, -1) - 1, at.plate.height + 2, at.grids.pitch};
  }
  void advance(PlateGrids<T>& at, std::span<double> deltas, const Workers&) {
    const auto inside = cells(1, at.plate.height, at.plate.width);
    const auto plate = views[0].there, work = views[1].there;
    for (double& delta_of_step : deltas) {
      Kokkos::parallel_for(
          inside, KOKKOS_LAMBDA(std::int64_t y, std::int64_t x) {
            work(y, x) = T(0.2) * (plate(y, x) + plate(y - 1, x) + plate(y + 1, x) + plate(y, x - 1) + plate(y, x + 1));
          });
      Kokkos::parallel_reduce(
          inside,
          KOKKOS_LAMBDA(std::int64_t y, std::int64_t x, double& delta) {
            delta += static_cast<double>(std::abs(work(y, x) - plate(y, x)));
            plate(y, x) = work(y, x);
          },
          delta_of_step);
    }
  }
  void collect(PlateGrids<T>&) { views[0].download(); }
  static RunFacts facts(const PlateGrids<T>&) { return facts_of_textbook<T>(); }

  Mirrored<T**> views[2];
};

/// Vectors: each thread has the same rows in every step, and the grids are exchanged. All steps are one loop of a team,
/// whose threads wait on a count (the barrier yields early); with more threads than a team can have, each step is a
/// loop.
template <class T, int lanes>
struct Vectors {
  static void advance(PlateGrids<T>& at, std::span<double> deltas, const Workers&) {
    const auto steps = static_cast<int>(deltas.size());
    const auto update = [&](int me, int step) {
      const auto [begin, end] = part_of(at.plate.height, me, threads());
      return update_rows<T, lanes>(at.grids, at.now + step, begin, end, at.plate.width, at.past_caches);
    };
    if (threads() <= most_of_team) {
      WorkerSums sums(threads());
      Progress updates;
      Kokkos::parallel_for(Team(1, threads()), [&](const Team::member_type& team) {
        double* const mine = sums.start(team.team_rank(), steps);
        for (int step = 0; step < steps; ++step) {
          mine[step] = update(team.team_rank(), step);
          ++updates.done;
          updates.wait_for((step + std::int64_t{1}) * threads());
        }
      });
      sums.add_up(1.0, deltas);
    } else {
      for (int step = 0; step < steps; ++step)
        Kokkos::parallel_reduce(
            Threads(0, threads()), [&](std::int64_t me, double& sum) { sum += update(me, step); }, deltas[step]);
    }
    at.now = (at.now + steps) % 2;
  }
  static RunFacts facts(const PlateGrids<T>& at) { return facts_of_vectors(at, lanes); }
};

const Variant textbook =
    textbook_of("a parallel_for and a parallel_reduce over rows and columns, to a work array and back",
                by<Textbook>(start_workers));
ON_PROCESSORS(const Variant vectors = vectors_of<Vectors>(
                  "vectors", "the same rows for each thread in every step, in vectors, all steps in one loop of a team",
                  start_workers);)

}  // namespace
}  // namespace boltzmark::kokkos

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace kokkos;
  return run_on_space(argc, argv, heat::workload, {&textbook}, {ON_PROCESSORS(&vectors)});
}
