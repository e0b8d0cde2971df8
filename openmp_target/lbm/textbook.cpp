// Textbook: D2Q9-BGK as a student of OpenMP target writes it. Two grids are mapped once for the whole run; a
// time step is one loop over all cells, spread over teams and their threads, and the sum of speeds is its
// reduction.
//
//     for every cell      read from the grid `from`          pull: what moves here, from the nine neighbours
//                         write to the grid `to`             collided, or bounced back where solid
//
// The published OpenMP target version of this code (source A of the report) is written like this.
#include <vector>

#include "common/lbm/relaxation.hpp"
#include "openmp_target/lbm/facts.hpp"
#include "openmp_target/lbm/variants.hpp"
#include "openmp_target/runtime/team.hpp"

namespace boltzmark::openmp_target {
using namespace lbm;
namespace {

/// Index of population i of cell (x, y): row by row, in a row direction by direction.
KERNEL_FN std::int64_t at(int i, int x, int y, int nx) {
  return (std::int64_t{y} * Lattice::directions + i) * nx + x;
}

template <class T>
class Textbook : public Solver {
 public:
  Textbook(const OffloadDevice& device, std::optional<int> threads)
      : device_(device), asked_threads_(threads) {}
  ~Textbook() override { unmap(); }

  void init(const Problem& problem) override {
    problem_ = &problem;
    const std::int64_t cells = problem.cells();
    const double bytes = 2.0 * Lattice::directions * sizeof(T) * static_cast<double>(cells);
    require_memory("two grids on the host", bytes);
    require_memory_on(device_, 2, device_.properties.is_gpu() ? bytes : 2.0 * bytes);
    launch_ = launch_for(device_, asked_threads_, cells);
    grids_[0].assign(static_cast<std::size_t>(Lattice::directions * cells), T(0));  // shifted: at rest
    grids_[1] = grids_[0];
    solid_ = problem.solid_mask();
    constants_ = make_relaxation<T>(problem.parameters);
    map();
    accelerate_start();
  }

  void run(int steps, std::span<double> av_vels) override {
    const auto fluid_cells = static_cast<double>(problem_->fluid_cells());
    for (int step = 0; step < steps; ++step) av_vels[step] = do_step(step, step == steps - 1) / fluid_cells;
    steps_ = steps;
  }

  void confirm() override {
    LaunchRecord* const record = &record_;
#pragma omp target update from(record [0:1]) device(launch_.device)
    check_launches(device_, record_, regions_, launch_);
  }

  void collect(State& state) override {
    const int nx = problem_->parameters.nx, ny = problem_->parameters.ny;
    T* const grid = grids_[steps_ % 2].data();
#pragma omp target update from(grid [0:grids_[0].size()]) device(launch_.device)
    collect_fields(nx, ny, problem_->parameters.density, fields_of(state),
                   [&](int i, int x, int y) { return grid[at(i, x, y, nx)]; });
  }

  RunFacts facts() const override { return lbm_facts<T>(device_, launch_, record_, 2, 1); }

 private:
  /// Brings everything to the device, where it stays for the whole run.
  void map() {
    T *const a = grids_[0].data(), *const b = grids_[1].data();
    std::uint8_t* const solid = solid_.data();
    Relaxation<T>* const constants = &constants_;
    LaunchRecord* const record = &record_;
    const std::size_t values = grids_[0].size(), cells = solid_.size();
#pragma omp target enter data map(to : a [0:values], b [0:values]) device(launch_.device)
#pragma omp target enter data map(to : solid [0:cells], constants [0:1], record [0:1]) device(launch_.device)
  }
  void unmap() {
    if (solid_.empty()) return;
    T *const a = grids_[0].data(), *const b = grids_[1].data();
    std::uint8_t* const solid = solid_.data();
    Relaxation<T>* const constants = &constants_;
    LaunchRecord* const record = &record_;
    const std::size_t values = grids_[0].size(), cells = solid_.size();
#pragma omp target exit data map(delete : a [0:values], b [0:values]) device(launch_.device)
#pragma omp target exit data map(delete \
                                 : solid [0:cells], constants [0:1], record [0:1]) device(launch_.device)
  }

