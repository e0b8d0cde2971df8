// heat-kokkos: the heat equation in Kokkos.
#include "kokkos/on_space.hpp"

#include <cmath>

#include "common/cpu/progress.hpp"
#include "common/cpu/worker_sums.hpp"
#include "common/heat/host_solver.hpp"
#include "common/run/vector_lengths.hpp"

namespace boltzmark::kokkos {
namespace {
using namespace heat;

/// Textbook: the two loops of a step, each over rows and columns, the second with a sum. Row 0 and column 0 are border.
///
///     work = 0.2 (centre + north + south + west + east)
///     delta += |work - centre|;   centre = work
template <class T>
struct Textbook : OnSpace<HostSolver<T>> {
  void init(const Plate& plate, int steps) override {
    HostSolver<T>::init(plate, steps);
    for (int i = 0; i < 2; ++i) views_[i] = {this->grids_.row(i, -1) - 1, plate.height + 2, this->grids_.pitch};
  }
  void advance(std::span<double> deltas) override {
    const auto inside = cells(1, this->plate_.height, this->plate_.width);
    const auto plate = views_[0].there, work = views_[1].there;
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
  void collect() override { views_[0].download(); }
  RunFacts facts() const override { return this->facts_of_textbook(); }

  Mirrored<T**> views_[2];
};

/// Vectors: each thread has the same rows in every step, and the grids change places. All steps are one loop of a team,
/// which waits by a count (its barrier yields early); with more threads than a team takes each step is a loop.
template <class T, int lanes>
struct Vectors : OnSpace<HostSolver<T>> {
  void advance(std::span<double> deltas) override {
    const auto steps = static_cast<int>(deltas.size());
    const auto update = [&](int me, int step) {
      const auto [begin, end] = part_of(this->plate_.height, me, threads());
      return update_rows<T, lanes>(this->grids_, this->now_ + step, begin, end, this->plate_.width, this->past_caches_);
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
    this->now_ = (this->now_ + steps) % 2;
  }
  RunFacts facts() const override { return this->facts_of_vectors(lanes); }
};

const Variant textbook = textbook_of<Solver, Textbook>(
    "a parallel_for and a parallel_reduce over rows and columns, to a work array and back");
ON_PROCESSORS(const Variant vectors = like_for_like_of<Solver, Vectors>(
                  "vectors", "each thread the same rows in every step, in vectors, all steps in one loop of a team");)

}  // namespace
}  // namespace boltzmark::kokkos

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace kokkos;
  return run_on_space(argc, argv, heat::workload, {&textbook}, {ON_PROCESSORS(&vectors)});
}
