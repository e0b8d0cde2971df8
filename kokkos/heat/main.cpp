// heat-kokkos: the heat equation in Kokkos.
#include "kokkos/on_space.hpp"

#include <cmath>

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
  using Host = HostSolver<T>;

  void init(const Plate& plate, int steps) override {
    Host::init(plate, steps);
    for (int i = 0; i < 2; ++i) grids_[i] = {Host::grids_.row(i, -1) - 1, plate.height + 2, Host::grids_.pitch};
  }
  void advance(std::span<double> deltas) override {
    const Cells cells({1, 1}, {this->plate_.height + 1, this->plate_.width + 1});
    const auto plate = grids_[0].there, work = grids_[1].there;
    for (double& delta_of_step : deltas) {
      Kokkos::parallel_for(
          cells, KOKKOS_LAMBDA(std::int64_t y, std::int64_t x) {
            work(y, x) = T(0.2) * (plate(y, x) + plate(y - 1, x) + plate(y + 1, x) + plate(y, x - 1) + plate(y, x + 1));
          });
      Kokkos::parallel_reduce(
          cells,
          KOKKOS_LAMBDA(std::int64_t y, std::int64_t x, double& delta) {
            delta += static_cast<double>(std::abs(work(y, x) - plate(y, x)));
            plate(y, x) = work(y, x);
          },
          delta_of_step);
    }
  }
  void collect() override { grids_[0].download(); }
  RunFacts facts() const override { return this->facts_of_textbook(); }

  Mirrored<T**> grids_[2];
};

/// Vectors: one loop over a processor's threads, each of which updates the same rows in every step, in vectors, and the
/// grids change places.
template <class T, int lanes>
struct Vectors : OnSpace<HostSolver<T>> {
  void advance(std::span<double> deltas) override {
    for (double& delta_of_step : deltas) {
      Kokkos::parallel_reduce(
          Threads(0, threads()),
          [this](std::int64_t me, double& delta) {
            const auto [begin, end] = part_of(this->plate_.height, me, threads());
            delta +=
                update_rows<T, lanes>(this->grids_, this->now_, begin, end, this->plate_.width, this->past_caches_);
          },
          delta_of_step);
      this->now_ = 1 - this->now_;
    }
  }
  RunFacts facts() const override { return this->facts_of_vectors(lanes); }
};

const Variant textbook = textbook_of<Solver, Textbook>(
    "a parallel_for and a parallel_reduce over rows and columns, to a work array and back");
const Variant vectors = like_for_like_of<Solver, Vectors>(
    "vectors", "one parallel_reduce a step over the threads, each with the same rows, in vectors");

}  // namespace
}  // namespace boltzmark::kokkos

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace kokkos;
  return run_on_space<heat::Variant>(argc, argv, {textbook}, {vectors});
}
