#include "opencl/blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "common/error.hpp"
#include "opencl/kernel_build.hpp"

namespace boltzmark {
namespace {

int divide_up(int a, int b) { return (a + b - 1) / b; }

bool is_double(const OpenclOptions& options) { return options.precision == Precision::f64; }

/// Tiles of a grid and the layers round them, see kernels/tiles.cl.
struct Tiles {
  int groups_x = 1, groups_y = 1, x = 1, y = 1, depth = 2;

  int groups() const { return groups_x * groups_y; }
  int region() const { return (x + 2 * depth) * (y + 2 * depth); }
  /// Cells that a step updates, on average over the steps between two exchanges.
  double cells_a_step() const {
    double cells = 0.0;
    for (int s = 1; s <= depth; ++s) cells += double(x + 2 * (depth - s)) * double(y + 2 * (depth - s));
    return cells / depth;
  }
};

Tiles tiles_of(const Parameters& grid, int groups_x, int groups_y, int depth) {
  return {groups_x, groups_y, divide_up(grid.nx, groups_x), divide_up(grid.ny, groups_y), depth};
}

/// Local memory of a group: its cells, and its sums of |u|, 16 steps a warp at most where items keep theirs.
std::size_t tile_bytes(const OpenclDevice& device, const Tiles& tiles, int items, std::size_t value_bytes) {
  constexpr int warp = 32, most_steps = 16;
  const bool has_warps =
      device.sub_groups == SubGroups::warps && value_bytes == sizeof(float) && items % warp == 0;
  const int sums = has_warps ? most_steps * (items / warp) : tiles.depth * items;
  return value_bytes * static_cast<std::size_t>(8 * tiles.region() + sums);
}

/// Work-items of a group: what the user wants; else one for every cell of the region while there is room,
/// half or a third as many where there is not, in whole warps.
int tile_items(const OpenclDevice& device, const OpenclOptions& options, const Tiles& tiles,
               std::size_t value_bytes) {
  constexpr int warp = 32;
  if (options.work_group) return options.work_group->x * options.work_group->y;
  const int most = static_cast<int>(std::min<std::size_t>(device.max_work_group, 1024));
  for (int cells_an_item = 1;; ++cells_an_item) {
    const int items = divide_up(divide_up(tiles.region(), cells_an_item), warp) * warp;
    if (items <= warp ||
        (items <= most && tile_bytes(device, tiles, items, value_bytes) <= device.local_bytes))
      return std::min(items, most);
  }
}

/// An item's cells are unrolled; on CPUs the compiler unrolls the items as well, and takes long.
int most_cells_an_item(const OpenclDevice& device) { return device.type == DeviceType::cpu ? 1 : 4; }

/// Depths that are tried, or the one that the user wants.
std::vector<int> depths_of(const OpenclOptions& options, std::vector<int> defaults) {
  if (!options.time_block) return defaults;
  if (*options.time_block % 2 != 0 || *options.time_block > 16)
    throw bad_input("--time-block: expected an even number from 2 to 16, found {}", *options.time_block);
  return {*options.time_block};
}

BlockPlan plan_of(const Tiles& tiles, int items, bool is_persistent) {
  return {.source = tiles_source,
          .kernel = "tile_steps",
          .defines =
              fmt::format("-D TILE_X={} -D TILE_Y={} -D GROUPS_X={} -D GROUPS_Y={} -D DEPTH={} -D ITEMS={}",
                          tiles.x, tiles.y, tiles.groups_x, tiles.groups_y, tiles.depth, items),
          .items = items,
          .groups = tiles.groups(),
          .sums_a_step = tiles.groups(),
          .depth = tiles.depth,
          .is_persistent = is_persistent,
          .pieces = fmt::format("{}x{} tiles", tiles.x, tiles.y)};
}

/// Throws where a group of so many items with this region cannot be.
void check_tiles(const OpenclDevice& device, const OpenclOptions& options, const Tiles& tiles, int items,
                 std::size_t value_bytes) {
  if (static_cast<std::size_t>(items) > device.max_work_group)
    throw unavailable("--work-group: {} takes at most {} work-items, found {}", device.name,
                      device.max_work_group, items);
  constexpr int most_cells = 8;  // they are unrolled, and compilers take minutes over more
  if (options.work_group && tiles.region() > most_cells * items)
    throw bad_input(
        "--work-group: expected at least {} work-items for tiles of {}x{} cells with {} layers, found {}",
        divide_up(tiles.region(), most_cells), tiles.x, tiles.y, tiles.depth, items);
  const std::size_t bytes = tile_bytes(device, tiles, items, value_bytes);
  if (bytes <= device.local_bytes) return;
  const auto line = fmt::format(
      "tiles of {}x{} cells with {} layers and {} work-items need {} bytes of local memory, {} has {}",
      tiles.x, tiles.y, tiles.depth, items, bytes, device.name, device.local_bytes);
  throw options.work_group || options.time_block ? bad_input("--time-block, --work-group: {}", line)
                                                 : unavailable("{}", line);
}

/// Whether the rows of all tiles begin and end where a 32-byte sector of the mail does: words of a sector
/// that two groups post or fetch travel twice.
bool are_whole_sectors(const Parameters& grid, const Tiles& tiles) {
  constexpr int sector_words = 8;
  return grid.nx % tiles.groups_x == 0 && grid.nx / tiles.groups_x % sector_words == 0;
}

/// Seconds of a step in millionths, measured on an H200 with tiles of many sizes: a step costs its cells,
/// more where items have several, an exchange a trip through the second-level cache.
double step_cost(const Parameters& grid, const Tiles& tiles, int items) {
  const double a_cell = 6e-4 * (tiles.region() > items ? 1.15 : 1.0);
  const double an_exchange = are_whole_sectors(grid, tiles) ? 1.6 : 2.1;
  return a_cell * tiles.cells_a_step() + an_exchange / tiles.depth;
}

}  // namespace

BlockPlan plan_tiles(const OpenclDevice& device, const OpenclOptions& options, const Parameters& grid) {
  const std::size_t value_bytes = is_double(options) ? sizeof(double) : sizeof(float);
  struct Shape {
    int x, y;
  };
  const int depth = depths_of(options, {4}).front();
  std::optional<Tiles> chosen;
  for (const Shape shape : {Shape{64, 32}, {32, 32}, {32, 16}, {16, 16}, {16, 8}, {8, 8}}) {
    chosen = tiles_of(grid, divide_up(grid.nx, shape.x), divide_up(grid.ny, shape.y), depth);
    const int items = tile_items(device, options, *chosen, value_bytes);
    if (tile_bytes(device, *chosen, items, value_bytes) <= device.local_bytes &&
        chosen->region() <= most_cells_an_item(device) * items)
      break;
  }
  const int items = tile_items(device, options, *chosen, value_bytes);
  check_tiles(device, options, *chosen, items, value_bytes);
  BlockPlan plan = plan_of(*chosen, items, false);
  const double cells = double(chosen->x) * chosen->y;
  plan.bytes_per_update = 9.0 * value_bytes * (chosen->region() + cells) / cells / depth;
  return plan;
}

BlockPlan plan_resident_tiles(const OpenclDevice& device, const OpenclOptions& options,
                              const Parameters& grid) {
  if (is_double(options)) throw unavailable("persistent: words with a tag are of single precision");
  // One group a compute unit is resident wherever a kernel has the device to itself.
  std::optional<Tiles> best;
  double lowest_cost = 0.0;
  for (const int depth : depths_of(options, {2, 4, 6, 8}))
    for (int groups_x = 1; groups_x <= std::min(device.units, grid.nx); ++groups_x)
      for (int groups_y = 1; groups_x * groups_y <= device.units && groups_y <= grid.ny; ++groups_y) {
        const Tiles tiles = tiles_of(grid, groups_x, groups_y, depth);
        const int items = tile_items(device, options, tiles, sizeof(float));
        if (tile_bytes(device, tiles, items, sizeof(float)) > device.local_bytes ||
            tiles.region() > 2 * most_cells_an_item(device) * items)
          continue;
        const double cost = step_cost(grid, tiles, items);
        if (best && cost >= lowest_cost) continue;
        best = tiles;
        lowest_cost = cost;
      }
  if (!best)
    throw unavailable(
        "persistent: {} has {} compute units with {} bytes of local memory, which cannot hold tiles of a "
        "grid "
        "of {}x{} cells all at once",
        device.name, device.units, device.local_bytes, grid.nx, grid.ny);
  const int items = tile_items(device, options, *best, sizeof(float));
  check_tiles(device, options, *best, items, sizeof(float));
  BlockPlan plan = plan_of(*best, items, true);
  plan.defines += fmt::format(" -D PERSISTENT -D HEAD_START={} -D MOST_LOOKS={}",
                              are_whole_sectors(grid, *best) ? 400 : 900, 1 << 21);
  plan.mail_words = 2 * 9 * static_cast<std::size_t>(grid.nx) * static_cast<std::size_t>(grid.ny);
  plan.bytes_per_update = 0.0;
  return plan;
}

BlockPlan plan_on_chip(const OpenclDevice& device, const OpenclOptions& options, const Parameters& grid) {
  constexpr int warp = 32, columns = 64, rows = 8, warps = 4;
  constexpr int tile_rows = rows * warps, group_bytes = 45 << 10, registers = 128;
  if (is_double(options)) throw unavailable("persistent: words with a tag are of single precision");
  if (options.time_block || options.work_group)
    throw bad_input(
        "--time-block, --work-group: tiles of {}x{} cells do not fit {}, and what does has its own", grid.nx,
        grid.ny, device.name);
  if (grid.nx % columns != 0 || grid.ny % tile_rows != 0)
    throw unavailable(
        "persistent: a grid of {}x{} cells fits the chip only where {} divides nx and {} divides ny", grid.nx,
        grid.ny, columns, tile_rows);
  const int groups = grid.nx / columns * (grid.ny / tile_rows);
  const int resident = device.units * device.resident_groups(group_bytes, warps * warp, registers);
  if (groups > resident)
    throw unavailable("persistent: a grid of {}x{} cells needs {} work-groups at once, {} holds {} of them",
                      grid.nx, grid.ny, groups, device.name, resident);
  const auto words = [&](int nx, int ny, int tiles_x, int tiles_y) {
    return 2 * (2 * std::size_t(tiles_x) * ny * 4 + 2 * std::size_t(tiles_y) * 3 * nx);
  };
  return {
      .source = on_chip_source,
      .kernel = "on_chip_steps",
      .defines = fmt::format("-D ROWS={} -D WARPS={} -D MOST_LOOKS={} -D HEAD_START=0 -cl-nv-maxrregcount={}",
                             rows, warps, 1 << 21, registers),
      .items = warps * warp,
      .groups = groups,
      .sums_a_step = groups * warps,
      .depth = 1,
      .is_persistent = true,
      .mail_words = words(grid.nx, grid.ny, grid.nx / columns, grid.ny / tile_rows),
      .pieces = fmt::format("{}x{} tiles in registers", columns, tile_rows),
      .bytes_per_update = 0.0};
}

BlockPlan plan_wavefront(const OpenclDevice& device, const OpenclOptions& options, const Parameters& grid) {
  constexpr int warp = 32;
  if (device.sub_groups != SubGroups::warps || is_double(options))
    throw unavailable("a wavefront in registers needs the warps of an NVIDIA device and single precision");
  const int depth = depths_of(options, {4}).front();
  const int own_columns = 64 - 2 * depth, strips = divide_up(grid.nx, own_columns);
  // Long columns of rows waste little at their ends; short ones give every unit work.
  constexpr int warps_a_unit = 12;
  const int wanted_chunks = std::max(1, 3 * warps_a_unit * device.units / strips);
  const int rows = std::clamp(divide_up(grid.ny, wanted_chunks), std::min(8, grid.ny), 256);
  const int chunks = divide_up(grid.ny, rows);
  const int items = options.work_group ? options.work_group->x * options.work_group->y : 128;
  if (items % warp != 0 || static_cast<std::size_t>(items) > device.max_work_group)
    throw bad_input("--work-group: expected whole warps of {} work-items, at most {}, found {}", warp,
                    device.max_work_group, items);
  BlockPlan plan = {.source = wavefront_source,
                    .kernel = "wavefront_steps",
                    .defines = fmt::format("-D DEPTH={} -D ROWS={} -D STRIPS={} -D CHUNKS={} -D ITEMS={}",
                                           depth, rows, strips, chunks, items),
                    .items = items,
                    .groups = divide_up(strips * chunks * warp, items),
                    .sums_a_step = strips * chunks,
                    .depth = depth,
                    .pieces = fmt::format("strips of {} columns and {} rows", own_columns, rows)};
  plan.bytes_per_update = 36.0 * (1.0 + 64.0 / own_columns * (rows + 2.0 * depth) / rows) / depth;
  return plan;
}

BlockPlan plan_persistent(const OpenclDevice& device, const OpenclOptions& options, const Parameters& grid) {
  try {
    return plan_resident_tiles(device, options, grid);
  } catch (const Error&) {
    if (device.sub_groups != SubGroups::warps || options.time_block || options.work_group) throw;
  }
  return plan_on_chip(device, options, grid);
}

}  // namespace boltzmark
