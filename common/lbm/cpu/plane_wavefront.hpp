// The order in which planes are updated when several time steps are done in one sweep over them: wavefront.hpp with
// planes for rows, and every thread in every plane.
//
//   all threads    plane z of step 0, plane z-1 of step 1, plane z-2 of step 2 ..., then z+1 of step 0 ...
//   thread t       rows y of each of these planes from its first to its last
//
// So the threads share the planes under way in the cache that they share; with blocks of planes each would have
// its own. No barrier: before a plane a thread waits until the threads with the rows beside its own have done the
// step before in this plane and the two beside it.
#pragma once

#include <sched.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/cpu/caches.hpp"
#include "common/cpu/progress.hpp"
#include "common/cpu/wavefront.hpp"
#include "common/lbm/cpu/in_place_planes.hpp"

namespace boltzmark::lbm {

/// How rows are dealt to threads, and how many steps a sweep does.
class PlaneWavefront {
 public:
  /// At most `workers` blocks of rows; a sweep is no deeper than there are planes.
  PlaneWavefront(int rows, int planes, int workers, int depth)
      : rows_(rows), planes_(planes), workers_(std::min(workers, rows)), depth_(std::min(depth, planes)) {}

  int workers() const { return workers_; }
  int depth() const { return depth_; }
  int planes() const { return planes_; }
  /// First row of a worker's block; begin(workers()) is the number of rows.
  int begin(int worker) const { return static_cast<int>(std::int64_t{rows_} * worker / workers_); }

 private:
  int rows_, planes_, workers_, depth_;
};

/// The depth that keeps the planes under way in the cache that the cores share: those of all steps and one ahead
/// and behind, in nine sixteenths of it (measured on Zen 5: from two thirds on the rate falls). A grid that fits
/// there whole needs no sweep of several steps, and more than ten steps gain nothing.
inline int default_plane_block(std::size_t plane_bytes, int planes, std::size_t shared_cache) {
  const std::size_t room = std::max(shared_cache / 16 * 9, core_caches().l2 / 4 * 3);
  if (plane_bytes * static_cast<std::size_t>(planes) <= room / 8 * 9) return 1;
  return static_cast<int>(std::clamp<std::size_t>(room / plane_bytes, 4, 12)) - 2;
}
/// The same where this process has that cache alone.
inline int default_plane_block(std::size_t plane_bytes, int planes) {
  cpu_set_t usable;
  CPU_ZERO(&usable);
  const bool known = sched_getaffinity(0, sizeof usable, &usable) == 0;
  return default_plane_block(plane_bytes, planes,
                             known ? static_cast<std::size_t>(last_level_cache_bytes(usable)) : 0);
}

/// How far each worker is: the steps that it has done in each plane.
class PlaneClocks {
 public:
  explicit PlaneClocks(const PlaneWavefront& plan)
      : planes_(plan.planes()),
        workers_(plan.workers()),
        done_(static_cast<std::size_t>(plan.planes()) * plan.workers()) {}

  /// Returns when worker `me` may do time step `step` in plane z.
  void wait_to_do(int me, int z, int step) const {
    if (workers_ == 1) return;
    for (const int neighbour : {(me + 1) % workers_, (me + workers_ - 1) % workers_})
      for (const int plane : {z, (z + 1) % planes_, (z + planes_ - 1) % planes_})
        done_[at(neighbour, plane)].wait_for(step);
  }
  void reach(int me, int z, int steps) { done_[at(me, z)].reach(steps); }

 private:
  std::size_t at(int worker, int z) const {
    return static_cast<std::size_t>(worker) * planes_ + static_cast<std::size_t>(z);
  }
  int planes_, workers_;
  std::vector<Progress> done_;
};

/// Worker `me`'s part of `steps` time steps of a whole grid; sums[step] += the speeds of its cells. Every worker must
/// be running.
template <class T>
void run_plane_wavefront(const PlaneWavefront& plan, int me, int steps, PlaneClocks& clocks,
                         InPlacePlanes<T>& grid, std::span<double> sums) {
  const int begin = plan.begin(me), end = plan.begin(me + 1), planes = plan.planes();
  for (int first = 0; first < steps; first += plan.depth()) {
    const int levels = std::min(plan.depth(), steps - first);
    sweep_north(0, planes, no_limit, levels, [&](int plane, int level) {
      const int z = plane % planes, step = first + level;
      clocks.wait_to_do(me, z, step);
      double sum = 0.0;
      // What this thread does next: the next step a plane behind, or after the last the first one a plane further on.
      const int next = (level + 1 < levels ? plane - 1 + planes : plane + level + 1) % planes;
      const int rows = std::min(grid.rows_ahead(), end - begin);
      for (int y = begin; y < end; ++y) {
        const bool here = y + rows < end;
        // Each step of the sweep fetches its part of what its first one needs two planes further on.
        const typename InPlacePlanes<T>::Ahead ahead = {.soon_y = here ? y + rows : y + rows - end + begin,
                                                        .soon_z = here ? z : next,
                                                        .y = y,
                                                        .z = (plane + level + 2) % planes,
                                                        .part = level,
                                                        .parts = levels == 1 ? 0 : levels};
        sum += grid.update_row(y, z, step, step == steps - 1, ahead);
      }
      sums[static_cast<std::size_t>(step)] += sum;
      clocks.reach(me, z, step + 1);
    });
  }
}

}  // namespace boltzmark::lbm
