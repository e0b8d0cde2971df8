// The order in which planes are updated when several time steps are done in one sweep over them: wavefront.hpp with
// planes for rows, and every thread in every plane.
//
//   all threads    plane z of step 0, plane z-1 of step 1, plane z-2 of step 2 ..., then z+1 of step 0 ...
//   thread t       rows y of each of these planes from its first to its last
//
// So the threads share the planes in progress in their shared cache; with blocks of planes each thread would have
// separate ones. There is no barrier: before a plane a thread waits until the threads with the neighbouring rows have
// done the previous step in this plane and its two neighbours.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "common/cpu/processors.hpp"
#include "common/cpu/progress.hpp"
#include "common/cpu/wavefront.hpp"
#include "common/lbm/cpu/row_kernels.hpp"
#include "common/lbm/traffic.hpp"

namespace boltzmark::lbm {

/// Division of rows among threads, steps in a sweep, and rows in a tile.
class PlaneWavefront {
 public:
  /// At most `workers` blocks of rows; a sweep is no deeper than there are planes. tile: rows, 0: all of a block.
  PlaneWavefront(int rows, int planes, int workers, int depth, int tile = 0)
      : rows_(rows), planes_(planes), workers_(std::min(workers, rows)), depth_(std::min(depth, planes)) {
    // Rows that a neighbouring thread reads must be in the first or last tile.
    if (depth_ > 1 && tile >= 2 * depth_ && tile < rows_ / workers_) tile_ = tile;
  }

  int workers() const { return workers_; }
  int depth() const { return depth_; }
  int planes() const { return planes_; }
  int rows() const { return rows_; }
  int tile() const { return tile_; }
  /// First row of a worker's block; begin(workers()) is the number of rows.
  int begin(int worker) const { return static_cast<int>(std::int64_t{rows_} * worker / workers_); }
  /// Rows of a plane, for all workers together.
  int rows_at_work() const { return tile_ > 0 ? workers_ * tile_ : rows_; }
  /// Rows of a plane to which the next tile of a sweep returns: at its edge, one for each step except the first.
  int rows_again() const {
    int again = 0;
    for (int worker = 0; worker < workers_ && tile_ > 0; ++worker) {
      const int end = begin(worker + 1) - begin(worker) + 2 * (depth_ - 1);
      for (int from = tile_; from < end; from += tile_) again += std::min(depth_ - 1, end - from);
    }
    return again;
  }

 private:
  int rows_, planes_, workers_, depth_, tile_ = 0;
};

/// More steps in a sweep gain nothing.
inline constexpr int most_depth = 10;

/// The depth that keeps the planes in progress in the cache that the cores share: those of all steps, one ahead and one
/// behind, in nine sixteenths of it (measured on Zen 5: above two thirds the rate falls). 1 for a grid that fits in
/// this cache.
inline int default_plane_block(std::size_t plane_bytes, int planes, std::size_t shared_cache) {
  const std::size_t room = std::max(shared_cache / 16 * 9, core_caches().l2 / 4 * 3);
  if (plane_bytes * static_cast<std::size_t>(planes) <= room / 8 * 9) return 1;
  return static_cast<int>(std::clamp<std::size_t>(room / plane_bytes, 4, most_depth + 2)) - 2;
}
/// The last-level cache that this process may use.
inline std::size_t shared_cache() { return static_cast<std::size_t>(last_level_cache_bytes(usable_processors())); }

/// The rows of a tile (0: no tiles) with which `depth` steps of `workers` threads fit in their shared cache, by the
/// same measure as the planes of default_plane_block(). Several threads have at least two tiles: with whole planes each
/// would wait for the others after every plane, and all of them for one that has lost its core.
inline int default_tile(int rows, std::size_t row_bytes, int workers, int depth, std::size_t shared_cache) {
  if (depth < 2) return 0;
  const std::size_t layers = static_cast<std::size_t>(depth) + 2, room = shared_cache / 16 * 9;
  const auto fitting = static_cast<int>(std::min<std::size_t>(
      room / static_cast<std::size_t>(workers) / (layers * row_bytes), static_cast<std::size_t>(rows)));
  if (workers == 1) return fitting < rows ? fitting : 0;
  return std::min(fitting, (rows / workers + 2 * depth - 1) / 2);
}

/// The plan for a whole grid: `depth` steps per sweep or, if not given, the best depth for the cache.
inline PlaneWavefront plan_plane_wavefront(int rows, int planes, std::size_t row_bytes, std::size_t plane_bytes,
                                           int workers, std::optional<int> depth, std::size_t cache = shared_cache()) {
  constexpr int tiled_depth = 8;
  const auto with = [&](int steps) {
    return PlaneWavefront(rows, planes, workers, steps, default_tile(rows, row_bytes, workers, steps, cache));
  };
  if (depth) return with(*depth);
  const int fitting = default_plane_block(plane_bytes, planes, cache);
  // For a grid that fits in the cache that the cores share, but not in their own: one thread treats it like a large
  // grid, because others may use most of that cache; several threads keep the planes in progress in their own caches.
  const std::size_t own = core_caches().l2 / 4 * 3 * static_cast<std::size_t>(workers);
  if (fitting == 1 && plane_bytes * static_cast<std::size_t>(planes) > own) {
    if (workers == 1) return with(most_depth);
    const PlaneWavefront near =
        with(static_cast<int>(std::clamp<std::size_t>(own / plane_bytes, 5, most_depth + 2)) - 2);
    return near.tile() > 0 ? near : with(1);
  }
  if (fitting == 1 || fitting >= tiled_depth / 2) return with(fitting);
  const PlaneWavefront tiled = with(tiled_depth);
  return tiled.tile() > 0 ? tiled : with(fitting);
}

/// For each plane, a count per worker that only increases.
class PlaneClocks {
 public:
  explicit PlaneClocks(const PlaneWavefront& plan, Progress* shared)
      : planes_(plan.planes()), done_(counts(plan), shared) {}
  static std::size_t counts(const PlaneWavefront& plan) {
    return static_cast<std::size_t>(plan.planes()) * plan.workers();
  }

