// Persistent: in place, many steps per region. The teams stay on the device and keep pace with their
// neighbours.
#include <algorithm>
#include <vector>

#include "openmp_target/lbm/allocated_grids.hpp"
#include "openmp_target/lbm/cell_range.hpp"
#include "openmp_target/lbm/neighbours.hpp"

namespace boltzmark::openmp_target {
namespace {

#pragma omp begin declare target

/// One time step of the cells of this thread; returns the sum of |u| over the fluid ones.
template <bool Neighbours, class T, class L>
KERNEL_FN SpeedSum<T> update_own_cells(const Layout& l, const Relaxation<T, L>& c, const std::uint32_t* solid,
                                       T* grid, int driven_row, std::uint32_t team_cells) {
  SpeedSum<T> speeds = 0;
  for (CellRange cells(l.nx, row_count<L>(l), team_cells); cells.inside(); cells.next())
    speeds += update_in_place<Neighbours, ImageLanes<T>::value>(l, c, solid, grid, cells.row, cells.begin(),
                                                                cells.end(), driven_row, Directions<L>{});
  return speeds;
}

#pragma omp end declare target

template <class T, class L>
class Persistent : public AllocatedGrids<T, L> {
 public:
  explicit Persistent(const GridSetup<T, L>& setup)
      : Base(setup, 1, 4096), progress_(setup.launch.teams + 1, setup.launch.device) {}
  bool is_whole() const { return Base::is_whole() && progress_; }
  /// Finds out how many teams the device holds at a time, and splits the cells among them.
  void fit_teams();
  void set_start_state() override {
    Base::set_start_state();
    clear_progress();
  }
  bool is_streamed() const override { return Base::steps_done_ % 2 != 0; }
  int steps_per_region() const override { return std::min(Base::sums_.steps(), Base::steps_done_); }

 private:
  using Base = AllocatedGrids<T, L>;
  enum : int {
    probe_spins = 1 << 15,  ///< some 20 ms
    run_spins = 1 << 23     ///< several seconds
  };

  void clear_progress() {
    const std::vector<std::int32_t> zeros(static_cast<std::size_t>(progress_.size()));
    progress_.write(0, progress_.size(), zeros.data());
  }
  bool any_timed_out() const {
    std::int32_t timed_out = 0;
    progress_.read(Base::launch_.teams, 1, &timed_out);
    return timed_out != 0;
  }
  bool advance(int first, int end, bool last) override {
    return run_steps(first, end, last, team_cells_, neighbours_, run_spins);
  }
  /// Steps first .. end-1 in one region. False when a team timed out.
  bool run_steps(int first, int end, bool last, std::uint32_t team_cells, int neighbours, int max_spins);

  DeviceArray<std::int32_t> progress_;  ///< see TeamProgress
  std::uint32_t team_cells_ = 0;
  int neighbours_ = 1;
};

template <class T, class L>
bool Persistent<T, L>::run_steps(int first, int end, bool last, std::uint32_t team_cells, int neighbours,
                                 int max_spins) {
  const int device = Base::launch_.device, teams = Base::launch_.teams, threads = Base::launch_.threads;
  const Setup<T, L>* const setup = Base::setup_.data();
  const std::uint32_t* const solid = Base::solid_.data();
  T* const grid = Base::grid(0);
  double* const sums = Base::sums_.parts(0);
  const std::int64_t groups = Base::sums_.groups();
  std::int32_t* const steps_done = progress_.data();
  LaunchRecord* const record = Base::record_.data();
  const int row_of_force = Base::layout_.driven_row, step_without_force = last ? end - 1 : -1;
#pragma omp target teams is_device_ptr(setup, solid, grid, sums, steps_done, record) device(device) \
    num_teams(teams) thread_limit(threads)
#pragma omp parallel num_threads(threads)
  {
    record_launch(record, teams, threads);
    // From the device: with all scalars as arguments LLVM 16 makes the parallel region a function that the
    // kernel calls.
    const Layout l = setup->layout;
    const Relaxation<T, L> c = setup->relaxation;
    const TeamProgress progress = {steps_done, neighbours, max_spins};
    bool in_time = true;
    for (int step = first; in_time && step < end; ++step) {
      const int driven_row = step == step_without_force ? -1 : row_of_force;
      const SpeedSum<T> speeds = step % 2 == 0
                                     ? update_own_cells<true>(l, c, solid, grid, driven_row, team_cells)
                                     : update_own_cells<false>(l, c, solid, grid, driven_row, team_cells);
      if constexpr (L::dimension == 3) add_wall_gains(setup->walls, step % 2, grid);
      publish_step(progress, step + 1);
      store_group_sum(speeds, sums + (step - first) * groups);  // while the other teams come to see it
      in_time = wait_for_neighbours(progress, step + 1);
    }
  }
  ++Base::regions_;
  return teams == 1 || !any_timed_out();
}

template <class T, class L>
void Persistent<T, L>::fit_teams() {
  Launch& launch = Base::launch_;
  // A probe of co-residency: one step without cells, in which every team waits for all others.
  const auto are_co_resident = [&](int teams) {
    launch.teams = teams;
    clear_progress();
    return run_steps(0, 1, true, 0, teams, probe_spins);
  };
  int room = 1, too_many = launch.teams + 1;
  for (int teams = launch.teams; too_many - room > 1 + room / 64; teams = (room + too_many) / 2)
    (are_co_resident(teams) ? room : too_many) = teams;
  const std::int64_t cells = Base::layout_.nx * Base::layout_.rows();
  const std::int64_t all = std::int64_t{room} * launch.threads;
  team_cells_ = static_cast<std::uint32_t>((cells + all - 1) / all * launch.threads);
  launch.teams = static_cast<int>((cells + team_cells_ - 1) / team_cells_);
  Base::sums_.set_launch(launch);
  Base::walls_.divide(team_cells_);
  // The furthest neighbours of a cell in the row-by-row order are those across the periodic edge in x, nearly
  // two rows away, or in three dimensions in y, nearly two planes. One team more, because the last one may have
  // fewer cells.
  const std::int64_t layer = std::int64_t{Base::layout_.nx} * (L::dimension == 2 ? 1 : Base::layout_.ny);
  const std::int64_t reach = (2 * layer + team_cells_ - 1) / team_cells_ + 1;
  neighbours_ = static_cast<int>(std::min<std::int64_t>(2 * reach + 1, launch.teams));
}

}  // namespace

template <class T, class L>
std::unique_ptr<DeviceGrids<T>> make_persistent(const GridSetup<T, L>& setup) {
  if constexpr (L::dimension == 2)
    if (setup.sweep_steps > 1) return make_bands(setup);
  if constexpr (L::dimension == 3)
    if (setup.on_processor) return make_planes(setup, false);
  auto grids = whole(std::make_unique<Persistent<T, L>>(setup));
  if (grids) grids->fit_teams();
  return grids;
}
template std::unique_ptr<DeviceGrids<float>> make_persistent(const GridSetup<float, lbm::D2Q9>&);
template std::unique_ptr<DeviceGrids<float>> make_persistent(const GridSetup<float, lbm::D3Q19>&);
template std::unique_ptr<DeviceGrids<double>> make_persistent(const GridSetup<double, lbm::D2Q9>&);
template std::unique_ptr<DeviceGrids<double>> make_persistent(const GridSetup<double, lbm::D3Q19>&);

}  // namespace boltzmark::openmp_target
