// heat-kokkos: the heat equation in Kokkos.
#include "kokkos/on_space.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "common/heat/solver.hpp"

namespace boltzmark::kokkos {
namespace {
using namespace heat;

/// Two grids with their borders; row 0 and column 0 are border.
template <class T>
class Grids : public OnSpace<Solver> {
 public:
  using OnSpace<Solver>::OnSpace;
  using Grid = Kokkos::View<T**, Kokkos::LayoutRight>;

  void init(const Plate& plate, int) override {
    height_ = plate.height;
    width_ = plate.width;
    now_ = 0;
    for (auto& grid : grids_) {
      grid = of_zeros(untouched<Grid>("grid", height_ + 2, width_ + 2));
      filled(grid, [&](const auto& host) {
        for (std::int64_t row = -1; row <= height_; ++row) plate.fill(row, &host(static_cast<std::size_t>(row + 1), 0));
      });
    }
  }
  void collect() override { host_ = on_host(grids_[now_]); }
  void read(std::int64_t row, std::span<double> values) const override {
    const T* const from = &host_(static_cast<std::size_t>(row + 1), 1);
    std::copy(from, from + values.size(), values.begin());
  }

 protected:
  std::int64_t height_ = 0, width_ = 0;
  std::size_t now_ = 0;  ///< the grid that holds the temperatures of now
  std::array<Grid, 2> grids_;

 private:
  typename Grid::HostMirror host_;
};

/// Textbook: the two loops of a step, each over rows and columns, the second with a sum.
///
///     work = 0.2 (centre + north + south + west + east)
///     delta += |work - centre|;   centre = work
template <class T>
class Textbook : public Grids<T> {
 public:
  using Grids<T>::Grids;

  void advance(std::span<double> deltas) override {
    using Cells = Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>, Kokkos::IndexType<std::int64_t>>;
    const Cells cells({1, 1}, {this->height_ + 1, this->width_ + 1});
    const typename Grids<T>::Grid plate = this->grids_[0], work = this->grids_[1];
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

  /// The work array is written and read, the plate read twice and written.
  RunFacts facts() const override { return this->on_space({.bytes_per_update = 5.0 * sizeof(T)}); }
};

KERNEL_FN float absolute(float x) { return std::abs(x); }
KERNEL_FN double absolute(double x) { return std::abs(x); }

/// Cells x .. of a row, as many as Real has values: returns the sum of their changes.
template <class Real, class T>
KERNEL_FN double update_cells(const T* from, T* to, std::int64_t pitch) {
  const Real centre = load<Real>(from), sides = load<Real>(from - 1) + load<Real>(from + 1);
  const Real next = (centre + (load<Real>(from - pitch) + load<Real>(from + pitch)) + sides) * T(0.2);
  store(next, to);
  return sum_of_lanes(absolute(next - centre));
}

/// Teams: one loop, a team for each row, in vectors where the processor has them, and the grids change places.
template <class T>
class Teams : public Grids<T> {
 public:
  using Grids<T>::Grids;

  void advance(std::span<double> deltas) override {
    const std::int64_t width = this->width_, pitch = width + 2, vectors = width / lanes_of<T>;
    for (double& delta_of_step : deltas) {
      const T* const from = this->grids_[this->now_].data();
      T* const to = this->grids_[1 - this->now_].data();
      Kokkos::parallel_reduce(
          rows_policy(this->height_),
          KOKKOS_LAMBDA(const Member& team, double& delta) {
            const std::int64_t row = (team.league_rank() + 1) * pitch + 1;
            Kokkos::parallel_for(Kokkos::TeamThreadRange(team, std::int64_t{0}, vectors), [&](std::int64_t vector) {
              const std::int64_t at = row + vector * lanes_of<T>;
              delta += update_cells<Lanes<T>>(from + at, to + at, pitch);
            });
            Kokkos::parallel_for(Kokkos::TeamThreadRange(team, vectors * lanes_of<T>, width), [&](std::int64_t x) {
              delta += update_cells<T>(from + row + x, to + row + x, pitch);
            });
          },
          delta_of_step);
      this->now_ = 1 - this->now_;
    }
  }

  RunFacts facts() const override {
    return this->on_space({.bytes_per_update = 2.0 * sizeof(T), .settings = {{"vvl", lanes_of<T>}}});
  }
};

const Variant textbook = textbook_of<Solver, Textbook>(
    "a parallel_for and a parallel_reduce over rows and columns, to a work array and back");
const Variant teams = like_for_like_of<Solver, Teams>(
    "teams", "one parallel_reduce a step, a team a row, in vectors; the grids change places");

}  // namespace
}  // namespace boltzmark::kokkos

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace kokkos;
  return run_on_space(argc, argv, {textbook, teams}, "teams");
}
