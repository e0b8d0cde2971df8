#include "common/lbm/device/plane_plan.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "common/base/error.hpp"
#include "common/device/work_group.hpp"

namespace boltzmark::lbm {

using namespace device;
namespace {

constexpr int values_per_column = 24;  // in local memory

/// Plans for one device and grid.
class TilePlanner {
 public:
  TilePlanner(const ComputeDevice& device, const LbmOptions& options, const Parameters& grid, bool is_half)
      : device_(device),
        grid_(grid),
        is_half_(is_half),
        column_bytes_(values_per_column * static_cast<std::size_t>(bytes_of(options.precision))) {}

  PlanePlan asked(WorkGroup shape) const {
    const int x = std::min(shape.x, grid_.nx), y = std::min(shape.y, grid_.ny);
    if (x > most_items() || items_of(x, y) > most_items())
      throw bad_input(
          "--work-group: expected a tile of X x Y columns that with a ring round it has at most {} on {}, found {}x{}",
          most_items(), device_.name, x, y);
    return shape.z > 1 ? cut(x, y, std::min(shape.z, grid_.nz)) : best_of_planes(x, y);
  }

  /// Two groups of 448 items fill the registers of a unit of an H200 with 72 each, which is what the kernel needs; with
  /// more items the compiler puts some of an item's values into memory, and a launch takes a fifth longer. Where all
  /// groups run at once, they should be as many as fit.
  PlanePlan chosen() const {
    if (device_.type == DeviceType::cpu) return tallest(16, 128);
    constexpr int items = 448;
    const PlanePlan wide = tallest(32, items);
    if (wide.groups > 4 * slots(wide)) return wide;
    PlanePlan best = wide;
    for (int y = 4; y <= 13; ++y) {
      const int x = std::min(32, grid_.nx), rows = std::min(y, grid_.ny);
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
    plan.resident_groups = device_.resident_groups(column_bytes_ * plan.items, plan.items, registers);
    const int tiles_x = divide_up(grid_.nx, x), tiles_y = divide_up(grid_.ny, y);
    // Of groups that run one after the other the later ones find in the caches what the earlier ones read.
    const int stripes = divide_up(tiles_y, std::clamp(slots(plan) / tiles_x, 1, tiles_y));
    plan.stripe = divide_up(tiles_y, stripes);
    plan.groups = tiles_x * tiles_y * divide_up(grid_.nz, planes);
    return plan;
  }

  /// Groups that the device holds at once.
  int slots(const PlanePlan& plan) const { return plan.resident_groups * device_.units; }

  /// The time that a launch takes, in some unit: a group has two planes more to read than it makes.
  double cost(const PlanePlan& plan) const {
    return double(divide_up(plan.groups, slots(plan))) * (plan.planes + 2) * plan.items;
  }

  /// Columns in so many items or fewer, in tiles as high as that allows. With many planes groups drift apart, and what
  /// they share has left the caches when the second one wants it; a half's planes are half as large.
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

  static constexpr int registers = 72;  // of an item
  const ComputeDevice& device_;
  const Parameters& grid_;
  bool is_half_;
  std::size_t column_bytes_;
};

}  // namespace

std::string PlanePlan::defines() const {
  return fmt::format("-D TILE_X={} -D TILE_Y={} -D PLANES={} -D ITEMS={} -D STRIPE={}", tile_x, tile_y, planes, items,
                     stripe);
}

std::string PlanePlan::pieces() const { return fmt::format("{}x{} columns, {} planes", tile_x, tile_y, planes); }

std::string PlanePlan::tile() const { return to_string(WorkGroup{tile_x, tile_y, planes}); }

double PlanePlan::values_per_update() const {
  const double columns = double(tile_x) * tile_y;
  const double read = (tile_x + 2) * (tile_y + 2) / columns * (planes + 2) / planes;
  return D3Q19::directions * (read + 1.0) / 2.0;
}

PlanePlan plan_planes(const ComputeDevice& device, const LbmOptions& options, const Parameters& grid, bool is_half) {
  const TilePlanner planner(device, options, grid, is_half);
  return options.work_group ? planner.asked(*options.work_group) : planner.chosen();
}

}  // namespace boltzmark::lbm
