// Textbook: lattice Boltzmann as a student of Kokkos writes it. A time step is one parallel_reduce over all cells.
//
//     for every cell      read from the grid `from`          pull: what moves here, from all directions
//                         write to the grid `to`             collided, or bounced back where solid
//
// A grid is a view of cells and directions in the layout of the space: an array of structs in a processor's memory, on
// a GPU an array for each direction. The kernel is the same. For a GPU it is given to teams, too (`fused`).
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

/// A step of `fused`: a GPU's thread has a cell, and a team adds up what its cells give. A parallel_reduce has 256 or 512
/// teams, whatever the grid, which leaves most of the GPU without loads on their way.
template <class T, class L, class Update, class Sum>
void update_in_teams(int rows, int nx, const Update& update, const Sum& sum) {
  constexpr int threads = 256, bytes = L::directions * sizeof(T);  // as many teams at once as their registers allow
  using Teams = Kokkos::TeamPolicy<Space, Kokkos::LaunchBounds<threads, bytes <= 36 ? 6 : bytes <= 76 ? 4 : 2>>;
  const int cells = rows * nx;
  Kokkos::parallel_for(
      Teams((cells - 1) / threads + 1, threads), KOKKOS_LAMBDA(const typename Teams::member_type& team) {
        const int cell = team.league_rank() * threads + team.team_rank();
        T tot_u = cell < cells ? update(cell / nx, cell % nx) : 0;
        team.team_reduce(Kokkos::Sum<T>(tot_u));
        if (team.team_rank() == 0) Kokkos::atomic_add(&sum(), static_cast<double>(tot_u));
      });
}

template <class T, class L, bool in_teams = false>
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
    const int nx = p_.nx, ny = p_.ny, rows = ny * p_.nz;
    const auto solid = solid_there_.there;
    const auto pushes = pushes_there_.there;
    const Kokkos::View<double*, Space> sums("sums", steps);
    const Relaxation<T, L> c = constants_;
    for (int step = 0; step < steps; ++step) {
      const Grid<T, L> from = grids_[0], to = grids_[1];
      const int driven_row = step == steps - 1 ? -1 : p_.driven_row();
      const auto update = KOKKOS_LAMBDA(int row, int x)->T {
        const int y = L::dimension == 2 ? row : row % ny, plane = row - y;
        const std::int64_t cell = std::int64_t{row} * nx + x;
        const int columns[] = {x > 0 ? x - 1 : nx - 1, x, x + 1 < nx ? x + 1 : 0};
        const int lines[] = {y > 0 ? y - 1 : ny - 1, y, y + 1 < ny ? y + 1 : 0};
        const int planes[] = {plane > 0 ? plane - ny : rows - ny, plane, plane + ny < rows ? plane + ny : 0};
        // Each from the neighbour against its motion.
        const auto pull = [&]<int... I>(std::integer_sequence<int, I...>)->Populations<T, L> {
          return {{from(std::int64_t{lines[1 - Direction<L, I>::y] + planes[1 - Direction<L, I>::z]} * nx +
                            columns[1 - Direction<L, I>::x],
                        I)...}};
        };
        const Populations<T, L> arrived = pull(std::make_integer_sequence<int, L::directions>{});
        T speed = 0;
        const Populations<T, L> leaving =
            update_cell(arrived, moments_of(arrived, c), solid(cell) != 0, solid(cell), y == driven_row, c, &speed);
        for (int i = 0; i < L::directions; ++i) to(cell, i) = leaving.f[i];
        return speed * c.speed_unit;
      };
      const auto sum = Kokkos::subview(sums, step);
      if constexpr (in_teams)
        update_in_teams<T, L>(rows, nx, update, sum);
      else
        Kokkos::parallel_reduce(
            cells(0, rows, nx), KOKKOS_LAMBDA(int row, int x, double& tot_u) { tot_u += update(row, x); }, sum);
      // What moving walls give to the populations that have just left them.
      Kokkos::parallel_for(
          Numbers(0, pushes.extent(0)),
          KOKKOS_LAMBDA(std::int64_t n) { to(pushes(n).cell, pushes(n).direction) += T(pushes(n).momentum); });
      std::swap(grids_[0], grids_[1]);
    }
    Kokkos::deep_copy(Kokkos::View<double*, Kokkos::HostSpace>(av_vels.data(), steps), sums);
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

template <class T, class L>
using InTeams = Textbook<T, L, true>;

}  // namespace

extern const Variant textbook = textbook_of<Textbook>("views in the layout of the space, one parallel_reduce per step");
extern const Variant fused_of_gpu = like_for_like_of<InTeams>(
    "fused", "structure of arrays, two grids, one parallel_for over teams per step, whose sums stay on the GPU");

}  // namespace boltzmark::kokkos
