#include "openmp_target/lbm/solver.hpp"

#include <algorithm>

#include "common/base/text.hpp"
#include "common/lbm/cpu/cpu_facts.hpp"
#include "common/lbm/cpu/layer_part.hpp"
#include "common/lbm/relaxation.hpp"
#include "common/lbm/start_state.hpp"

namespace boltzmark::openmp_target {
using namespace lbm;

void require_memory_on(const OffloadDevice& device, int grids, double bytes) {
  const std::string found = memory_shortage_on(device, bytes);
  if (!found.empty())
    throw unavailable("{}: expected {:.1f} GiB of memory for {}, found {}", device.name(), bytes / (1 << 30),
                      counted(grids, "grid"), found);
}

Error teams_timed_out(const OffloadDevice& device, const RegionLaunch& launch) {
  return unavailable(
      "{}: {} teams of variant persistent timed out waiting for one another, so the device does not hold all of them at "
      "a time; use --variant in-place",
      device.name(), launch.teams);
}

template <class T, class L, template <class, class> class Places>
void GridSolver<T, L, Places>::init(const Problem& problem) {
  problem_ = &problem;
  now_ = 0;
  if (problem.cells() >= std::int64_t{1} << 32)
    throw unavailable("{}: expected fewer than 2^32 cells, found {}", device_.name(), problem.cells());
  layout_ = Places<T, L>(problem.parameters, lanes());
  const std::int64_t values = grid_count_ * layout_.values();
  require_memory_on(device_, grid_count_, sizeof(T) * static_cast<double>(values));
  launch_ = plan_launch();
  relaxation_ = make_relaxation<Arithmetic<T>, L>(in_units_of<T>(problem.parameters));
  const std::vector<std::uint8_t> solid = problem.solid_mask();
  solid_ = on_device(layout_.solid_words(solid), device_.number);
  const bool has_one_grid = grid_count_ == 1;
  walls_ = WallGains<T>({wall_gains(has_one_grid), wall_gains(false)}, device_.number);
  walls_.divide(launch_.teams, launch_.teams == 1 ? problem.cells() : launch_.threads);
  sums_ = StepSums(launch_, device_.properties.sum_group, most_steps());
  grids_ = DeviceArray<T>(values, device_.number);
  if (!is_gpu()) grids_.use_huge_pages();
  prepare(solid);
  set_start_state(solid);
  confirm();
}

/// The push of moving walls on the grid that a step wrote. In place, the places differ between even and odd steps.
template <class T, class L, template <class, class> class Places>
std::vector<WallGain<T>> GridSolver<T, L, Places>::wall_gains(bool streamed) const {
  std::vector<WallGain<T>> gains;
  const int nx = layout_.nx, ny = layout_.ny, nz = layout_.nz;
  for (const WallPush& push : wall_pushes<L>(*problem_)) {
    int x = static_cast<int>(push.cell % nx), i = push.direction;
    std::int64_t row = push.cell / nx;
    if (streamed) {
      x = (x + L::cx[i] + nx) % nx;
      row = (row / ny + L::cz[i] + nz) % nz * ny + (row % ny + L::cy[i] + ny) % ny;
      i = L::opposite[i];
    }
    layout_.each_place(i, x, row, [&](std::int64_t value) {
      gains.push_back({push.cell, value, static_cast<T>(push.momentum)});
    });
  }
  return gains;
}

/// Sets cells at rest, by the threads that will update them; other cells are copied from the host, with the body force
/// of the first step. That of each later step is applied at the end of the step before.
template <class T, class L, template <class, class> class Places>
void GridSolver<T, L, Places>::set_start_state(const std::vector<std::uint8_t>& solid) {
  T *const first_grid = grid(0), *const last_grid = grid(grid_count_ - 1);
  each_number(layout_.values(), [=](std::int64_t i) { first_grid[i] = last_grid[i] = T{}; });

  const Parameters& p = problem_->parameters;
  const auto in_units_of_problem = make_relaxation<Arithmetic<T>, L>(p);
  const bool rests = starts_at_rest(p);
  std::vector<T> row(static_cast<std::size_t>(layout_.row_pitch()));
  for (std::int64_t number = 0; number < layout_.rows(); ++number) {
    const int y = static_cast<int>(number % p.ny), z = static_cast<int>(number / p.ny);
    if (rests && y != driven_row()) continue;
    for (int x = 0; x < p.nx; ++x) {
      const bool is_solid = solid[static_cast<std::size_t>(number * p.nx + x)] != 0;
      const auto cell = start_of(p, x, y, z, is_solid, y == driven_row(), in_units_of_problem);
      for (int i = 0; i < L::directions; ++i)
        layout_.each_place(i, x, number, [&](std::int64_t value) {
          row[static_cast<std::size_t>(value - layout_.row_start(number))] = cell.f[i];
        });
    }
    grids_.write(layout_.row_start(number), layout_.row_pitch(), row.data());
  }
}

template <class T, class L, template <class, class> class Places>
void GridSolver<T, L, Places>::run(int steps, std::span<double> av_vels) {
  for (int first = 0; first < steps; first += sums_.steps()) {
    const int end = std::min(steps, first + sums_.steps());
    advance(first, end, end == steps);
    sums_.reduce(end - first, record_.data(), &av_vels[static_cast<std::size_t>(first)]);
    ++regions_;
  }
  steps_done_ = steps;
  const auto fluid_cells = static_cast<double>(problem_->fluid_cells());
  for (double& value : av_vels) value /= fluid_cells;
}

template <class T, class L, template <class, class> class Places>
void GridSolver<T, L, Places>::collect(State& state) {
  AlignedArray<T> grid(static_cast<std::size_t>(layout_.values()));
  grids_.read(now_ * layout_.values(), layout_.values(), grid.data());
  const int nx = layout_.nx, ny = layout_.ny, nz = layout_.nz;
  const bool streamed = is_streamed();
  collect_fields<L>(nx, ny * nz, problem_->parameters.density, fields_of(state), [&](int i, int x, std::int64_t row) {
    if (!streamed) return grid[static_cast<std::size_t>(layout_.at(i, x, row))];
    const std::int64_t to_y = (row % ny + L::cy[i] + ny) % ny, to_z = (row / ny + L::cz[i] + nz) % nz;
    return grid[static_cast<std::size_t>(layout_.at(L::opposite[i], (x + L::cx[i] + nx) % nx, to_y + ny * to_z))];
  });
}

template <class T, class L, template <class, class> class Places>
RunFacts GridSolver<T, L, Places>::facts() const {
  RunFacts facts = with_grids<T, L>(OnDevice::facts(), grid_count_);
  facts.steps_per_launch = std::min(is_one_region() ? sums_.steps() : sweep_steps(), steps_done_);
  facts.settings["vvl"] = lanes();
  facts.settings["storage"] = storage_name<T>;
  if constexpr (std::is_same_v<T, Half>) facts.tolerance = half_tolerance;
  if (sweep_steps() > 1) facts.settings["time_block"] = sweep_steps();
  return facts;
}

template class GridSolver<Half, D2Q9, PlainLayout>;
template class GridSolver<Half, D3Q19, PlainLayout>;
template class GridSolver<Half, D2Q9, LaneLayout>;
template class GridSolver<Half, D3Q19, LaneLayout>;
template class GridSolver<float, D2Q9, PlainLayout>;
template class GridSolver<double, D2Q9, PlainLayout>;
template class GridSolver<float, D3Q19, PlainLayout>;
template class GridSolver<double, D3Q19, PlainLayout>;
template class GridSolver<float, D2Q9, LaneLayout>;
template class GridSolver<double, D2Q9, LaneLayout>;
template class GridSolver<float, D3Q19, LaneLayout>;
template class GridSolver<double, D3Q19, LaneLayout>;

}  // namespace boltzmark::openmp_target
