#include "openmp_target/lbm/grids.hpp"

#include <algorithm>

namespace boltzmark::openmp_target {
using namespace lbm;

template <class T>
AllocatedGrids<T>::AllocatedGrids(const GridSetup<T>& setup, int grids, int most_steps)
    : layout_(setup.layout),
      relaxation_(setup.relaxation),
      launch_(setup.launch),
      setup_(1, setup.launch.device),
      blocked_(std::int64_t{setup.layout.words} * setup.layout.ny, setup.launch.device),
      sums_(setup.launch, setup.sum_group, most_steps),
      witness_(1, setup.launch.device),
      grid_count_(grids),
      grids_(grids * setup.layout.values, setup.launch.device) {
  if (!is_whole()) return;
  const Setup<T> shared = {layout_, relaxation_};
  setup_.write(1, &shared);
  blocked_.write(blocked_.size(), setup.blocked);
  const Witness none;
  witness_.write(1, &none);
  if (setup.sum_group == 1) grids_.lie_on_huge_pages();
}

template <class T>
void AllocatedGrids<T>::set_start_state() {
  const int device = launch_.device, teams = launch_.teams, threads = launch_.threads;
  T *const first = grid(0), *const last = grid(grid_count_ - 1);
  const std::int64_t values = layout_.values;
  Witness* const witness = witness_.data();
#pragma omp target teams is_device_ptr(first, last, witness) device(device) num_teams(teams) \
    thread_limit(threads)
#pragma omp parallel num_threads(threads)
  {
    testify(witness, teams, threads);
    const Share share = share_of(values);
    for (std::int64_t i = share.begin; i < share.end; i += share.step) first[i] = last[i] = T(0);
  }
  ++regions_;
  steps_done_ = 0;
}

template <class T>
void AllocatedGrids<T>::accelerate_start() {
  const Setup<T>* const setup = setup_.data();
  const int device = launch_.device, teams = launch_.teams, threads = launch_.threads, nx = layout_.nx;
  const std::uint32_t* const blocked = blocked_.data();
  T* const first = grid(0);
  Witness* const witness = witness_.data();
#pragma omp target teams is_device_ptr(setup, blocked, first, witness) device(device) num_teams(teams) \
    thread_limit(threads)
#pragma omp parallel num_threads(threads)
  {
    testify(witness, teams, threads);
    const Layout l = setup->layout;
    const Relaxation<T> c = setup->relaxation;
    const Share share = share_of(nx);
    for (std::int64_t x = share.begin; x < share.end; x += share.step)
      push_cell(l, c, blocked, first, static_cast<int>(x), Directions{});
  }
  ++regions_;
}

template <class T>
bool AllocatedGrids<T>::run(int steps, double* sums) {
  accelerate_start();
  for (int first = 0; first < steps; first += sums_.steps()) {
    const int end = std::min(steps, first + sums_.steps());
    if (!advance(first, end, end == steps)) return false;
    sums_.fold(end - first, witness_.data(), sums + first);
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
Witness AllocatedGrids<T>::witness() {
  Witness witness;
  witness_.read(0, 1, &witness);
  return witness;
}

template class AllocatedGrids<float>;
template class AllocatedGrids<double>;

}  // namespace boltzmark::openmp_target
