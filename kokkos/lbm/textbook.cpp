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
using Grid = Kokkos::View<T * [L::directions]>;

/// What arrives at a cell, each population from the neighbour against its motion. The columns, the rows of a plane and
/// the first rows of planes are those one back, here, and one on.
template <class T, class L, int... I>
KERNEL_FN Populations<T, L> arriving(const Grid<T, L>& from, const std::int64_t (&columns)[3],
                                     const std::int64_t (&lines)[3], const std::int64_t (&planes)[3], std::int64_t nx,
                                     std::integer_sequence<int, I...>) {
  return {{from((planes[1 - Direction<L, I>::z] + lines[1 - Direction<L, I>::y]) * nx + columns[1 - Direction<L, I>::x],
                I)...}};
}

template <class T, class L>
struct Textbook : OnSpace<OnHost<Solver>> {
  void init(const Problem& problem) override {
    p_ = problem.parameters;
    solid_ = problem.solid_mask();
    pushes_ = wall_pushes<L>(problem);
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    constants_ = make_relaxation<T, L>(p_);
    require_memory("two grids", 2.0 * sizeof(T) * L::directions * static_cast<double>(problem.cells()));
    for (auto& grid : grids_) grid = Grid<T, L>("grid", solid_.size());
    // With the body force of the first step; that of a later one is the end of the step before.
    const auto host = Kokkos::create_mirror_view(grids_[0]);
    for (int cell = 0; cell < problem.cells(); ++cell) {
      const int x = cell % p_.nx, y = cell / p_.nx % p_.ny, z = cell / p_.nx / p_.ny;
      const auto start = start_of(p_, x, y, z, solid_[cell] != 0, y == p_.driven_row(), constants_);
      for (int i = 0; i < L::directions; ++i) host(cell, i) = start.f[i];
    }
    Kokkos::deep_copy(grids_[0], host);
  }

  void run(int steps, std::span<double> av_vels) override {
    const std::int64_t nx = p_.nx, ny = p_.ny, rows = ny * p_.nz;
    const auto solid = Mirrored<std::uint8_t*>(solid_.data(), solid_.size()).there;
    const auto pushes = Mirrored<WallPush*>(pushes_.data(), pushes_.size()).there;
    const Relaxation<T, L> c = constants_;
    for (int step = 0; step < steps; ++step) {
      const Grid<T, L> from = grids_[0], to = grids_[1];
      const int driven_row = step == steps - 1 ? -1 : p_.driven_row();
      Kokkos::parallel_reduce(
          Cells({0, 0}, {rows, nx}),
          KOKKOS_LAMBDA(std::int64_t row, std::int64_t x, double& tot_u) {
            const std::int64_t y = row % ny, plane = row - y, cell = row * nx + x;
            const std::int64_t columns[] = {x > 0 ? x - 1 : nx - 1, x, x + 1 < nx ? x + 1 : 0};
            const std::int64_t lines[] = {y > 0 ? y - 1 : ny - 1, y, y + 1 < ny ? y + 1 : 0};
            const std::int64_t planes[] = {plane > 0 ? plane - ny : rows - ny, plane,
                                           plane + ny < rows ? plane + ny : 0};
            const Populations<T, L> arrived =
                arriving<T, L>(from, columns, lines, planes, nx, std::make_integer_sequence<int, L::directions>{});
            T speed = 0;
            const Populations<T, L> leaving =
                update_cell(arrived, moments_of(arrived, c), solid(cell) != 0, solid(cell), y == driven_row, c, &speed);
            for (int i = 0; i < L::directions; ++i) to(cell, i) = leaving.f[i];
            tot_u += static_cast<double>(speed * c.speed_unit);
          },
          av_vels[step]);
      av_vels[step] /= fluid_cells_;
      // What moving walls give to the populations that have just left them.
      Kokkos::parallel_for(
          Numbers(0, pushes.extent(0)),
          KOKKOS_LAMBDA(std::int64_t n) { to(pushes(n).cell, pushes(n).direction) += T(pushes(n).momentum); });
      std::swap(grids_[0], grids_[1]);
    }
    Kokkos::fence();
  }

  void collect(State& state) override {
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), grids_[0]);
    collect_fields<L>(p_.nx, p_.ny * p_.nz, p_.density, fields_of(state),
                      [&](int i, int x, int row) { return host(std::int64_t{row} * p_.nx + x, i); });
  }

  RunFacts facts() const override { return on_machine(cpu_facts<T, L>(2)); }

  Parameters p_;
  std::vector<std::uint8_t> solid_;
  std::vector<WallPush> pushes_;
  double fluid_cells_ = 0.0;
  Relaxation<T, L> constants_;
  Grid<T, L> grids_[2];
};

}  // namespace

extern const Variant textbook = textbook_of<Textbook>("views in the layout of the space, one parallel_reduce per step");

}  // namespace boltzmark::kokkos
