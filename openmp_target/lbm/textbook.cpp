// Textbook: lattice Boltzmann as a student of OpenMP target writes it. Two grids are mapped once for the whole run; a
// time step is one loop over all cells, distributed over teams and their threads; its reduction is the sum of speeds.
//
//     for every cell      read from the grid `from`          pull: the populations moving here, from all directions
//                         write to the grid `to`             collided, or bounced back where solid
// The published OpenMP target version of this code (source A of the report) has the same form.
#include <vector>

#include "common/cpu/memory.hpp"
#include "common/lbm/relaxation.hpp"
#include "common/lbm/start_state.hpp"
#include "openmp_target/lbm/solver.hpp"
#include "openmp_target/runtime/team.hpp"

namespace boltzmark::openmp_target {
using namespace lbm;
namespace {

/// Index of population i of cell x of a row: row by row (through all planes), in a row direction by direction.
template <class L>
KERNEL_FN std::int64_t at(int i, int x, int row, int pitch) {
  return (std::int64_t{row} * L::directions + i) * pitch + x;
}

/// Populations arriving at a cell, each from the neighbour against its motion. The columns, the rows of a plane and the
/// first rows of planes are the previous, this, and the next.
template <class T, class L, int... I>
KERNEL_FN Populations<T, L> arriving(const T* from, const int (&columns)[3], const int (&rows)[3],
                                     const int (&planes)[3], int pitch, std::integer_sequence<int, I...>) {
  return {{from[at<L>(I, columns[1 - Direction<L, I>::x], planes[1 - Direction<L, I>::z] + rows[1 - Direction<L, I>::y],
                      pitch)]...}};
}

template <class T, class L>
class Textbook : public OnDevice<Solver> {
 public:
  using OnDevice<Solver>::OnDevice;
  ~Textbook() override { unmap(); }

  void init(const Problem& problem) override {
    problem_ = &problem;
    rows_ = problem.parameters.ny * problem.parameters.nz;
    // A processor's cache holds few lines that are whole kilobytes apart.
    pitch_ = problem.parameters.nx + (!is_gpu() && problem.parameters.nx % 128 == 0 ? 16 : 0);
    const std::int64_t cells = problem.cells(), values = L::directions * std::int64_t{rows_} * pitch_;
    const double bytes = 2.0 * sizeof(T) * static_cast<double>(values);
    require_memory("two grids on the host", bytes);
    require_memory_on(device_, 2, is_gpu() ? bytes : 2.0 * bytes);
    launch_over(cells);
    grids_[0].assign(static_cast<std::size_t>(values), T(0));  // shifted: at rest
    grids_[1] = grids_[0];
    solid_ = problem.solid_mask();
    constants_ = make_relaxation<T, L>(problem.parameters);
    set_start_state();
    pushes_ = wall_pushes<L>(problem);
    map();
  }

  void run(int steps, std::span<double> av_vels) override {
    const auto fluid_cells = static_cast<double>(problem_->fluid_cells());
    for (int step = 0; step < steps; ++step) av_vels[step] = do_step(step, step == steps - 1) / fluid_cells;
    steps_ = steps;
  }

  void collect(State& state) override {
    const int nx = problem_->parameters.nx;
    T* const grid = grids_[steps_ % 2].data();
#pragma omp target update from(grid [0:grids_[0].size()]) device(launch_.device)
    collect_fields<L>(nx, rows_, problem_->parameters.density, fields_of(state),
                      [&](int i, int x, int row) { return grid[at<L>(i, x, row, pitch_)]; });
  }

  RunFacts facts() const override { return with_grids<T, L>(OnDevice::facts(), 2); }

 private:
  /// Includes the body force of the first step; that of each later step is applied at the end of the step before.
  void set_start_state() {
    const Parameters& p = problem_->parameters;
    for (int row = 0; row < rows_; ++row) {
      const bool driven = row % p.ny == p.driven_row();
      if (starts_at_rest(p) && !driven) continue;
      for (int x = 0; x < p.nx; ++x) {
        const bool is_solid = solid_[static_cast<std::size_t>(row) * p.nx + x] != 0;
        const auto cell = start_of(p, x, row % p.ny, row / p.ny, is_solid, driven, constants_);
        for (int i = 0; i < L::directions; ++i) grids_[0][at<L>(i, x, row, pitch_)] = cell.f[i];
      }
    }
  }

