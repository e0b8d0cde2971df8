// Fused and in place: two grids, or one that is updated in place. A time step is one parallel_reduce, in which a team
// has a row: its thread on a processor takes vectors, those of a GPU single cells.
#include "kokkos/on_space.hpp"

#include "common/cpu/memory.hpp"
#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/relaxation.hpp"
#include "common/lbm/solver.hpp"
#include "common/lbm/start_state.hpp"

namespace boltzmark::kokkos {
using namespace lbm;
extern const Variant textbook;

namespace {

/// Of populations: row (through all planes), direction, column. Rows are filled up to whole vectors.
template <class T>
using Grid = Kokkos::View<T***, Kokkos::LayoutRight>;

/// Which populations a step of a cell reads and writes. In place it is the AA pattern (Bailey, Myre, Walsh, Lilja and
/// Saar 2009, "Accelerating lattice Boltzmann fluid flow simulations using graphics processors"): a step writes where
/// it has read, and no two cells have a place in common.
enum class Places {
  two_grids,  ///< pull from the neighbours in one grid, store in the other
  around,     ///< pull from the neighbours, and store in the same places, each in its opposite's: moved already
  here,       ///< read them there in the step after, and store in the plain order
};

/// A step as a kernel, which adds |u| of the fluid cells, in units of speed_unit, to its sum.
template <class T, class L, Places places>
struct Step {
  using Real = Lanes<T>;
  using Directions = std::make_integer_sequence<int, L::directions>;

  Grid<T> from, to;                          ///< in place the same
  Kokkos::View<const std::uint32_t*> solid;  ///< a word a vector, row by row, a bit a cell, 1 beyond nx
  int vectors, nx, ny, rows, driven_row;
  Relaxation<T, L> relaxation;

  KOKKOS_INLINE_FUNCTION void operator()(const Member& team, double& sum) const {
    const int row = team.league_rank();
    Real recent = Real{};
    int count = 0;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, vectors), [&](int vector) {
      update(row, vector, recent, Directions{});
      if (++count < most_speeds_a_lane) return;
      sum += sum_of_lanes(recent);
      recent = Real{};
      count = 0;
    });
    sum += sum_of_lanes(recent);
  }

 private:
  static KERNEL_FN int within(int number, int count) {
    return number < 0 ? number + count : number >= count ? number - count : number;
  }

  template <int... I>
  KERNEL_FN void update(int row, int vector, Real& speeds, std::integer_sequence<int, I...>) const {
    const int x = vector * lanes_of<T>, y = row % ny, plane = row - y;
    const std::uint32_t bits = solid(row * vectors + vector);
    Populations<Real, L> arrived;
    if constexpr (places == Places::here)
      arrived = {{load<Real>(&from(row, int{Direction<L, I>::opposite}, x))...}};
    else
      arrived = {{load_from<-Direction<L, I>::x>(source<I>(from, y, plane), x)...}};
    const Populations<Real, L> leaving = update_cell(arrived, moments_of(arrived, relaxation), mask_of(bits), bits != 0,
                                                     y == driven_row, relaxation, &speeds);
    if constexpr (places == Places::around)
      (store_to<-Direction<L, I>::x>(leaving.f[int{Direction<L, I>::opposite}], source<I>(to, y, plane), x), ...);
    else
      (store(leaving.f[I], &to(row, I, x)), ...);
  }

  static KERNEL_FN auto mask_of(std::uint32_t bits) {
    if constexpr (is_host)
      return Real::mask_from_bits(bits);
    else
      return bits != 0;
  }

  /// Column 0 of direction I in the row that it comes from.
  template <int I>
  KERNEL_FN T* source(const Grid<T>& grid, int y, int plane) const {
    return &grid(within(plane - Direction<L, I>::z * ny, rows) + within(y - Direction<L, I>::y, ny), I, 0);
  }

