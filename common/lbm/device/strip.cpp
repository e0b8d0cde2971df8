#include "common/lbm/device/strip.hpp"

namespace boltzmark::lbm {

using namespace device;

void DeviceStrip::init(const Problem& problem) {
  init(problem, whole_grid(problem.parameters),
       {{.south = 0, .south_rows = problem.parameters.layers(), .north = 0, .north_rows = 0}});
}

void DeviceStrip::init(const Problem& problem, const Window& window, const std::vector<Bands>& launches) {
  problem_ = &problem;
  window_ = window;
  launches_ = launches;
  init_strip();
}

void DeviceStrip::run(int steps, const StepSums::EnqueueSteps& enqueue_steps, std::span<double> av_vels) {
  run_steps(steps, enqueue_steps, av_vels);
}

void DeviceStrip::enqueue(int count, int first_sum, bool is_end) {
  enqueue({.bands = launches_.front(), .source = state_, .steps = count, .first_sum = first_sum, .is_end = is_end});
}

std::size_t DeviceStrip::halo_bytes(HaloDirection direction) const {
  std::size_t bytes = 0;
  for (const Region& region : halo_regions(direction, 0)) bytes += region.row_bytes * region.rows;
  return bytes;
}

void DeviceStrip::start_read(const Queue& queue, HaloDirection direction, int state, void* host, Events after,
                             Event& done) const {
  auto* to = static_cast<std::byte*>(host);
  for (const Region& region :
       halo_regions(direction, direction == HaloDirection::northward ? window_.rows : window_.halo)) {
    queue->start_read(grids_[state], region, to, after, &done);
    to += region.row_bytes * region.rows;
  }
}

void DeviceStrip::start_write(const Queue& queue, HaloDirection direction, int state, const void* host,
                              Event& done) const {
  const auto* from = static_cast<const std::byte*>(host);
  for (const Region& region :
       halo_regions(direction, direction == HaloDirection::northward ? 0 : window_.halo + window_.rows)) {
    queue->start_write(grids_[state], region, from, {}, &done);
    from += region.row_bytes * region.rows;
  }
}

}  // namespace boltzmark::lbm
