// In place: one grid. A region a step, or many steps a region.
#include <algorithm>
#include <vector>

#include "openmp_target/lbm/grids.hpp"
#include "openmp_target/lbm/neighbours.hpp"

namespace boltzmark::openmp_target {
using namespace lbm;
namespace {

#pragma omp begin declare target

/// One time step of the cells of this thread; returns the sum of |u| over the fluid ones.
template <bool Neighbours, class T>
KERNEL_FN SpeedSum<T> update_own_cells(const Layout& l, const Relaxation<T>& c, const std::uint32_t* blocked,
                                     T* grid, int accelerated_row, std::uint32_t team_cells) {
  SpeedSum<T> speeds = 0;
  for (Walk at(l.nx, l.ny, team_cells); at.inside(); at.next())
    speeds += update_in_place<Neighbours, ImageLanes<T>::value>(
        l, c, blocked, grid, at.y, at.begin(), at.end(), at.y == accelerated_row, Directions{});
  return speeds;
}

#pragma omp end declare target

/// A region a step.
template <class T>
class InPlace : public AllocatedGrids<T> {
 public:
  explicit InPlace(const GridSetup<T>& setup, int most_steps = 2048)
      : AllocatedGrids<T>(setup, 1, most_steps) {}
  bool lies_ahead() const override { return this->steps_done_ % 2 != 0; }

 protected:
  using Base = AllocatedGrids<T>;

  bool advance(int first, int end, bool last) override {
    for (int step = first; step < end; ++step) {
      const bool is_last = last && step == end - 1;
      if (step % 2 == 0)
        do_step<true>(is_last, this->sums_.parts(step - first));
      else
        do_step<false>(is_last, this->sums_.parts(step - first));
    }
    return true;
  }

 private:
  /// See update_in_place.
  template <bool Neighbours>
  void do_step(bool last, double* sums);
};

template <class T>
template <bool Neighbours>
void InPlace<T>::do_step(bool last, double* sums) {
  const int device = Base::launch_.device, teams = Base::launch_.teams, threads = Base::launch_.threads;
  const Setup<T>* const setup = Base::setup_.data();
  const std::uint32_t* const blocked = Base::blocked_.data();
  T* const grid = Base::grid(0);
  Witness* const witness = Base::witness_.data();
  const int accelerated_row = last ? -1 : Base::layout_.accelerated_row;
#pragma omp target teams is_device_ptr(setup, blocked, grid, sums, witness) device(device) num_teams(teams) \
    thread_limit(threads)
#pragma omp parallel num_threads(threads)
  {
    testify(witness, teams, threads);
    const Layout l = setup->layout;
    const Relaxation<T> c = setup->relaxation;
    SpeedSum<T> speeds = 0;
    for (Walk at(l.nx, l.ny, threads); at.inside(); at.next_row())
      speeds += update_in_place<Neighbours, ImageLanes<T>::value>(
          l, c, blocked, grid, at.y, at.begin(), at.end(), at.y == accelerated_row, Directions{});
    leave_sum(speeds, sums);
  }
  ++Base::regions_;
}

/// Many steps a region.
template <class T>
class Persistent : public InPlace<T> {
 public:
  explicit Persistent(const GridSetup<T>& setup)
      : InPlace<T>(setup, 4096), flags_(setup.launch.teams + 1, setup.launch.device) {}
  bool is_whole() const { return Base::is_whole() && flags_; }
  /// Finds out how many teams the device holds at a time, and deals the cells to them.
  void find_room();
  void set_start_state() override {
    Base::set_start_state();
    clear_flags();
  }

 private:
  using Base = AllocatedGrids<T>;
  enum : int {
    roll_call_patience = 1 << 15,  ///< some 20 ms
    run_patience = 1 << 23         ///< several seconds
  };

  void clear_flags() {
    const std::vector<std::int32_t> zeros(static_cast<std::size_t>(flags_.size()));
    flags_.write(flags_.size(), zeros.data());
  }
  /// Whether no team gave up.
  bool all_waited() const {
    std::int32_t gave_up = 0;
    flags_.read(Base::launch_.teams, 1, &gave_up);
    return gave_up == 0;
  }
  bool advance(int first, int end, bool last) override;
  bool march(int first, int end, bool last, std::uint32_t team_cells, int watched, int patience);

