// Persistent: in place, many steps per region. The teams stay on the device, and after each step a team waits for the
// teams with neighbouring cells. For processors see processor.cpp, for GPUs that hold the grid in registers tiles.cpp.
#include <algorithm>
#include <vector>

#include "openmp_target/lbm/cells.hpp"
#include "openmp_target/lbm/solver.hpp"

namespace boltzmark::openmp_target {
namespace {

/// Communication of the teams, on the device. `steps_done` has one word per team, its number of steps done, and one
/// more word that becomes nonzero when a team times out. All are 0 before a run.
struct TeamProgress {
  std::int32_t* steps_done;
  std::int32_t neighbours;  ///< teams for which a team waits: its neighbours on both sides, itself included
  std::int32_t max_spins;   ///< number of reads of a word before it gives up

  enum : std::int32_t { timed_out = 0x7fffffff };  ///< instead of a number of steps
};

#pragma omp begin declare target
#if defined(__NVPTX__)

KERNEL_FN void store_release(std::int32_t* word, std::int32_t value) {
  asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(word), "r"(value) : "memory");
}
KERNEL_FN std::int32_t load_acquire(const std::int32_t* word) {
  std::int32_t value;
  asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
  return value;
}

/// Called by all threads of a team after `steps`: their stores are visible to threads that read the number.
KERNEL_FN void publish_step(const TeamProgress& progress, std::int32_t steps) {
#pragma omp barrier
  if (omp_get_thread_num() == 0) store_release(progress.steps_done + omp_get_team_num(), steps);
}

/// Called by all threads of a team: returns true when every neighbour has done `steps`, false if one has timed out or
/// makes no progress. A team makes no progress if it did not fit on the device: it starts only after others have ended,
/// so this one must end, too.
KERNEL_FN bool wait_for_neighbours(const TeamProgress& progress, std::int32_t steps) {
  const int teams = omp_get_num_teams(), team = omp_get_team_num();
  int failed = 0;
  for (int i = omp_get_thread_num(); i < progress.neighbours; i += omp_get_num_threads()) {
    const std::int32_t* const word = progress.steps_done + (team + teams - progress.neighbours / 2 + i) % teams;
    std::int32_t done = load_acquire(word);
    for (int spins = 0; done < steps && spins < progress.max_spins; ++spins) done = load_acquire(word);
    failed |= done < steps || done == TeamProgress::timed_out;
  }
  failed = __nvvm_bar0_or(failed);  // the barrier of the team, and whether any of its threads failed
  if (failed && omp_get_thread_num() == 0) {
    store_release(progress.steps_done + team, TeamProgress::timed_out);
    store_release(progress.steps_done + teams, 1);
  }
  return !failed;
}

#else

// With a single team its threads wait for each other.

KERNEL_FN void publish_step(const TeamProgress&, std::int32_t) {}
KERNEL_FN bool wait_for_neighbours(const TeamProgress&, std::int32_t) {
#pragma omp barrier
  return true;
}

#endif
/// One time step of the cells of this thread; returns the sum of |u| over the fluid ones.
template <bool Neighbours, class T, class L>
KERNEL_FN Arithmetic<T> update_own_cells(const Setup<T, L>& s, const std::uint32_t* solid, T* grid,
                                         std::uint32_t team_cells) {
  Arithmetic<T> speeds = 0;
  for (CellRange cells(s.nx, row_count(s), team_cells); cells.inside(); cells.next())
    speeds += update_in_place<Neighbours>(s, solid, grid, cells.row, cells.begin(), Directions<L>{});
  return speeds;
}

#pragma omp end declare target

template <class T, class L>
class Persistent : public GridSolver<T, L, PlainLayout> {
 public:
  explicit Persistent(const Options& options) : Base(options, 1) {}

 private:
  using Base = GridSolver<T, L, PlainLayout>;
  enum : int {
    probe_spins = 1 << 15,  ///< some 20 ms
    run_spins = 1 << 23     ///< several seconds
  };

