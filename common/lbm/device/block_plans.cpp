#include "common/lbm/device/block_plans.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "common/base/error.hpp"
#include "common/device/build.hpp"
#include "common/lbm/device/grid_layout.hpp"
#include "common/lbm/warp_tiles.hpp"

namespace boltzmark::lbm {

using namespace device;

extern const std::string_view tiles_source, warp_tiles_source, on_chip_source, wavefront_source, bricks_source;

namespace {

constexpr int warp = 32;            // work-items
constexpr int max_polls = 1 << 21;  // of a message, before a wait times out

/// Local memory of a group: its cells and its items' sums of |u|.
std::size_t tile_bytes(const Tiles& tiles, int items, std::size_t value_bytes) {
  return value_bytes * static_cast<std::size_t>(8 * tiles.region() + tiles.depth * items);
}

/// Work-items of a group: the user's choice; else one for every cell of the region if there is room, otherwise half or
/// a third as many, in whole warps.
int tile_items(const ComputeDevice& device, const LbmOptions& options, const Tiles& tiles, std::size_t value_bytes) {
  if (options.work_group) return options.work_group->x * options.work_group->y;
  const int most = static_cast<int>(std::min<std::size_t>(device.max_work_group, 1024));
  for (int cells_an_item = 1;; ++cells_an_item) {
    const int items = divide_up(divide_up(tiles.region(), cells_an_item), warp) * warp;
    if (items <= warp || (items <= most && tile_bytes(tiles, items, value_bytes) <= device.local_bytes))
      return std::min(items, most);
  }
}

/// Loops over an item's cells are unrolled; on CPUs the compiler unrolls the items as well, which takes long.
int most_cells_an_item(const ComputeDevice& device) { return device.type == DeviceType::cpu ? 1 : 4; }

BlockPlan plan_of(const Tiles& tiles, int items, bool is_persistent) {
  return {.source = tiles_source,
          .kernel = "tile_steps",
          .defines = fmt::format("-D TILE_X={} -D TILE_Y={} -D GROUPS_X={} -D GROUPS_Y={} -D DEPTH={} -D ITEMS={}",
                                 tiles.x, tiles.y, tiles.groups_x, tiles.groups_y, tiles.depth, items),
          .items = items,
          .groups = tiles.groups(),
          .sums_a_step = tiles.groups(),
          .depth = tiles.depth,
          .is_persistent = is_persistent,
          .pieces = fmt::format("{}x{} tiles", tiles.x, tiles.y)};
}

/// Throws if a group of this many items with this region is impossible.
void check_tiles(const ComputeDevice& device, const LbmOptions& options, const Tiles& tiles, int items,
                 std::size_t value_bytes) {
  if (static_cast<std::size_t>(items) > device.max_work_group)
    throw unavailable("--work-group: {} takes at most {} work-items, found {}", device.name, device.max_work_group,
                      items);
  constexpr int most_cells = 8;  // they are unrolled, and compilers take minutes over more
  if (options.work_group && tiles.region() > most_cells * items)
    throw bad_input("--work-group: expected at least {} work-items for tiles of {}x{} cells with {} layers, found {}",
                    divide_up(tiles.region(), most_cells), tiles.x, tiles.y, tiles.depth, items);
  const std::size_t bytes = tile_bytes(tiles, items, value_bytes);
  if (bytes <= device.local_bytes) return;
  const auto line =
      fmt::format("tiles of {}x{} cells with {} layers and {} work-items need {} bytes of local memory, {} has {}",
                  tiles.x, tiles.y, tiles.depth, items, bytes, device.name, device.local_bytes);
  throw options.work_group || options.time_block ? bad_input("--time-block, --work-group: {}", line)
                                                 : unavailable("{}", line);
}

/// Cost of a step of tiles in local memory, in cells: an exchange is a trip to memory and back.
double step_cost(const Tiles& tiles) {
  constexpr double an_exchange = 2500.0;
  return tiles.cells_a_step() + an_exchange / tiles.depth;
}

/// Whether a unit holds such tiles in its registers, and the data exchanged between warps in local memory.
bool fit(const ComputeDevice& device, const WarpTiles& cut) {
  constexpr int most_rows = 8;
  const int local_words =
      2 * WarpTiles::crossings * cut.warps() * (WarpTiles::warp + 2) + cut.tiles.depth * cut.items();
  return cut.fit_registers(most_rows) &&
         sizeof(float) * static_cast<std::size_t>(local_words) <= device.group_local_bytes();
}

}  // namespace

BlockPlan plan_tiles(const ComputeDevice& device, const LbmOptions& options, const Parameters& grid) {
  const auto value_bytes = static_cast<std::size_t>(bytes_of(options.precision));
  struct Shape {
    int x, y;
  };
  const int depth = options.time_block.value_or(4);
  std::optional<Tiles> chosen;
  for (const Shape shape : {Shape{64, 32}, {32, 32}, {32, 16}, {16, 16}, {16, 8}, {8, 8}}) {
    chosen = Tiles(grid, divide_up(grid.nx, shape.x), divide_up(grid.ny, shape.y), depth);
    const int items = tile_items(device, options, *chosen, value_bytes);
    if (tile_bytes(*chosen, items, value_bytes) <= device.local_bytes &&
        chosen->region() <= most_cells_an_item(device) * items)
      break;
  }
  const int items = tile_items(device, options, *chosen, value_bytes);
  check_tiles(device, options, *chosen, items, value_bytes);
  BlockPlan plan = plan_of(*chosen, items, false);
  plan.read_again = double(chosen->region()) / (double(chosen->x) * chosen->y) - 1.0;
  plan.cells_at_work = double(std::min(chosen->groups(), device.units)) * chosen->region();
  return plan;
}

BlockPlan plan_resident_tiles(const ComputeDevice& device, const LbmOptions& options, const Parameters& grid) {
  // One group per compute unit is resident if a kernel has the device to itself.
  std::optional<Tiles> best;
  double lowest_cost = 0.0;
  if (options.time_block && *options.time_block % 2 != 0)
    throw bad_input("--time-block: expected an even number for tiles in local memory, found {}", *options.time_block);
  for (const int depth : options.time_block ? std::vector{*options.time_block} : std::vector{2, 4, 6, 8})
    for (int groups_x = 1; groups_x <= std::min(device.units, grid.nx); ++groups_x)
      for (int groups_y = 1; groups_x * groups_y <= device.units && groups_y <= grid.ny; ++groups_y) {
        const Tiles tiles(grid, groups_x, groups_y, depth);
        const int items = tile_items(device, options, tiles, sizeof(float));
        if (tile_bytes(tiles, items, sizeof(float)) > device.local_bytes ||
            tiles.region() > 2 * most_cells_an_item(device) * items)
          continue;
        const double cost = step_cost(tiles);
        if (best && cost >= lowest_cost) continue;
        best = tiles;
        lowest_cost = cost;
      }
  if (!best)
    throw unavailable(
        "persistent: {} has {} compute units with {} bytes of local memory, which cannot hold tiles of a "
        "grid of {}x{} cells all at once",
        device.name, device.units, device.local_bytes, grid.nx, grid.ny);
  const int items = tile_items(device, options, *best, sizeof(float));
  check_tiles(device, options, *best, items, sizeof(float));
  BlockPlan plan = plan_of(*best, items, true);
  plan.defines += fmt::format(" -D PERSISTENT -D MAX_POLLS={}", max_polls);
  plan.mailbox_words = 2 * 9 * static_cast<std::size_t>(grid.nx) * static_cast<std::size_t>(grid.ny);
  plan.words_crossing = 9.0 * best->crossing(grid);
  return plan;
}

BlockPlan plan_warp_tiles(const ComputeDevice& device, const LbmOptions& options, const Parameters& grid) {
  if (options.work_group)
    throw bad_input("--work-group: expected none because tiles in registers determine the groups, found {}x{}",
                    options.work_group->x, options.work_group->y);
  constexpr int most_warps = 32;
  std::vector<int> depths = {2, 3, 4, 5, 6, 7, 8};
  if (options.time_block) depths = {*options.time_block};
  const auto best =
      best_warp_tiles(grid, device.units, most_warps, depths, [&](const WarpTiles& cut) { return fit(device, cut); });
  if (!best)
    throw unavailable(
        "persistent: {} has {} compute units, whose registers cannot hold tiles of a grid of {}x{} cells all at once",
        device.name, device.units, grid.nx, grid.ny);
  const Tiles& tiles = best->tiles;
  return {.source = warp_tiles_source,
          .kernel = "warp_tile_steps",
          .defines = fmt::format("-D TILE_X={} -D TILE_Y={} -D GROUPS_X={} -D GROUPS_Y={} -D DEPTH={} -D ROWS={} "
                                 "-D WARPS={} -D HEAD_START=400 -D MAX_POLLS={}",
                                 tiles.x, tiles.y, tiles.groups_x, tiles.groups_y, tiles.depth, best->rows,
                                 best->warps(), max_polls),
          .items = best->items(),
          .groups = tiles.groups(),
          .sums_a_step = tiles.groups(),
          .depth = tiles.depth,
          .is_persistent = true,
          .mailbox_words = best->mailbox_words(grid.ny),
          .pieces = fmt::format("{}x{} tiles in registers", tiles.x, tiles.y),
          .words_crossing = 9.0 * tiles.crossing(grid)};
}

BlockPlan plan_on_chip(const ComputeDevice& device, const LbmOptions& options, const Parameters& grid) {
  constexpr int columns = 64, rows = 8, warps = 4;
  constexpr int tile_rows = rows * warps, group_bytes = 55 << 10, registers = 128;
  if (options.time_block || options.work_group)
    throw bad_input(
        "--time-block, --work-group: tiles of {}x{} cells do not fit {}; leave both out, and a way that fits is chosen",
        grid.nx, grid.ny, device.name);
  if (grid.nx % columns != 0 || grid.ny % tile_rows != 0)
    throw unavailable("persistent: a grid of {}x{} cells fits the chip only where {} divides nx and {} divides ny",
                      grid.nx, grid.ny, columns, tile_rows);
  const int groups = grid.nx / columns * (grid.ny / tile_rows);
  const int resident = device.units * device.resident_groups(group_bytes, warps * warp, registers);
  if (groups > resident)
    throw unavailable("persistent: a grid of {}x{} cells needs {} work-groups at once, {} holds {} of them", grid.nx,
                      grid.ny, groups, device.name, resident);
  const auto words = [&](int nx, int ny, int tiles_x, int tiles_y) {
    return 2 * (2 * std::size_t(tiles_x) * ny * 4 + 2 * std::size_t(tiles_y) * 3 * nx);
  };
  return {.source = on_chip_source,
          .kernel = "on_chip_steps",
          .defines = fmt::format("-D ROWS={} -D WARPS={} -D MAX_POLLS={}", rows, warps, max_polls),
          .items = warps * warp,
          .groups = groups,
          .sums_a_step = groups * warps,
          .depth = 1,
          .is_persistent = true,
          .mailbox_words = words(grid.nx, grid.ny, grid.nx / columns, grid.ny / tile_rows),
          .pieces = fmt::format("{}x{} tiles in registers", columns, tile_rows),
          .words_crossing = 2.0 * 2.0 * 3.0 * (1.0 / columns + 1.0 / tile_rows),
          .most_registers = registers};
}

int chunk_rows(const ComputeDevice& device, const BlockPlan& plan, int rows) {
  return rows_of_warp(plan.strips, rows, plan.depth, plan.warps_a_unit * device.units);
}

BlockPlan plan_wavefront(const ComputeDevice& device, const LbmOptions& options, const Parameters& grid) {
  if (device.sub_groups != SubGroups::warps)
    throw unavailable("a wavefront in registers needs the warps of an NVIDIA device");
  const bool is_double = options.precision == Precision::f64;
  const int depth = options.time_block.value_or(usual_wavefront_steps(options.precision));
  // Two solid bits for each of depth + 1 rows are in one word. Larger depths would cost all depths a tenth on an H200.
  if (constexpr int most_steps = 14; depth > most_steps)
    throw bad_input("--time-block: expected at most {} for a wavefront in registers, found {}", most_steps, depth);
  const int own_columns = 64 - 2 * depth, strips = divide_up(grid.nx, own_columns);
  const int items = options.work_group ? options.work_group->x * options.work_group->y : 128;
  if (items % warp != 0 || static_cast<std::size_t>(items) > device.max_work_group)
    throw bad_input("--work-group: expected whole warps of {} work-items, at most {}, found {}", warp,
                    device.max_work_group, items);
  BlockPlan plan = {.source = wavefront_source,
                    .kernel = "wavefront_steps",
                    .defines = fmt::format("-D DEPTH={} -D STRIPS={} -D ITEMS={}", depth, strips, items),
                    .items = items,
                    .depth = depth,
                    .vvl = 2,
                    .strips = strips,
                    .warps_a_unit = is_double ? 8 : 12};
  const int rows = chunk_rows(device, plan, grid.ny);
  plan.sums_a_step = strips * divide_up(grid.ny, rows);
  plan.groups = divide_up(plan.sums_a_step * warp, items);
  plan.pieces = fmt::format("strips of {} columns and {} rows", own_columns, rows);
  plan.read_again = 64.0 / own_columns * (rows + 2.0 * depth) / rows - 1.0;
  plan.cells_at_work = 64.0 * (2.0 * depth + 1.0) * plan.sums_a_step;
  return plan;
}

BlockPlan plan_persistent(const ComputeDevice& device, const LbmOptions& options, const Parameters& grid) {
  if (device.sub_groups == SubGroups::warps)
    for (const auto plan : {plan_warp_tiles, plan_on_chip}) try {
        return plan(device, options, grid);
      } catch (const Error&) {  // tiles in local memory are larger, and take a --work-group
      }
  return plan_resident_tiles(device, options, grid);
}

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
