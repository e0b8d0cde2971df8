// Textbook: lattice Boltzmann as a student of Kokkos writes it. A time step is one parallel_reduce over all cells.
//
//     for every cell      read from the grid `from`          pull: what moves here, from all directions
//                         write to the grid `to`             collided, or bounced back where solid
//
// A grid is a view of cells and directions in the layout of the space: an array of structs in a processor's memory, on
// a GPU an array for each direction. The kernel is the same.
#include "kokkos/on_space.hpp"

#include "common/cpu/memory.hpp"
#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/relaxation.hpp"
#include "common/lbm/solver.hpp"
#include "common/lbm/start_state.hpp"

namespace boltzmark::kokkos {
using namespace lbm;
namespace {

template <class T, class L>
using Cells = Kokkos::View<T * [L::directions]>;

/// What arrives at a cell, each population from the neighbour against its motion. The columns, the rows of a plane and
/// the first rows of planes are those one back, here, and one on.
template <class T, class L, int... I>
KERNEL_FN Populations<T, L> arriving(const Cells<T, L>& from, const int (&columns)[3], const int (&lines)[3],
                                     const int (&planes)[3], std::int64_t nx, std::integer_sequence<int, I...>) {
  return {{from((planes[1 - Direction<L, I>::z] + lines[1 - Direction<L, I>::y]) * nx + columns[1 - Direction<L, I>::x],
                I)...}};
}

template <class T, class L>
class Textbook : public OnSpace<Solver> {
 public:
  using OnSpace<Solver>::OnSpace;

  void init(const Problem& problem) override {
    p_ = problem.parameters;
    require_memory("two grids", 2.0 * sizeof(T) * L::directions * static_cast<double>(problem.cells()));
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    constants_ = make_relaxation<T, L>(p_);
    const std::vector<std::uint8_t> solid = problem.solid_mask();
    for (auto& grid : grids_) grid = Cells<T, L>("grid", solid.size());
    // With the body force of the first step; that of a later one is the end of the step before.
    filled(grids_[0], [&](const auto& host) {
      for (std::size_t cell = 0; cell < solid.size(); ++cell) {
        const auto row = static_cast<int>(cell / p_.nx);
        const auto start = start_of(p_, static_cast<int>(cell % p_.nx), row % p_.ny, row / p_.ny, solid[cell] != 0,
                                    row % p_.ny == p_.driven_row(), constants_);
        for (int i = 0; i < L::directions; ++i) host(cell, i) = start.f[i];
      }
    });
    solid_ = in_space(solid);
    pushes_ = in_space(wall_pushes<L>(problem));
  }

  void run(int steps, std::span<double> av_vels) override {
    for (int step = 0; step < steps; ++step) {
      const bool is_last = step == steps - 1;
      av_vels[step] = do_step(grids_[0], grids_[1], is_last ? -1 : p_.driven_row()) / fluid_cells_;
      push_walls(grids_[1]);
      std::swap(grids_[0], grids_[1]);
    }
    Kokkos::fence();
  }

  void collect(State& state) override {
    const auto host = on_host(grids_[0]);
    collect_fields<L>(p_.nx, p_.ny * p_.nz, p_.density, fields_of(state),
                      [&](int i, int x, int row) { return host(std::int64_t{row} * p_.nx + x, i); });
  }

  RunFacts facts() const override { return on_space(cpu_facts<T, L>(2)); }

  /// Returns the sum of |u| over the fluid cells.
  double do_step(const Cells<T, L>& from, const Cells<T, L>& to, int driven_row) {
    const int nx = p_.nx, ny = p_.ny, rows = ny * p_.nz;
    const Kokkos::View<std::uint8_t*> solid = solid_;
    const Relaxation<T, L> c = constants_;
    double sum = 0.0;
    Kokkos::parallel_reduce(
        Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>>({0, 0}, {rows, nx}),
        KOKKOS_LAMBDA(int row, int x, double& tot_u) {
          const int y = row % ny, plane = row - y;
          const int columns[] = {x > 0 ? x - 1 : nx - 1, x, x + 1 < nx ? x + 1 : 0};
          const int lines[] = {y > 0 ? y - 1 : ny - 1, y, y + 1 < ny ? y + 1 : 0};
          const int planes[] = {plane > 0 ? plane - ny : rows - ny, plane, plane + ny < rows ? plane + ny : 0};
          const Populations<T, L> arrived =
              arriving<T, L>(from, columns, lines, planes, nx, std::make_integer_sequence<int, L::directions>{});
          const std::int64_t cell = std::int64_t{row} * nx + x;
          T speed = 0;
          const Populations<T, L> leaving =
              update_cell(arrived, moments_of(arrived, c), solid(cell) != 0, solid(cell), y == driven_row, c, &speed);
          for (int i = 0; i < L::directions; ++i) to(cell, i) = leaving.f[i];
          tot_u += static_cast<double>(speed * c.speed_unit);
        },
        sum);
    return sum;
  }

  /// What moving walls give to the populations that have just left them.
  void push_walls(const Cells<T, L>& to) {
    const Kokkos::View<WallPush*> pushes = pushes_;
    if (pushes.extent(0) == 0) return;
    Kokkos::parallel_for(
        Numbers(0, static_cast<std::int64_t>(pushes.extent(0))),
        KOKKOS_LAMBDA(std::int64_t n) { to(pushes(n).cell, pushes(n).direction) += T(pushes(n).momentum); });
  }

 private:
  Parameters p_;
  double fluid_cells_ = 0.0;
  Relaxation<T, L> constants_;
  Kokkos::View<std::uint8_t*> solid_;
  Kokkos::View<WallPush*> pushes_;
  Cells<T, L> grids_[2];
};

}  // namespace

extern const Variant textbook = textbook_of<Textbook>("views in the layout of the space, one parallel_reduce per step");

}  // namespace boltzmark::kokkos
