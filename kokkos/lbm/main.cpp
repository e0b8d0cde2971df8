// Fused and in place: two grids, or one that is updated in place. A time step is one parallel_reduce, in which a team
// has a row: its thread on a processor takes vectors, those of a GPU single cells.
#include "kokkos/on_space.hpp"

#include "common/cpu/memory.hpp"
#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/lane_step.hpp"
#include "common/lbm/solver.hpp"

namespace boltzmark::kokkos {
using namespace lbm;
extern const Variant textbook;

namespace {

/// A step, of which a team has a row, added to its sum.
template <class T, class L, Places places>
struct Step : LaneStep<Lanes<T>, L, places> {
  KOKKOS_INLINE_FUNCTION void operator()(const Member& team, double& sum) const {
    const int row = team.league_rank();
    if constexpr (is_host)
      sum += this->update_row(row);
    else
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, this->grid.vectors),
                           [&](int vector) { sum += this->update_vector(row, vector); });
  }
};

template <class T, class L, int grid_count>
class GridSolver : public OnSpace<Solver> {
 public:
  using OnSpace<Solver>::OnSpace;
  using Grid = Kokkos::View<T***, Kokkos::LayoutRight>;  ///< as LaneGrid has them

  void init(const Problem& problem) override {
    p_ = problem.parameters;
    steps_ = 0;
    layout_ = LaneGrid<Lanes<T>, L>(p_);
    require_memory(grid_count == 1 ? "one grid" : "two grids", 1.0 * grid_count * sizeof(T) * layout_.values());
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    relaxation_ = make_relaxation<T, L>(p_);
    for (auto& grid : grids_) grid = of_zeros(untouched<Grid>("grid", layout_.rows, L::directions, layout_.pitch));
    filled(grids_[0], [&](const auto& host) { solid_ = in_space(layout_.start(problem, relaxation_, host.data())); });
    set_gains(problem);
  }

  void run(int steps, std::span<double> av_vels) override {
    const Kokkos::View<double*> sums("sums", static_cast<std::size_t>(steps));
    for (int step = 0; step < steps; ++step) {
      const int driven_row = step == steps - 1 ? -1 : p_.driven_row();
      const auto sum = Kokkos::subview(sums, step);
      if constexpr (grid_count == 2)
        do_step<Places::two_grids>(grids_[step % 2], grids_[(step + 1) % 2], driven_row, sum);
      else if (step % 2 == 0)
        do_step<Places::around>(grids_[0], grids_[0], driven_row, sum);
      else
        do_step<Places::here>(grids_[0], grids_[0], driven_row, sum);
      push_walls(grids_[(step + 1) % grid_count], gains_[step % 2]);
    }
    steps_ = steps;
    const auto host = on_host(sums);
    for (int step = 0; step < steps; ++step)
      av_vels[step] = host(step) * static_cast<double>(relaxation_.speed_unit) / fluid_cells_;
  }

  void collect(State& state) override {
    const auto host = on_host(grids_[steps_ % grid_count]);
    collect_fields<L>(p_.nx, layout_.rows, p_.density, fields_of(state), [&](int i, int x, int row) {
      const Place at = has_moved(steps_) ? moved(i, x, row) : Place{row, i, x};
      return host(at.row, at.i, at.x);
    });
  }

  RunFacts facts() const override { return on_space(cpu_facts<T, L>(grid_count, {{"vvl", lanes_of<T>}})); }

  struct Place {
    int row, i, x;
  };
  struct Gain {
    Place at;
    T gain;
  };
  void push_walls(const Grid& grid, const Kokkos::View<Gain*>& gains) {
    if (gains.extent(0) == 0) return;
    Kokkos::parallel_for(
        Numbers(0, static_cast<std::int64_t>(gains.extent(0))), KOKKOS_LAMBDA(std::int64_t n) {
          const Place at = gains(n).at;
          grid(at.row, at.i, at.x) += gains(n).gain;
        });
  }

 private:
  template <Places places, class Sum>
  void do_step(const Grid& from, const Grid& to, int driven_row, const Sum& sum) {
    Kokkos::parallel_reduce(
        rows_policy(layout_.rows),
        Step<T, L, places>{{layout_, from.data(), to.data(), solid_.data(), driven_row, relaxation_}}, sum);
  }

  /// What moving walls add after steps of even and of odd number.
  void set_gains(const Problem& problem) {
    for (int odd = 0; odd < 2; ++odd) {
      std::vector<Gain> gains;
      for (const auto& [cell, i, momentum] : wall_pushes<L>(problem)) {
        const int row = static_cast<int>(cell / p_.nx), x = static_cast<int>(cell % p_.nx);
        gains.push_back({has_moved(odd + 1) ? moved(i, x, row) : Place{row, i, x}, static_cast<T>(momentum)});
      }
      gains_[odd] = in_space(gains);
    }
  }

  /// Whether after so many steps populations are with the cell that they move to, in the opposite's place.
  static bool has_moved(int steps) { return grid_count == 1 && steps % 2 != 0; }
  Place moved(int i, int x, int row) const {
    const auto on = [](int at, int by, int count) { return (at + by + count) % count; };
    return {on(row / p_.ny, L::cz[i], p_.nz) * p_.ny + on(row % p_.ny, L::cy[i], p_.ny), L::opposite[i],
            on(x, L::cx[i], p_.nx)};
  }

  Parameters p_;
  LaneGrid<Lanes<T>, L> layout_;
  int steps_ = 0;
  double fluid_cells_ = 0.0;
  Relaxation<T, L> relaxation_;
  Grid grids_[grid_count];
  Kokkos::View<std::uint32_t*> solid_;
  Kokkos::View<Gain*> gains_[2];
};

template <class T, class L>
using Fused = GridSolver<T, L, 2>;
template <class T, class L>
using InPlace = GridSolver<T, L, 1>;

const Variant fused = like_for_like_of<Fused>(
    "fused", "structure of arrays, two grids, one parallel_reduce per step, a team a row, in vectors");

const Variant in_place = {.name = "in-place",
                          .summary = "one grid, updated in place, one parallel_reduce per step, a team a row",
                          .kinds = {D3Q19::name},
                          .make = made_of<InPlace>};

}  // namespace
}  // namespace boltzmark::kokkos

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace kokkos;
  return run_on_space(argc, argv, {textbook, fused, in_place}, "fused");
}