  /// Returns when `worker` has reached this count in plane z and its two neighbours.
  void wait_for(int worker, int z, int count) const {
    for (const int plane : {z, (z + 1) % planes_, (z + planes_ - 1) % planes_})
      done_[at(worker, plane)].wait_for(count);
  }
  void reach(int me, int z, int count) { done_[at(me, z)].reach(count); }

 private:
  std::size_t at(int worker, int z) const {
    return static_cast<std::size_t>(worker) * planes_ + static_cast<std::size_t>(z);
  }
  int planes_;
  ProgressArray done_;
};

/// The work of a thread after a plane of a step in a sweep: the next step one plane behind, or after the last step the
/// first one, one plane further on. Each step of the sweep prefetches its part of the plane that the first step needs
/// two planes later.
inline RowsAhead rows_ahead(int plane, int planes, int level, int levels) {
  return {.next_y = 0,
          .next_z = (level + 1 < levels ? plane - 1 + planes : plane + level + 1) % planes,
          .later_z = (plane + level + 2) % planes,
          .part = level,
          .parts = levels == 1 ? 0 : levels};
}

/// A worker's time steps of a whole grid. One object for all workers of a run; several processes have one each over the
/// same counts, initially zero.
class PlaneRun {
 public:
  explicit PlaneRun(const PlaneWavefront& plan, Progress* shared = nullptr)
      : plan_(plan), first_(plan, shared), last_(plan, shared ? shared + PlaneClocks::counts(plan) : nullptr) {}
  static std::size_t counts(const PlaneWavefront& plan) { return 2 * PlaneClocks::counts(plan); }

  /// Worker `me`'s part of `steps` time steps of an InPlaceGrid, or of another type with its rows(), rows_ahead() and
  /// update_rows(); sums[step] += the speeds of its cells. Every worker must be running. By tiles if the plan has them;
  /// these lean two rows north with every level.
  template <class Grid, class Sums>
  void operator()(int me, int steps, Grid& grid, const Sums& sums) {
    const int workers = plan_.workers(), planes = plan_.planes(), lean = plan_.tile() > 0 ? 1 : 0;
    const int begin = plan_.begin(me), rows = plan_.begin(me + 1) - begin;
    const int south = (me + workers - 1) % workers, north = (me + 1) % workers;
    for (int first = 0; first < steps; first += plan_.depth()) {
      const int levels = std::min(plan_.depth(), steps - first), end = rows + 2 * lean * (levels - 1);
      const int tile = lean ? plan_.tile() : rows;
      for (int from = 0; from < end; from += tile) {
        const bool is_first = from == 0, is_last = from + tile >= end;
        sweep_north(0, planes, no_limit, levels, [&](int plane, int level) {
          const int z = plane % planes, step = first + level;
          const int low = std::max(from, 2 * lean * level), high = std::min(from + tile, rows + 2 * lean * level);
          if (workers > 1 && !lean) {
            first_.wait_for(south, z, step);
            first_.wait_for(north, z, step);
          } else if (workers > 1) {
            // South of its first rows the neighbouring thread has done the previous sweep; north of its last rows the
            // other neighbour does the previous step.
            if (is_first && level == 0) last_.wait_for(south, z, first);
            if (level > 0 && high - level >= rows) first_.wait_for(north, z, step);
          }
          sums[static_cast<std::size_t>(step)] +=
              update_in_turn(grid, (begin + low - lean * level) % plan_.rows(), high - low, z, step, step == steps - 1,
                             rows_ahead(plane, planes, level, levels), lean * level);
          if (is_first) first_.reach(me, z, step + 1);
          if (is_last && level == levels - 1) last_.reach(me, z, first + levels);
        });
      }
    }
  }

 private:
  const PlaneWavefront plan_;
  PlaneClocks first_;  ///< steps that a worker has done with its first tile
  PlaneClocks last_;   ///< steps that it has done completely, with its last tile
};

// Traffic of the sweeps over a grid that a processor's workers update in place.

/// row_bytes: from one row of the grid to the next.
inline Traffic sweep_traffic(const GridBytes& grid, std::int64_t steps, const WavefrontPlan& plan, double row_bytes) {
  return swept_grid(grid, steps, plan.depth(), plan.workers() * row_bytes * (plan.depth() + 1));
}
inline Traffic sweep_traffic(const GridBytes& grid, std::int64_t steps, const PlaneWavefront& plan, double row_bytes) {
  const double window = plan.rows_at_work() * row_bytes * (plan.depth() + 1);
  const double of_tiles = (plan.rows_at_work() + plan.workers() * plan.depth()) * row_bytes * plan.planes();
  return swept_grid(grid, steps, plan.depth(), window, {double(plan.rows_again()) / plan.rows(), of_tiles});
}

}  // namespace boltzmark::lbm
