// Textbook: lattice Boltzmann as a student of Kokkos writes it. A time step is one parallel_reduce over all cells.
//
//     for every cell      read from the grid `from`          pull: what moves here, from all directions
//                         write to the grid `to`             collided, or bounced back where solid
//
// A grid is a view of cells and directions in the layout of the space: an array of structs in a processor's memory, on
// a GPU an array for each direction. The kernel is the same, and there the form in which models are compared, too.
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
    solid_there_ = {solid_.data(), solid_.size()};
    pushes_there_ = {pushes_.data(), pushes_.size()};
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
    const std::int64_t nx = p_.nx;
    const int ny = p_.ny, rows = ny * p_.nz;
    const auto solid = solid_there_.there;
    const auto pushes = pushes_there_.there;
    const Mirrored<double*> sums(av_vels.data(), steps);
    const Relaxation<T, L> c = constants_;
    for (int step = 0; step < steps; ++step) {
      const Grid<T, L> from = grids_[0], to = grids_[1];
      const int driven_row = step == steps - 1 ? -1 : p_.driven_row();
      Kokkos::parallel_reduce(
          cells(0, rows, nx),
          KOKKOS_LAMBDA(int row, int x, double& tot_u) {
            const int y = row % ny, plane = row - y;
            const std::int64_t cell = row * nx + x, columns[] = {x > 0 ? x - 1 : nx - 1, x, x + 1 < nx ? x + 1 : 0};
            const int lines[] = {y > 0 ? y - 1 : ny - 1, y, y + 1 < ny ? y + 1 : 0};
            const int planes[] = {plane > 0 ? plane - ny : rows - ny, plane, plane + ny < rows ? plane + ny : 0};
            // Each from the neighbour against its motion.
            const auto pull = [&]<int... I>(std::integer_sequence<int, I...>)->Populations<T, L> {
              return {{from((lines[1 - Direction<L, I>::y] + planes[1 - Direction<L, I>::z]) * nx +
                                columns[1 - Direction<L, I>::x],
                            I)...}};
            };
            const Populations<T, L> arrived = pull(std::make_integer_sequence<int, L::directions>{});
            T speed = 0;
            const Populations<T, L> leaving =
                update_cell(arrived, moments_of(arrived, c), solid(cell) != 0, solid(cell), y == driven_row, c, &speed);
            for (int i = 0; i < L::directions; ++i) to(cell, i) = leaving.f[i];
            tot_u += static_cast<double>(speed * c.speed_unit);
          },
          Kokkos::subview(sums.there, step));
      // What moving walls give to the populations that have just left them.
      Kokkos::parallel_for(
          Numbers(0, pushes.extent(0)),
          KOKKOS_LAMBDA(std::int64_t n) { to(pushes(n).cell, pushes(n).direction) += T(pushes(n).momentum); });
      std::swap(grids_[0], grids_[1]);
    }
    sums.download();
    for (double& av_vel : av_vels) av_vel /= fluid_cells_;
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
  Mirrored<std::uint8_t*> solid_there_;
  Mirrored<WallPush*> pushes_there_;
  double fluid_cells_ = 0.0;
  Relaxation<T, L> constants_;
  Grid<T, L> grids_[2];
};

}  // namespace

extern const Variant textbook = textbook_of<Textbook>("views in the layout of the space, one parallel_reduce per step");
extern const Variant fused_of_gpu = like_for_like_of<Textbook>(
    "fused", "structure of arrays, two grids, one parallel_reduce per step, whose sums stay on the GPU");

}  // namespace boltzmark::kokkos