  DeviceArray<std::int32_t> flags_;
  std::uint32_t team_cells_ = 0;
  int watched_ = 1;
};

template <class T>
bool Persistent<T>::march(int first, int end, bool last, std::uint32_t team_cells, int watched,
                          int patience) {
  const int device = Base::launch_.device, teams = Base::launch_.teams, threads = Base::launch_.threads;
  const Setup<T>* const setup = Base::setup_.data();
  const std::uint32_t* const blocked = Base::blocked_.data();
  T* const grid = Base::grid(0);
  double* const sums = Base::sums_.parts(0);
  const std::int64_t groups = Base::sums_.groups();
  std::int32_t* const steps_done = flags_.data();
  Witness* const witness = Base::witness_.data();
  const int row_of_force = Base::layout_.accelerated_row, step_without_force = last ? end - 1 : -1;
#pragma omp target teams is_device_ptr(setup, blocked, grid, sums, steps_done, witness) device(device) \
    num_teams(teams) thread_limit(threads)
#pragma omp parallel num_threads(threads)
  {
    testify(witness, teams, threads);
    const Layout l = setup->layout;
    const Relaxation<T> c = setup->relaxation;
    const Flags flags = {steps_done, watched, patience};
    bool together = true;
    for (int step = first; together && step < end; ++step) {
      const int accelerated_row = step == step_without_force ? -1 : row_of_force;
      const SpeedSum<T> speeds =
          step % 2 == 0 ? update_own_cells<true>(l, c, blocked, grid, accelerated_row, team_cells)
                        : update_own_cells<false>(l, c, blocked, grid, accelerated_row, team_cells);
      announce(flags, step + 1);
      leave_sum(speeds, sums + (step - first) * groups);  // while the news travels
      together = wait_for_neighbours(flags, step + 1);
    }
  }
  ++Base::regions_;
  return teams == 1 || all_waited();
}

template <class T>
bool Persistent<T>::advance(int first, int end, bool last) {
  return march(first, end, last, team_cells_, watched_, run_patience);
}

template <class T>
void Persistent<T>::find_room() {
  Launch& launch = Base::launch_;
  // A roll call: a step without cells, in which every team waits for all others.
  const auto have_room = [&](int teams) {
    launch.teams = teams;
    clear_flags();
    return march(0, 1, true, 0, teams, roll_call_patience);
  };
  int room = 1, too_many = launch.teams + 1;
  for (int teams = launch.teams; too_many - room > 1 + room / 64; teams = (room + too_many) / 2)
    (have_room(teams) ? room : too_many) = teams;
  const std::int64_t cells = std::int64_t{Base::layout_.nx} * Base::layout_.ny;
  const std::int64_t all = std::int64_t{room} * launch.threads;
  team_cells_ = static_cast<std::uint32_t>((cells + all - 1) / all * launch.threads);
  launch.teams = static_cast<int>((cells + team_cells_ - 1) / team_cells_);
  Base::sums_.deal_to(launch);
  // The furthest neighbours of a cell in the row-by-row order are those across the periodic edge in x: nearly
  // two rows away. One team more, because the last one may have fewer cells.
  const std::int64_t reach = (2 * std::int64_t{Base::layout_.nx} + team_cells_ - 1) / team_cells_ + 1;
  watched_ = static_cast<int>(std::min<std::int64_t>(2 * reach + 1, launch.teams));
}

}  // namespace

template <class T>
std::unique_ptr<DeviceGrids<T>> make_in_place(const GridSetup<T>& setup) {
  return whole(std::make_unique<InPlace<T>>(setup));
}

template <class T>
std::unique_ptr<DeviceGrids<T>> make_persistent(const GridSetup<T>& setup) {
  auto grids = whole(std::make_unique<Persistent<T>>(setup));
  if (grids) grids->find_room();
  return grids;
}

template std::unique_ptr<DeviceGrids<float>> make_in_place(const GridSetup<float>&);
template std::unique_ptr<DeviceGrids<double>> make_in_place(const GridSetup<double>&);
template std::unique_ptr<DeviceGrids<float>> make_persistent(const GridSetup<float>&);
template std::unique_ptr<DeviceGrids<double>> make_persistent(const GridSetup<double>&);

}  // namespace boltzmark::openmp_target