  // num_threads stands in every region: without it some versions of LLVM read the default before it is set.

  /// The body force of the first step; that of a later one is the end of the step before.
  void accelerate_start() {
    const int nx = problem_->parameters.nx, row = problem_->parameters.driven_row();
    const int device = launch_.device, teams = launch_.teams, threads = launch_.threads;
    T* const grid = grids_[0].data();
    const std::uint8_t* const solid = solid_.data();
    const Relaxation<T>* const constants = &constants_;
    LaunchRecord* const record = &record_;
#pragma omp target teams distribute parallel for device(device) num_teams(teams) thread_limit(threads) \
    num_threads(threads)
    for (int x = 0; x < nx; ++x) {
      Populations<T> cell;
      for (int i = 0; i < Lattice::directions; ++i) cell.f[i] = grid[at(i, x, row, nx)];
      cell = accelerate(cell, !solid[std::int64_t{row} * nx + x], *constants);
      for (int i = 0; i < Lattice::directions; ++i) grid[at(i, x, row, nx)] = cell.f[i];
      if (x == 0) record_launch(record, teams, threads);
    }
    ++regions_;
  }

  /// Returns the sum of |u| over the fluid cells.
  double do_step(int step, bool last) {
    const int nx = problem_->parameters.nx, ny = problem_->parameters.ny;
    const int driven_row = last ? -1 : problem_->parameters.driven_row();
    const int device = launch_.device, teams = launch_.teams, threads = launch_.threads;
    const T* const from = grids_[step % 2].data();
    T* const to = grids_[(step + 1) % 2].data();
    const std::uint8_t* const solid = solid_.data();
    const Relaxation<T>* const constants = &constants_;
    LaunchRecord* const record = &record_;
    double tot_u = 0.0;
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : tot_u) map(tofrom : tot_u) \
    device(device) num_teams(teams) thread_limit(threads) num_threads(threads)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        const int north = y + 1 < ny ? y + 1 : 0, south = y > 0 ? y - 1 : ny - 1;
        const int east = x + 1 < nx ? x + 1 : 0, west = x > 0 ? x - 1 : nx - 1;
        const Populations<T> arrived = {
            {from[at(0, x, y, nx)], from[at(1, west, y, nx)], from[at(2, x, south, nx)],
             from[at(3, east, y, nx)], from[at(4, x, north, nx)], from[at(5, west, south, nx)],
             from[at(6, east, south, nx)], from[at(7, east, north, nx)], from[at(8, west, north, nx)]}};
        const Relaxation<T> c = *constants;
        const bool is_solid = solid[std::int64_t{y} * nx + x] != 0;
        T speed = 0;
        const Populations<T> leaving =
            update_cell(arrived, moments_of(arrived, c), is_solid, is_solid, y == driven_row, c, &speed);
        for (int i = 0; i < Lattice::directions; ++i) to[at(i, x, y, nx)] = leaving.f[i];
        tot_u += static_cast<double>(speed * c.speed_unit);
        if (y == 0 && x == 0) record_launch(record, teams, threads);
      }
    ++regions_;
    return tot_u;
  }

  OffloadDevice device_;
  std::optional<int> asked_threads_;
  const Problem* problem_ = nullptr;
  Launch launch_;
  std::vector<T> grids_[2];  ///< step s reads grid s % 2
  std::vector<std::uint8_t> solid_;
  Relaxation<T> constants_;
  LaunchRecord record_;
  std::int64_t regions_ = 0;
  int steps_ = 0;
};

}  // namespace

std::unique_ptr<Solver> make_textbook(Precision precision, const OffloadDevice& device,
                                      std::optional<int> threads) {
  if (precision == Precision::f64) return std::make_unique<Textbook<double>>(device, threads);
  return std::make_unique<Textbook<float>>(device, threads);
}

}  // namespace boltzmark::openmp_target
