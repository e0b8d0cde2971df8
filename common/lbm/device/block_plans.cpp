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

extern const std::string_view tiles_source, warp_tiles_source, on_chip_source, wavefront_source;

namespace {

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

}  // namespace boltzmark::lbm
