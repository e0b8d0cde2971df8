#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "common/base/error.hpp"
#include "common/device/build.hpp"
#include "common/lbm/device/block_plans.hpp"
#include "common/lbm/device/grid_layout.hpp"

namespace boltzmark::lbm {

using namespace device;

extern const std::string_view bricks_source;

namespace {

constexpr int values_per_column = 24;  // in local memory

/// Two steps in a launch in three dimensions, for one device and grid.
class TilePlanner {
 public:
  TilePlanner(const ComputeDevice& device, const LbmOptions& options, const Parameters& grid, bool is_half)
      : device_(device),
        grid_(grid),
        is_half_(is_half),
        words_(bytes_of(options.precision) / 4),
        column_bytes_(values_per_column * 4 * static_cast<std::size_t>(words_)) {}

  PlanePlan asked(WorkGroup shape) const {
    const int x = std::min(shape.x, grid_.nx), y = std::min(shape.y, grid_.ny);
    if (x > most_items() || items_of(x, y) > most_items())
      throw bad_input(
          "--work-group: expected a tile of X x Y columns that with a ring round it has at most {} on {}, found {}x{}",
          most_items(), device_.name, x, y);
    return shape.z > 1 ? cut(x, y, std::min(shape.z, grid_.nz)) : best_of_planes(x, y);
  }

  /// Two groups of 448 items with 72 registers each, which the kernel needs (twice as many in f64), fill the registers
  /// of a unit of an H200; with more items the compiler spills values to memory, and a launch takes a fifth longer. If
  /// all groups run at once, there should be as many as fit.
  PlanePlan chosen() const {
    if (device_.type == DeviceType::cpu) return tallest(16, 128);
    const int items = 448 / words_;
    const int widest = 32 / words_;
    const PlanePlan wide = tallest(widest, items);
    if (wide.groups > 4 * slots(wide)) return wide;
    PlanePlan best = wide;
    for (int y = 4; y <= 13; ++y) {
      const int x = std::min(widest, grid_.nx), rows = std::min(y, grid_.ny);
      if (items_of(x, rows) > std::min(items, most_items())) break;
      const PlanePlan plan = best_of_planes(x, rows);
      if (cost(plan) < cost(best)) best = plan;
    }
    return best;
  }

 private:
  int most_items() const {
    return static_cast<int>(
        std::min<std::size_t>({device_.max_work_group, device_.max_work_group_x, device_.local_bytes / column_bytes_}));
  }

  /// In whole warps.
  int items_of(int x, int y) const {
    const int columns = (x + 2) * (y + 2);
    return device_.type == DeviceType::cpu ? columns : round_up(columns, 32);
  }

  PlanePlan cut(int x, int y, int planes) const {
    PlanePlan plan{.tile_x = x, .tile_y = y, .planes = planes, .items = items_of(x, y)};
    plan.resident_groups = device_.resident_groups(column_bytes_ * plan.items, plan.items, registers * words_);
    const int tiles_x = divide_up(grid_.nx, x), tiles_y = divide_up(grid_.ny, y);
    // Later groups find in the caches the data that earlier groups read.
    const int stripes = divide_up(tiles_y, std::clamp(slots(plan) / tiles_x, 1, tiles_y));
    plan.stripe = divide_up(tiles_y, stripes);
    plan.groups = tiles_x * tiles_y * divide_up(grid_.nz, planes);
    return plan;
  }

  /// Groups that the device holds at once.
  int slots(const PlanePlan& plan) const { return plan.resident_groups * device_.units; }

  /// The time of a launch, in arbitrary units: a group reads two planes more than it makes.
  double cost(const PlanePlan& plan) const {
    return double(divide_up(plan.groups, slots(plan))) * (plan.planes + 2) * plan.items;
  }

  /// Columns for at most this many items, in tiles as high as that allows. With many planes groups drift apart, and
  /// shared data have left the caches when the second group needs them; planes of halves are half as large.
  PlanePlan tallest(int widest, int items) const {
    const int limit = std::min(items, most_items());
    const int x = std::max(1, std::min({widest, grid_.nx, limit / 3 - 2}));
    const int y = std::clamp(limit / (x + 2) - 2, 1, grid_.ny);
    return cut(x, y, std::clamp(is_half_ ? grid_.nz / 8 : 16, 1, grid_.nz));
  }

  PlanePlan best_of_planes(int x, int y) const {
    PlanePlan best = cut(x, y, 1);
    for (int planes = 2; planes <= std::min(grid_.nz, 64); ++planes) {
      const PlanePlan plan = cut(x, y, planes);
      if (cost(plan) < cost(best)) best = plan;
    }
    return best;
  }

