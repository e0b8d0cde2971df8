#include "openmp_target/lbm/allocated_grids.hpp"

#include <algorithm>

namespace boltzmark::openmp_target {

template <class T, class L>
AllocatedGrids<T, L>::AllocatedGrids(const GridSetup<T, L>& setup, int grids, int most_steps)
    : layout_(setup.layout),
      relaxation_(setup.relaxation),
      launch_(setup.launch),
      setup_(1, setup.launch.device),
      solid_(setup.layout.words * setup.layout.rows(), setup.launch.device),
      walls_(setup.walls, setup.launch),
      sums_(setup.launch, setup.sum_group, most_steps),
      record_(1, setup.launch.device),
      grids_(grids * setup.layout.values, setup.launch.device),
      grid_count_(grids) {
  if (!is_whole()) return;
  const Setup<T, L> shared = {layout_, relaxation_, walls_.on_device()};
  setup_.write(0, 1, &shared);
  solid_.write(0, solid_.size(), setup.solid);
  walls_.divide(launch_.teams == 1 ? layout_.nx * layout_.rows() : launch_.threads);
  const LaunchRecord none;
  record_.write(0, 1, &none);
  if (setup.sum_group == 1) grids_.use_huge_pages();
}

template <class T, class L>
void AllocatedGrids<T, L>::set_start_state() {
  const int device = launch_.device, teams = launch_.teams, threads = launch_.threads;
  T *const first = grid(0), *const last = grid(grid_count_ - 1);
  const std::int64_t values = layout_.values;
  LaunchRecord* const record = record_.data();
#pragma omp target teams is_device_ptr(first, last, record) device(device) num_teams(teams) \
    thread_limit(threads)
#pragma omp parallel num_threads(threads)
  {
    record_launch(record, teams, threads);
    const IndexRange range = indices_of_thread(values);
    for (std::int64_t i = range.begin; i < range.end; i += range.stride) first[i] = last[i] = T(0);
  }
  ++regions_;
  steps_done_ = 0;
}

template <class T, class L>
void AllocatedGrids<T, L>::write_rows(std::int64_t first, std::int64_t rows, const T* values) {
  grids_.write(Layout::word + layout_.row * first, layout_.row * rows, values);
}

template <class T, class L>
void AllocatedGrids<T, L>::accelerate_start() {
  if (layout_.driven_row < 0) return;
  const Setup<T, L>* const setup = setup_.data();
  const int device = launch_.device, teams = launch_.teams, threads = launch_.threads;
  const std::int64_t cells = std::int64_t{layout_.nx} * layout_.nz;
  const std::uint32_t* const solid = solid_.data();
  T* const first = grid(0);
  LaunchRecord* const record = record_.data();
#pragma omp target teams is_device_ptr(setup, solid, first, record) device(device) num_teams(teams) \
    thread_limit(threads)
#pragma omp parallel num_threads(threads)
  {
    record_launch(record, teams, threads);
    const Layout l = setup->layout;
    const Relaxation<T, L> c = setup->relaxation;
    const IndexRange range = indices_of_thread(cells);
    for (std::int64_t i = range.begin; i < range.end; i += range.stride)
      accelerate_cell(l, c, solid, first, static_cast<int>(i % l.nx),
                      l.driven_row + l.ny * static_cast<int>(i / l.nx), Directions<L>{});
  }
  ++regions_;
}

template <class T, class L>
bool AllocatedGrids<T, L>::run(int steps, double* sums) {
  accelerate_start();
  for (int first = 0; first < steps; first += sums_.steps()) {
    const int end = std::min(steps, first + sums_.steps());
    if (!advance(first, end, end == steps)) return false;
    sums_.reduce(end - first, record_.data(), sums + first);
    ++regions_;
  }
  steps_done_ = steps;
  return true;
}

template <class T, class L>
const T* AllocatedGrids<T, L>::fetch() {
  if (fetched_.size() == 0) fetched_ = AlignedArray<T>(static_cast<std::size_t>(layout_.values));
  const std::int64_t newest = steps_done_ % grid_count_;
  grids_.read(newest * layout_.values, layout_.values, fetched_.data());
  return fetched_.data();
}

template <class T, class L>
LaunchRecord AllocatedGrids<T, L>::record() {
  LaunchRecord record;
  record_.read(0, 1, &record);
  return record;
}

template class AllocatedGrids<float, lbm::D2Q9>;
template class AllocatedGrids<double, lbm::D2Q9>;
template class AllocatedGrids<float, lbm::D3Q19>;
template class AllocatedGrids<double, lbm::D3Q19>;

}  // namespace boltzmark::openmp_target