  /// Copies everything to the device, where it stays for the whole run.
  void map() {
    T *const a = grids_[0].data(), *const b = grids_[1].data();
    std::uint8_t* const solid = solid_.data();
    Relaxation<T, L>* const constants = &constants_;
    const WallPush* const pushes = pushes_.data();
    const std::size_t values = grids_[0].size(), cells = solid_.size(), count = pushes_.size();
#pragma omp target enter data map(to : a [0:values], b [0:values]) device(launch_.device)
#pragma omp target enter data map(to : solid [0:cells], constants [0:1]) device(launch_.device)
#pragma omp target enter data map(to : pushes [0:count]) device(launch_.device) if (count > 0)
  }
  void unmap() {
    if (solid_.empty()) return;
    T *const a = grids_[0].data(), *const b = grids_[1].data();
    std::uint8_t* const solid = solid_.data();
    Relaxation<T, L>* const constants = &constants_;
    const WallPush* const pushes = pushes_.data();
    const std::size_t values = grids_[0].size(), cells = solid_.size(), count = pushes_.size();
#pragma omp target exit data map(delete : pushes [0:count]) device(launch_.device) if (count > 0)
#pragma omp target exit data map(delete : a [0:values], b [0:values]) device(launch_.device)
#pragma omp target exit data map(delete : solid [0:cells], constants [0:1]) device(launch_.device)
  }

  // num_threads in every region: without it some versions of LLVM read the default before it is set.

  /// Returns the sum of |u| over the fluid cells.
  double do_step(int step, bool last) {
    const int nx = problem_->parameters.nx, ny = problem_->parameters.ny, rows = rows_, pitch = pitch_;
    const int driven_row = last ? -1 : problem_->parameters.driven_row();
    const int device = launch_.device, teams = launch_.teams, threads = launch_.threads;
    const T* const from = grids_[step % 2].data();
    T* const to = grids_[(step + 1) % 2].data();
    const std::uint8_t* const solid = solid_.data();
    const Relaxation<T, L>* const constants = &constants_;
    LaunchRecord* const record = record_.data();
    double tot_u = 0.0;
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : tot_u) map(tofrom : tot_u) \
    is_device_ptr(record) device(device) num_teams(teams) thread_limit(threads) num_threads(threads)
    for (int row = 0; row < rows; ++row)
      for (int x = 0; x < nx; ++x) {
        const int y = L::dimension == 2 ? row : row % ny, plane = row - y;
        const int columns[] = {x > 0 ? x - 1 : nx - 1, x, x + 1 < nx ? x + 1 : 0};
        const int lines[] = {y > 0 ? y - 1 : ny - 1, y, y + 1 < ny ? y + 1 : 0};
        const int planes[] = {plane > 0 ? plane - ny : rows - ny, plane, plane + ny < rows ? plane + ny : 0};
        const Populations<T, L> arrived =
            arriving<T, L>(from, columns, lines, planes, pitch, std::make_integer_sequence<int, L::directions>{});
        const Relaxation<T, L> c = *constants;
        const bool is_solid = solid[std::int64_t{row} * nx + x] != 0;
        T speed = 0;
        const Populations<T, L> leaving =
            update_cell(arrived, moments_of(arrived, c), is_solid, is_solid, y == driven_row, c, &speed);
        for (int i = 0; i < L::directions; ++i) to[at<L>(i, x, row, pitch)] = leaving.f[i];
        tot_u += static_cast<double>(speed * c.speed_unit);
        if (row == 0 && x == 0) record_launch(record, teams, threads);
      }
    ++regions_;
    if (!pushes_.empty()) push_walls(to);
    return tot_u;
  }

  /// The push of moving walls on the populations that have just left them.
  void push_walls(T* to) {
    const int nx = problem_->parameters.nx, pitch = pitch_;
    const auto count = static_cast<std::int64_t>(pushes_.size());
    const int device = launch_.device, teams = launch_.teams, threads = launch_.threads;
    const WallPush* const pushes = pushes_.data();
    LaunchRecord* const record = record_.data();
#pragma omp target teams distribute parallel for is_device_ptr(record) device(device) num_teams(teams) \
    thread_limit(threads) num_threads(threads)
    for (std::int64_t n = 0; n < count; ++n) {
      const auto [cell, direction, momentum] = pushes[n];
      to[at<L>(direction, int(cell % nx), int(cell / nx), pitch)] += T(momentum);
      if (n == 0) record_launch(record, teams, threads);
    }
    ++regions_;
  }

  const Problem* problem_ = nullptr;
  int rows_ = 0;             ///< of all planes
  int pitch_ = 0;            ///< values from a direction of a row to the next
  std::vector<T> grids_[2];  ///< step s reads grid s % 2
  std::vector<std::uint8_t> solid_;
  std::vector<WallPush> pushes_;
  Relaxation<T, L> constants_;
  int steps_ = 0;
};

}  // namespace

extern const Variant textbook =
    textbook_of<Textbook>("mapped arrays, one loop nest per step and the compiler's reduction, as published");

}  // namespace boltzmark::openmp_target
