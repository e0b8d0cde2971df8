#include "openmp_target/lbm/allocated_grids.hpp"

#include <algorithm>

namespace boltzmark::openmp_target {

template <class T>
AllocatedGrids<T>::AllocatedGrids(const GridSetup<T>& setup, int grids, int most_steps)
    : layout_(setup.layout),
      relaxation_(setup.relaxation),
      launch_(setup.launch),
      setup_(1, setup.launch.device),
      solid_(std::int64_t{setup.layout.words} * setup.layout.ny, setup.launch.device),
      sums_(setup.launch, setup.sum_group, most_steps),
      record_(1, setup.launch.device),
      grid_count_(grids),
      grids_(grids * setup.layout.values, setup.launch.device) {
  if (!is_whole()) return;
  const Setup<T> shared = {layout_, relaxation_};
  setup_.write(0, 1, &shared);
  solid_.write(0, solid_.size(), setup.solid);
  const LaunchRecord none;
  record_.write(0, 1, &none);
  if (setup.sum_group == 1) grids_.use_huge_pages();
}

template <class T>
void AllocatedGrids<T>::set_start_state() {
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

template <class T>
void AllocatedGrids<T>::accelerate_start() {
  const Setup<T>* const setup = setup_.data();
  const int device = launch_.device, teams = launch_.teams, threads = launch_.threads, nx = layout_.nx;
  const std::uint32_t* const solid = solid_.data();
  T* const first = grid(0);
  LaunchRecord* const record = record_.data();
#pragma omp target teams is_device_ptr(setup, solid, first, record) device(device) num_teams(teams) \
    thread_limit(threads)
#pragma omp parallel num_threads(threads)
  {
    record_launch(record, teams, threads);
    const Layout l = setup->layout;
    const Relaxation<T> c = setup->relaxation;
    const IndexRange range = indices_of_thread(nx);
    for (std::int64_t x = range.begin; x < range.end; x += range.stride)
      accelerate_cell(l, c, solid, first, static_cast<int>(x), Directions{});
  }
  ++regions_;
}

template <class T>
bool AllocatedGrids<T>::run(int steps, double* sums) {
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

template <class T>
const T* AllocatedGrids<T>::fetch() {
  if (fetched_.size() == 0) fetched_ = AlignedArray<T>(static_cast<std::size_t>(layout_.values));
  const std::int64_t newest = steps_done_ % grid_count_;
  grids_.read(newest * layout_.values, layout_.values, fetched_.data());
  return fetched_.data();
}

template <class T>
LaunchRecord AllocatedGrids<T>::record() {
  LaunchRecord record;
  record_.read(0, 1, &record);
  return record;
}

template class AllocatedGrids<float>;
template class AllocatedGrids<double>;

}  // namespace boltzmark::openmp_target