  static constexpr int registers = 72;  // of an item, in f32
  const ComputeDevice& device_;
  const Parameters& grid_;
  bool is_half_;
  int words_;  // of 32 bits, of a value
  std::size_t column_bytes_;
};

}  // namespace

std::string PlanePlan::defines() const {
  return fmt::format("-D TILE_X={} -D TILE_Y={} -D PLANES={} -D ITEMS={} -D STRIPE={}", tile_x, tile_y, planes, items,
                     stripe);
}

double PlanePlan::read_again() const {
  const double columns = double(tile_x) * tile_y;
  return (tile_x + 2) * (tile_y + 2) / columns * (planes + 2) / planes - 1.0;
}

PlanePlan plan_planes(const ComputeDevice& device, const LbmOptions& options, const Parameters& grid, bool is_half) {
  const TilePlanner planner(device, options, grid, is_half);
  return options.work_group ? planner.asked(*options.work_group) : planner.chosen();
}

namespace {

constexpr int most_rows_of_grid = 1 << 16;  // along y and along z, which share a word

/// Division of a grid into bricks of rows.
struct BrickCut {
  int bricks_y = 1, bricks_z = 1;
  int rows_y = 1, rows_z = 1;   ///< of the largest brick
  int row = 1;                  ///< places of a row in local memory
  int lanes = 1;                ///< cells that an item updates at once
  std::size_t place_bytes = 4;  ///< of a place
  int items = 1;                ///< of a group, this many rows of items

  int rows() const { return rows_y * rows_z; }
  /// Work-items of a group, each with some rows of a column; with warps at least a whole warp.
  void choose_items(bool has_warps) {
    constexpr int enough = 512;
    const int columns = row / lanes;
    items = columns;
    if (!has_warps) return;
    const int turns = divide_up(rows(), std::max(enough / columns, 1));
    items *= std::max(divide_up(rows(), turns), divide_up(warp, columns));
  }
  /// Rows that a brick exchanges with others in a step.
  int messages() const { return 10 * (rows_y + rows_z) - 4; }
  /// Words that a step posts and fetches for each cell of the grid; along an axis with one brick they could be saved.
  double words_crossing(const Parameters& grid) const {
    const double y = double(grid.ny) / bricks_y, z = double(grid.nz) / bricks_z;
    return 2.0 * std::max(0.0, 10.0 * (bricks_y > 1 ? z : 0.0) + 10.0 * (bricks_z > 1 ? y : 0.0) - 4.0) / (y * z);
  }
  /// Vectors of four words of them that an item fetches at once.
  int batch() const { return divide_up(messages() * row, 4 * items); }
  /// The time of a step, in arbitrary units: the updates and exchanges of the largest brick.
  double cost() const {
    constexpr double a_message = 0.1;
    return rows() + a_message * messages();
  }
  /// Of a group.
  std::size_t local_bytes() const {
    const std::size_t values = (19 * static_cast<std::size_t>(rows_z) + 10) * (rows_y + 1) * row;
    const std::size_t row_words = static_cast<std::size_t>(rows()) * (2 + divide_up(row, 32)) + items * lanes / row;
    return place_bytes * values +
           4 * (row_words + 3 * static_cast<std::size_t>(messages()) + static_cast<std::size_t>(items));
  }
};

}  // namespace

BlockPlan plan_bricks(const ComputeDevice& device, const Parameters& grid, bool is_half) {
  const bool has_warps = device.sub_groups == SubGroups::warps;
  const std::size_t place_bytes = is_half ? 2 : 4;
  // One group per compute unit is resident if a kernel has the device to itself; a processor's units have other work.
  const int units = device.type == DeviceType::cpu ? 1 : device.units;
  std::optional<BrickCut> best;
  // Of bricks with equal cost, those long in y come first, because their layers cost less.
  for (int y = 1; y <= std::min(units, grid.ny) && grid.ny < most_rows_of_grid; ++y)
    for (int z = 1; z <= std::min(units / y, grid.nz) && grid.nz < most_rows_of_grid; ++z) {
      BrickCut cut{.bricks_y = y,
                   .bricks_z = z,
                   .rows_y = divide_up(grid.ny, y),
                   .rows_z = divide_up(grid.nz, z),
                   .row = has_warps ? round_up(grid.nx, 4) : grid.nx,
                   .lanes = has_warps && is_half ? 2 : 1,
                   .place_bytes = place_bytes};
      cut.choose_items(has_warps);
      if (static_cast<std::size_t>(cut.items) <= device.max_work_group &&
          cut.local_bytes() <= device.group_local_bytes() && (!best || cut.cost() < best->cost()))
        best = cut;
    }
  if (!best)
    throw unavailable(
        "persistent: {} gives a work-group {} bytes of local memory, and {} of them cannot hold a grid of {}x{}x{} "
        "cells, {} bytes each",
        device.name, device.group_local_bytes(), units, grid.nx, grid.ny, grid.nz, 19 * place_bytes);
  const int groups = best->bricks_y * best->bricks_z;
  return {.source = bricks_source,
          .kernel = "brick_steps",
          .defines = fmt::format("-D BRICKS_Y={} -D BRICKS_Z={} -D ROW={} -D ITEMS={} -D BATCH={} -D MAX_POLLS={}{}",
                                 best->bricks_y, best->bricks_z, best->row, best->items, best->batch(), max_polls,
                                 is_half ? " -D HALF_STORAGE" : ""),
          .items = best->items,
          .groups = groups,
          .sums_a_step = groups,
          .is_persistent = true,
          .mailbox_words = std::size_t{2} * 16 * best->row * grid.ny * grid.nz,
          .pieces = fmt::format("bricks of {}x{} rows", best->rows_y, best->rows_z),
          .words_crossing = best->words_crossing(grid),
          .vvl = best->lanes};
}

}  // namespace boltzmark::lbm
