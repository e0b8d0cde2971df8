#include "common/heat/device/geometry.hpp"

#include <algorithm>

#include "common/base/error.hpp"
#include "common/cpu/processors.hpp"
#include "common/cpu/split_tiling.hpp"

namespace boltzmark::heat {

using namespace device;

namespace {

constexpr int warp = 32;

bool is_cpu(const DeviceCase& of) { return of.device.type == DeviceType::cpu; }
bool has_warps(const DeviceCase& of) { return of.device.sub_groups == SubGroups::warps; }
int value_bytes(const DeviceCase& of) { return bytes_of(of.options.precision); }
int width(const DeviceCase& of) { return static_cast<int>(of.plate.width); }
int height(const DeviceCase& of) { return static_cast<int>(of.plate.height); }

/// Sets group, memory and items for a cell per work-item. `usual` is the published group if that is part of a rung; an
/// item has this many values of local memory.
void lay_out(Geometry& geometry, const DeviceCase& of, WorkGroup usual, int local_values) {
  constexpr int longest_vector = 16;
  while (static_cast<std::size_t>(usual.x) * usual.y > of.device.max_work_group) {
    int& longer = usual.y > 1 ? usual.y : usual.x;
    longer /= 2;
  }
  geometry.group = of.options.shape("work-group").value_or(usual);
  if (geometry.group.z != 1) throw bad_input("--work-group: expected XxY, found {}", to_string(geometry.group));
  check_work_group(of.device, geometry.group, static_cast<std::size_t>(local_values) * value_bytes(of));
  geometry.scratch_values = std::int64_t{geometry.group.x} * geometry.group.y;
  geometry.pitch = round_up(geometry.lead + round_up(width(of), longest_vector) + 1, geometry.lead);
  geometry.columns = width(of);
  geometry.items_down = height(of);
}

void set_delay(Geometry& geometry, const DeviceCase& of) {
  geometry.delay = std::max(of.options.number("delay").value_or(200), geometry.time_block);
  geometry.settings["delay"] = geometry.delay;
}

/// --vvl and --rows, or the defaults.
void set_vvl(Geometry& geometry, const DeviceCase& of, int usual) {
  geometry.vvl = of.options.number("vvl").value_or(usual);
  if (geometry.vvl > 1) geometry.settings["vvl"] = geometry.vvl;
}
void set_rows(Geometry& geometry, const DeviceCase& of, int usual) {
  geometry.rows = of.options.number("rows").value_or(usual);
  geometry.settings["rows"] = geometry.rows;
}

void expect_local(std::size_t bytes, std::size_t available, const DeviceCase& of) {
  if (bytes > available)
    throw unavailable("{}: expected {} bytes of local memory, {} has {}", of.options.variant, bytes, of.device.name,
                      available);
}

/// Words of 4 bytes that an item of time-block keeps in registers from row to row.
int words_of_steps(int time_block, int lanes, int bytes) { return time_block * 2 * lanes * bytes / 4; }

/// The wider a warp's columns, the fewer are done twice; half of the 255 registers of an item hold its rows.
int usual_block_vvl(const DeviceCase& of, int time_block) {
  const int bytes = value_bytes(of);
  if (!has_warps(of)) return 16 / bytes;
  int lanes = 32 / bytes;
  while (lanes > 1 && words_of_steps(time_block, lanes, bytes) > 128) lanes /= 2;
  return lanes;
}

/// Few enough that the warps of a launch fill the device and all run at once, including those of the ends. Based on
/// nvcc's registers per item: 158 with 64 words of rows and 255 with 128.
int rows_of_warps(const Geometry& geometry, const DeviceCase& of, int strips) {
  const int bytes = value_bytes(of);
  const int registers = std::min(256, 64 + words_of_steps(geometry.time_block, geometry.vvl, bytes) * 3 / 2);
  const auto scratch_bytes = static_cast<std::size_t>(geometry.scratch_values) * bytes;
  const int groups =
      of.device.units * of.device.resident_groups(scratch_bytes, geometry.group.x * geometry.group.y, registers);
  const int warps_down = std::max(1, groups * geometry.group.y / strips - of.ends);
  return std::max(geometry.time_block, divide_up(height(of), warps_down));
}

}  // namespace

Geometry coalesced_geometry(const DeviceCase& of) {
  Geometry geometry;
  lay_out(geometry, of, {32, 4}, 0);
  geometry.values_per_update = 7.0;
  geometry.values_fetched = 2.0;  // the work array and the changes
  geometry.changes = of.plate.width * of.plate.height;
  return geometry;
}

Geometry array_geometry(const DeviceCase& of) {
  Geometry geometry = coalesced_geometry(of);
  geometry.row_axis = 0;
  std::swap(geometry.columns, geometry.items_down);
  return geometry;
}

Geometry column_geometry(const DeviceCase& of) {
  Geometry geometry;
  lay_out(geometry, of, {32, 1}, 0);
  if (geometry.group.y != 1)
    throw bad_input("--work-group: expected Nx1 for {}, found {}", of.options.variant, to_string(geometry.group));
  geometry.items_down = 1;
  geometry.changes = of.plate.width;
  return geometry;
}

Geometry cell_geometry(const DeviceCase& of) {
  Geometry geometry;
  lay_out(geometry, of, is_cpu(of) ? WorkGroup{128, 2} : WorkGroup{64, 4}, 1);
  return geometry;
}

Geometry delayed_geometry(const DeviceCase& of) {
  Geometry geometry = cell_geometry(of);
  set_delay(geometry, of);
  return geometry;
}

Geometry tile_geometry(const DeviceCase& of) {
  const Geometry geometry = delayed_geometry(of);
  const std::int64_t tile = std::int64_t{geometry.group.x + 2} * (geometry.group.y + 2);
  expect_local(static_cast<std::size_t>(tile + geometry.scratch_values) * value_bytes(of), of.device.local_bytes, of);
  return geometry;
}

/// A processor has wide vectors and prefetches by itself.
Geometry strip_geometry(const DeviceCase& of) {
  constexpr int most_at_once = 8;
  Geometry geometry;
  lay_out(geometry, of, is_cpu(of) ? WorkGroup{16, 1} : WorkGroup{64, 4}, 1);
  set_delay(geometry, of);
  set_vvl(geometry, of, is_cpu(of) ? of.device.native_lanes(of.options.precision) : 16 / value_bytes(of));
  set_rows(geometry, of, is_cpu(of) ? 64 : 4);
  if (!is_cpu(of)) geometry.rows_at_once = geometry.rows <= most_at_once ? geometry.rows : most_at_once / 2;
  geometry.reduction = default_reduction(of.device);
  geometry.columns = divide_up(width(of), geometry.vvl);
  geometry.items_down = divide_up(height(of), geometry.rows);
  return geometry;
}

Geometry row_geometry(const DeviceCase& of) {
  Geometry geometry;
  lay_out(geometry, of, {1, 1}, 1);
  set_delay(geometry, of);
  set_vvl(geometry, of, of.device.native_lanes(of.options.precision));
  set_rows(geometry, of, std::max(1, divide_up(height(of), 4 * std::max(1, of.device.units))));
  geometry.columns = divide_up(height(of), geometry.rows);
  geometry.items_down = 1;
  return geometry;
}

/// Steps for which the rows in progress of both grids are in a core's cache.
Geometry tiling_geometry(const DeviceCase& of) {
  constexpr int usual_depth = 20, more_rows = 6;
  Geometry geometry;
  lay_out(geometry, of, {1, 1}, 1);
  set_vvl(geometry, of, of.device.native_lanes(of.options.precision));
  const std::size_t row_bytes = 2 * static_cast<std::size_t>(geometry.pitch) * value_bytes(of);
  const int cached = static_cast<int>(core_caches().l2 / row_bytes) - more_rows;
  const SplitTiling tiling(height(of), false, std::max(1, of.device.units),
                           of.options.number("time-block").value_or(std::clamp(cached, 2, usual_depth)));
  geometry.time_block = tiling.depth();
  geometry.tiles = geometry.columns = tiling.tiles();
  geometry.items_down = 1;
  geometry.settings["tiles"] = geometry.tiles;
  set_delay(geometry, of);
  return geometry;
}

/// Compilers for processors are slow on a kernel with all loops unrolled: fewer steps there.
Geometry block_geometry(const DeviceCase& of) {
  const auto bytes = static_cast<std::size_t>(value_bytes(of));
  Geometry geometry;
  geometry.time_block = of.options.number("time-block").value_or(is_cpu(of) ? 4 : 8);
  set_vvl(geometry, of, usual_block_vvl(of, geometry.time_block));
  lay_out(geometry, of, has_warps(of) ? WorkGroup{warp, 1} : WorkGroup{geometry.vvl >= 4 ? 128 : 256, 1}, 1);
  const WorkGroup group = geometry.group;
  const int columns = group.x * geometry.vvl, own = columns - 2 * round_up(geometry.time_block, geometry.vvl);
  if (has_warps(of) ? group.x != warp : group.y != 1)
    throw bad_input("--work-group: expected {} for {} on {}, found {}", has_warps(of) ? "32xN" : "Nx1",
                    of.options.variant, of.device.name, to_string(group));
  if (own <= 0)
    throw bad_input("--time-block, --work-group: expected at most {} steps for a strip of {} columns, found {}",
                    (columns - 1) / 2 / geometry.vvl * geometry.vvl, columns, geometry.time_block);
  set_delay(geometry, of);
  geometry.reduction = default_reduction(of.device);
  geometry.scratch_values *= geometry.time_block;
  const std::size_t scratch_bytes = static_cast<std::size_t>(geometry.scratch_values) * bytes;
  expect_local(has_warps(of) ? scratch_bytes : 5 * scratch_bytes,  // and the data exchanged between items
               of.device.group_local_bytes(), of);
  const int strips = divide_up(width(of), own);
  set_rows(geometry, of, has_warps(of) ? rows_of_warps(geometry, of, strips) : std::clamp(height(of) / 8, 16, 128));
  geometry.columns = group.x * strips;
  geometry.items_down = divide_up(height(of), geometry.rows);
  return geometry;
}

}  // namespace boltzmark::heat
