// Textbook: lattice Boltzmann as a student of Kokkos writes it. A time step is one parallel_reduce over all cells: each
// reads the populations moving to it from one grid, and writes those leaving it to the other (common/lbm/pull.hpp).
//
// A grid is a view of cells and directions in the layout of the space: an array of structs in a processor's memory, on
// a GPU an array for each direction. The kernel is the same. On a GPU it also runs in teams (`fused`).
#include "kokkos/on_space.hpp"

#include "common/cpu/memory.hpp"
#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/pull.hpp"
#include "common/lbm/solver.hpp"

namespace boltzmark::kokkos {
using namespace lbm;
namespace {

template <class T, class L>
using Grid = Kokkos::View<T * [L::directions]>;

/// A step of `fused`: each GPU thread has a cell, and a team adds up the speeds of its cells. A parallel_reduce has 256
/// or 512 teams for any grid, which leaves most of the GPU without loads in flight.
template <class T, class L, class Sum>
void update_in_teams(const Pull<T, L, Grid<T, L>>& update, const Sum& sum) {
  constexpr int threads = 256, at_once = 8 - L::dimension * int{sizeof(T) / 4};  // teams, as their registers allow
  using Teams = Kokkos::TeamPolicy<Space, Kokkos::LaunchBounds<threads, at_once>>;
  const int cells = update.rows * update.nx;
  Kokkos::parallel_for(
      Teams((cells - 1) / threads + 1, threads), KOKKOS_LAMBDA(const typename Teams::member_type& team) {
        const int cell = team.league_rank() * threads + team.team_rank();
        T tot_u = cell < cells ? update(cell) : 0;
        team.team_reduce(Kokkos::Sum<T>(tot_u));
        if (team.team_rank() == 0) Kokkos::atomic_add(&sum(), static_cast<double>(tot_u));
      });
}

template <class T, class L, bool in_teams = false>
struct Textbook : Solver {
  void init(const Problem& problem) override {
    p_ = problem.parameters;
    solid_ = problem.solid_mask();
    pushes_ = wall_pushes<L>(problem);
    fluid_cells_ = static_cast<double>(problem.fluid_cells());
    require_memory("two grids", 2.0 * sizeof(T) * L::directions * static_cast<double>(problem.cells()));
    for (auto& grid : grids_) grid = Grid<T, L>("grid", solid_.size());
    solid_there_ = {solid_.data(), solid_.size()};
    pushes_there_ = {pushes_.data(), pushes_.size()};
    update_ = {make_relaxation<T, L>(p_), p_.nx, p_.ny, p_.ny * p_.nz, -1, solid_there_.there.data()};
    const auto host = Kokkos::create_mirror_view(grids_[0]);
    start_pulling(problem, solid_, update_.constants, host);
    if constexpr (!is_host) Kokkos::deep_copy(grids_[0], host);
  }

  void run(int steps, std::span<double> av_vels) override {
    const auto pushes = pushes_there_.there;
    const Kokkos::View<double*, Space> sums("sums", steps);
    for (int step = 0; step < steps; ++step) {
      auto update = update_;
      update.from = grids_[0];
      update.to = grids_[1];
      if (step < steps - 1) update.driven_row = p_.driven_row();
      const auto sum = Kokkos::subview(sums, step);
      if constexpr (in_teams)
        update_in_teams<T, L>(update, sum);
      else
        Kokkos::parallel_reduce(
            cells(0, update.rows, p_.nx), KOKKOS_LAMBDA(int row, int x, double& all) { all += update(row, x); }, sum);
      // The push of moving walls on the populations that have just left them.
      Kokkos::parallel_for(
          Numbers(0, pushes.extent(0)),
          KOKKOS_LAMBDA(std::int64_t n) { update.to(pushes(n).cell, pushes(n).direction) += T(pushes(n).momentum); });
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

  RunFacts facts() const override { return start_workers({}).with(cpu_facts<T, L>(2)); }

  Parameters p_;
  std::vector<std::uint8_t> solid_;
  std::vector<WallPush> pushes_;
  Mirrored<std::uint8_t*> solid_there_;
  Mirrored<WallPush*> pushes_there_;
  double fluid_cells_ = 0.0;
  Pull<T, L, Grid<T, L>> update_;
  Grid<T, L> grids_[2];
};

template <class T, class L>
using InTeams = Textbook<T, L, true>;

}  // namespace

extern const Variant textbook = textbook_of<Textbook>("views in the layout of the space, one parallel_reduce per step");

template <bool is_gpu>
Variant in_teams() {
  if constexpr (is_gpu)
    return like_for_like_of<InTeams>(
        "fused", "structure of arrays, two grids, one parallel_for over teams per step, whose sums stay on the GPU");
  else
    return {};
}
extern const Variant fused_of_gpu = in_teams<!is_host>();

}  // namespace boltzmark::kokkos