  RegionLaunch plan_launch() const override {
    return launch_for_one_wave(this->device_, this->asked_threads_, this->problem_->cells(), sizeof(Arithmetic<T>));
  }
  int most_steps() const override { return 4096; }
  bool is_one_region() const override { return true; }
  /// Finds out how many teams the device holds at a time, and splits the cells among them.
  void prepare(const std::vector<std::uint8_t>&) override {
    RegionLaunch& launch = this->launch_;
    const auto write_setup = [this] {
      setup_ = on_device<Setup<T, L>>(
          {{this->layout_, this->driven_row(), this->relaxation_, this->walls_.on_device()}}, this->device_.number);
    };
    write_setup();
    progress_ = DeviceArray<std::int32_t>(launch.teams + 1, launch.device);
    // A probe of co-residency: one step without cells, in which every team waits for all others.
    const auto are_co_resident = [&](int teams) {
      launch.teams = teams;
      clear_progress();
      return run_steps(0, 1, true, 0, teams, probe_spins);
    };
    int room = 1, too_many = launch.teams + 1;
    for (int teams = launch.teams; too_many - room > 1 + room / 64; teams = (room + too_many) / 2)
      (are_co_resident(teams) ? room : too_many) = teams;
    const std::int64_t cells = this->problem_->cells(), all = std::int64_t{room} * launch.threads;
    team_cells_ = static_cast<std::uint32_t>((cells + all - 1) / all * launch.threads);
    launch.teams = static_cast<int>((cells + team_cells_ - 1) / team_cells_);
    clear_progress();
    this->sums_.set_launch(launch);
    this->walls_.divide(launch.teams, team_cells_);
    write_setup();
    // A cell's furthest neighbours in row-by-row order are across the periodic edge: nearly two rows away (in three
    // dimensions two planes). One more team, because the last one may have fewer cells.
    const std::int64_t layer = this->layout_.nx * (L::dimension == 2 ? 1 : std::int64_t{this->layout_.ny});
    const std::int64_t reach = (2 * layer + team_cells_ - 1) / team_cells_ + 1;
    neighbours_ = static_cast<int>(std::min<std::int64_t>(2 * reach + 1, launch.teams));
  }

  void clear_progress() { progress_.write(std::vector<std::int32_t>(static_cast<std::size_t>(progress_.size()))); }
  void advance(int first, int end, bool last) override {
    if (run_steps(first, end, last, team_cells_, neighbours_, run_spins)) return;
    throw teams_timed_out(this->device_, this->launch_);
  }
  /// Steps first .. end-1 in one region. False when a team timed out.
  bool run_steps(int first, int end, bool last, std::uint32_t team_cells, int neighbours, int max_spins) {
    const int device = this->launch_.device, teams = this->launch_.teams, threads = this->launch_.threads;
    const Setup<T, L>* const setup = setup_.data();
    const std::uint32_t* const solid = this->solid_.data();
    T* const grid = this->grid(0);
    double* const sums = this->sums_.parts(0);
    const std::int64_t groups = this->sums_.groups();
    std::int32_t* const steps_done = progress_.data();
    LaunchRecord* const record = this->record_.data();
    const int row_of_force = this->driven_row(), step_without_force = last ? end - 1 : -1;
#pragma omp target teams is_device_ptr(setup, solid, grid, sums, steps_done, record) device(device) num_teams(teams) \
    thread_limit(threads)
#pragma omp parallel num_threads(threads)
    {
      record_launch(record, teams, threads);
      // Read from the device: with all of it as arguments, LLVM 16 makes the parallel region a function that the kernel
      // calls.
      Setup<T, L> s = *setup;
      const TeamProgress progress = {steps_done, neighbours, max_spins};
      bool in_time = true;
      for (int step = first; in_time && step < end; ++step) {
        s.driven_row = step == step_without_force ? -1 : row_of_force;
        const Arithmetic<T> speeds = step % 2 == 0 ? update_own_cells<true>(s, solid, grid, team_cells)
                                                   : update_own_cells<false>(s, solid, grid, team_cells);
        if constexpr (L::dimension == 3) add_wall_gains(s.walls, step % 2, grid);
        publish_step(progress, step + 1);
        store_group_sum(speeds, sums + (step - first) * groups);  // until the other teams see it
        in_time = wait_for_neighbours(progress, step + 1);
      }
    }
    ++this->regions_;
    std::int32_t timed_out = 0;
    progress_.read(teams, 1, &timed_out);
    return timed_out == 0;
  }

  DeviceArray<Setup<T, L>> setup_;
  DeviceArray<std::int32_t> progress_;  ///< see TeamProgress
  std::uint32_t team_cells_ = 0;
  int neighbours_ = 1;
};

}  // namespace

extern const lbm::Variant persistent = {
    .name = "persistent",
    .summary =
        "one grid, many steps per region, teams wait for their neighbours; tiles in registers in two dimensions and "
        "single precision, if an NVIDIA GPU holds the whole grid in them",
    .kinds = {lbm::D3Q19::name},
    .options = {lbm::storage_option()},
    .make = [](const lbm::Problem& problem, const Options& asked) -> std::unique_ptr<lbm::Solver> {
      if (!choose_device(asked.text("device")).properties.is_gpu()) return make_on_processor(problem, asked, false);
      if (auto tiles = make_tiles(problem, asked)) return tiles;
      return lbm::stored_of<Persistent>(problem, asked);
    }};

}  // namespace boltzmark::openmp_target