  /// The columns `by` off x .. ; those round the edges one by one, and none for cells beyond nx.
  template <int by>
  KERNEL_FN Real load_from(const T* row, int x) const {
    if (x + by >= 0 && (by <= 0 || x + by + lanes_of<T> <= nx)) return load<Real>(row + x + by);
    T values[lanes_of<T>] = {};
    for (int lane = 0; lane < lanes_of<T> && x + lane < nx; ++lane) values[lane] = row[within(x + lane + by, nx)];
    return load<Real>(values);
  }
  template <int by>
  KERNEL_FN void store_to(const Real& value, T* row, int x) const {
    if (x + by >= 0 && x + (by > 0 ? by : 0) + lanes_of<T> <= nx) return store(value, row + x + by);
    T values[lanes_of<T>];
    store(value, values);
    for (int lane = 0; lane < lanes_of<T> && x + lane < nx; ++lane) row[within(x + lane + by, nx)] = values[lane];
  }
};

template <class T, class L, int grid_count>
class GridSolver : public OnSpace<Solver> {
 public:
  using OnSpace<Solver>::OnSpace;

  void init(const Problem& problem) override {
    p_ = problem.parameters;
    rows_ = p_.ny * p_.nz;
    steps_ = 0;
    vectors_ = (p_.nx + lanes_of<T> - 1) / lanes_of<T>;
    // Arrays of directions that are 4 KiB apart compete for the same places of a cache.
    const int columns = vectors_ * lanes_of<T>,
              pitch = columns + (columns * sizeof(T) % 4096 == 0 ? 64 / sizeof(T) : 0);
    require_memory(grid_count == 1 ? "one grid" : "two grids",
                   1.0 * grid_count * sizeof(T) * L::directions * pitch * rows_);
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    relaxation_ = make_relaxation<T, L>(p_);
    for (auto& grid : grids_) grid = of_zeros(untouched<Grid<T>>("grid", rows_, L::directions, pitch));
    set_cells(problem);
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
    collect_fields<L>(p_.nx, rows_, p_.density, fields_of(state), [&](int i, int x, int row) {
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
  void push_walls(const Grid<T>& grid, const Kokkos::View<Gain*>& gains) {
    if (gains.extent(0) == 0) return;
    Kokkos::parallel_for(
        Numbers(0, static_cast<std::int64_t>(gains.extent(0))), KOKKOS_LAMBDA(std::int64_t n) {
          const Place at = gains(n).at;
          grid(at.row, at.i, at.x) += gains(n).gain;
        });
  }

 private:
  template <Places places, class Sum>
  void do_step(const Grid<T>& from, const Grid<T>& to, int driven_row, const Sum& sum) {
    Kokkos::parallel_reduce(
        rows_policy(rows_),
        Step<T, L, places>{from, to, solid_, vectors_, p_.nx, p_.ny, rows_, driven_row, relaxation_}, sum);
  }

  /// With the body force of the first step; that of a later one is the end of the step before.
  void set_cells(const Problem& problem) {
    const std::vector<std::uint8_t> solid = problem.solid_mask();
    std::vector<std::uint32_t> words(static_cast<std::size_t>(rows_) * vectors_);
    filled(grids_[0], [&](const auto& host) {
      for (int row = 0; row < rows_; ++row)
        for (int x = 0; x < vectors_ * lanes_of<T>; ++x) {
          const bool is_solid = x >= p_.nx || solid[static_cast<std::size_t>(row) * p_.nx + x] != 0;
          words[static_cast<std::size_t>(row) * vectors_ + x / lanes_of<T>] |= std::uint32_t{is_solid}
                                                                               << x % lanes_of<T>;
          if (x >= p_.nx) continue;
          const auto start =
              start_of(p_, x, row % p_.ny, row / p_.ny, is_solid, row % p_.ny == p_.driven_row(), relaxation_);
          for (int i = 0; i < L::directions; ++i) host(row, i, x) = start.f[i];
        }
    });
    solid_ = in_space(words);
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
  int rows_ = 0, vectors_ = 0, steps_ = 0;
  double fluid_cells_ = 0.0;
  Relaxation<T, L> relaxation_;
  Grid<T> grids_[grid_count];
  Kokkos::View<const std::uint32_t*> solid_;
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
