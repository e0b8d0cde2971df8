#include "common/matmul/device/tiling.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "common/base/error.hpp"
#include "common/device/work_group.hpp"

namespace boltzmark::matmul {

using namespace device;

namespace {

std::int64_t parts(std::int64_t whole, std::int64_t part) { return (whole + part - 1) / part; }
std::int64_t padded(std::int64_t value, std::int64_t multiple) { return parts(value, multiple) * multiple; }
bool divides(int part, int whole) { return whole % part == 0; }
int value_bytes(const DeviceCase& of) { return bytes_of(of.options.precision); }
double real(std::int64_t size) { return static_cast<double>(size); }

WorkGroup square_group(const ComputeDevice& device) {
  int edge = 16;
  while (edge > 1 && static_cast<std::size_t>(edge) * edge > device.max_work_group) edge /= 2;
  return {edge, edge};
}

/// In such groups, or those of --work-group, on matrices as they are: an item per element of C.
Tiling in_groups(const DeviceCase& of, WorkGroup usual) {
  Tiling tiling = {.group = of.options.shape("work-group").value_or(usual), .padded = of.shape};
  if (tiling.group.z != 1) throw bad_input("--work-group: expected XxY, found {}", to_string(tiling.group));
  check_work_group(of.device, tiling.group, 0);
  tiling.columns = of.shape.n;
  tiling.rows = of.shape.m;
  return tiling;
}

void expect_local(std::size_t bytes, const DeviceCase& of) {
  if (bytes > of.device.local_bytes)
    throw unavailable("{}: expected {} bytes of local memory, {} has {}", of.options.variant, bytes, of.device.name,
                      of.device.local_bytes);
}

/// What a group with blocks in local memory reads, and writes.
double values_with_blocks(const Tiling& tiling, const Shape& shape) {
  const double rows = tiling.group.y * tiling.tile_rows, columns = tiling.group.x * tiling.tile_columns;
  return real(shape.k) / columns + real(shape.k) / rows + 1.0;
}

void set_tile_facts(Tiling& tiling) {
  tiling.settings["tile"] = fmt::format("{}x{}", tiling.tile_rows, tiling.tile_columns);
  tiling.settings["block_depth"] = tiling.block_depth;
  tiling.settings["vvl"] = tiling.lanes;
}

/// Items by rows of C. keeps_row: an item its row of A in private memory.
Tiling rows_of(const DeviceCase& of, bool keeps_row, bool keeps_column) {
  constexpr std::int64_t longest = 65536;
  Tiling tiling = in_groups(of, {of.device.type == DeviceType::cpu ? 16 : 64, 1});
  if (tiling.group.y != 1) throw bad_input("--work-group: expected Nx1 for rows, found {}", to_string(tiling.group));
  const std::int64_t row_bytes = of.shape.k * value_bytes(of);
  if (keeps_row && row_bytes > longest)
    throw unavailable("{}: expected rows of A of at most {} bytes, for private memory, found {}", of.options.variant,
                      longest, row_bytes);
  if (keeps_column) expect_local(static_cast<std::size_t>(row_bytes), of);
  tiling.columns = of.shape.m;
  tiling.rows = 1;
  const double k = real(of.shape.k);
  tiling.values_per_element = (keeps_row ? k / real(of.shape.n) : k) + (keeps_column ? k / tiling.group.x : k) + 1.0;
  if (keeps_row) tiling.defines = fmt::format("-D DEPTH={}", of.shape.k);
  return tiling;
}

/// --tile and --block-depth, in groups that are set. buffers: blocks of A and of B that a group has in local memory.
void set_tiles(Tiling& tiling, const DeviceCase& of, int buffers, bool has_vectors) {
  constexpr int least_of_slice = 8;
  const int bytes = value_bytes(of), slices = tiling.group.z;
  tiling.row_axis = 1;
  tiling.tile_rows = tiling.tile_columns = 8;
  if (of.options.has("tile")) {
    const WorkGroup tile = parse_work_group("--tile", of.options.text("tile"));
    tiling.tile_rows = tile.x, tiling.tile_columns = tile.y;
  }
  tiling.block_depth =
      of.options.number("block-depth").value_or(std::max(bytes == 8 ? 8 : 16, least_of_slice * slices));
  tiling.lanes = has_vectors ? 16 / bytes : 1;
  const int items = tiling.group.x * tiling.group.y * slices, rows = tiling.group.y * tiling.tile_rows,
            columns = tiling.group.x * tiling.tile_columns;
  const int vectors_of_a = rows * tiling.block_depth / tiling.lanes,
            vectors_of_b = columns * tiling.block_depth / tiling.lanes;
  if (has_vectors && (!divides(items, vectors_of_a) || !divides(items, vectors_of_b)))
    throw bad_input(
        "--work-group: expected a share of each block for every item, found {} items for blocks of {} and {} "
        "vectors",
        items, vectors_of_a, vectors_of_b);
  const int pad = has_vectors ? tiling.lanes : 0;
  const int of_blocks = buffers * tiling.block_depth * (rows + pad + columns), of_slices = slices / 2 * rows * columns;
  expect_local(static_cast<std::size_t>(std::max(of_blocks, of_slices)) * bytes, of);
  tiling.padded = {padded(of.shape.m, rows), padded(of.shape.n, columns), padded(of.shape.k, tiling.block_depth)};
  tiling.rows = tiling.padded.m / tiling.tile_rows;
  tiling.columns = tiling.padded.n / tiling.tile_columns;
  tiling.values_per_element = values_with_blocks(tiling, of.shape);
  set_tile_facts(tiling);
}

Tiling tiles_of(const DeviceCase& of, int buffers, bool has_vectors) {
  Tiling tiling = in_groups(of, square_group(of.device));
  set_tiles(tiling, of, buffers, has_vectors);
  return tiling;
}

/// Of 8 x 8 tiles, with as many slices as z says: that with which the rounds of groups over the device's units take
/// least. Large groups read less; small ones leave fewer units without work, and slices keep their items many.
WorkGroup group_by_size(const DeviceCase& of) {
  struct Choice {
    WorkGroup group;
    double seconds_of_element;  ///< relative, on an H200
  };
  const Choice choices[] = {{{16, 16}, 1.0}, {{8, 8, value_bytes(of) == 8 ? 2 : 4}, 1.1}};
  const auto seconds = [&](const Choice& choice) {
    const std::int64_t rows = 8 * choice.group.y, columns = 8 * choice.group.x;
    const std::int64_t groups = parts(of.shape.m, rows) * parts(of.shape.n, columns);
    return real(parts(groups, of.device.units) * rows * columns) * choice.seconds_of_element;
  };
  return std::ranges::min(choices, {}, seconds).group;
}

/// What the kernel with slices wants of shapes beyond whole shares. Throws Error (bad_input).
void check_warps(const Tiling& tiling) {
  const int items = tiling.group.x * tiling.group.y * tiling.group.z;
  if (!divides(8, tiling.group.x) || !divides(4, tiling.group.y))
    throw bad_input("--work-group: expected multiples of 8x4, found {}x{}", tiling.group.x, tiling.group.y);
  if (!divides(8, tiling.block_depth))
    throw bad_input("--block-depth: expected a multiple of 8, found {}", tiling.block_depth);
  const int rows_of_a = 4 * tiling.block_depth, row_of_b = tiling.group.x * tiling.tile_columns / tiling.lanes;
  if (!divides(rows_of_a, items) || !divides(row_of_b, items))
    throw bad_input("--work-group: expected a multiple of {} and of {} items, for whole rows of blocks, found {}",
                    rows_of_a, row_of_b, items);
}

}  // namespace

Tiling coalesced_tiling(const DeviceCase& of) {
  Tiling tiling = in_groups(of, square_group(of.device));
  tiling.row_axis = 1;
  tiling.values_per_element = 2.0 * real(of.shape.k) + 1.0;
  return tiling;
}

Tiling element_tiling(const DeviceCase& of) {
  Tiling tiling = coalesced_tiling(of);
  tiling.row_axis = 0;
  std::swap(tiling.columns, tiling.rows);
  return tiling;
}

Tiling global_sum_tiling(const DeviceCase& of) {
  Tiling tiling = element_tiling(of);
  tiling.values_per_element += 2.0 * real(of.shape.k);
  tiling.defines = "-D GLOBAL_SUM";
  return tiling;
}

Tiling row_tiling(const DeviceCase& of) { return rows_of(of, false, false); }
Tiling private_row_tiling(const DeviceCase& of) {
  Tiling tiling = rows_of(of, true, false);
  tiling.defines += " -D PRIVATE_A";
  return tiling;
}
Tiling local_column_tiling(const DeviceCase& of) { return rows_of(of, true, true); }

Tiling blocked_tiling(const DeviceCase& of) {
  Tiling tiling = in_groups(of, square_group(of.device));
  if (tiling.group.x != tiling.group.y)
    throw bad_input("--work-group: expected NxN for square blocks, found {}", to_string(tiling.group));
  expect_local(2ul * tiling.group.x * tiling.group.x * value_bytes(of), of);
  tiling.row_axis = 1;
  tiling.values_per_element = values_with_blocks(tiling, of.shape);
  return tiling;
}

Tiling register_tiling(const DeviceCase& of) { return tiles_of(of, 1, false); }
Tiling vector_tiling(const DeviceCase& of) { return tiles_of(of, 1, true); }
Tiling double_buffer_tiling(const DeviceCase& of) { return tiles_of(of, 2, true); }

Tiling warp_tiling(const DeviceCase& of) {
  constexpr std::size_t largest_by_size = 256;
  const auto& given = of.options;
  Tiling tiling = in_groups(of, square_group(of.device));
  if (of.device.type == DeviceType::gpu && of.device.max_work_group >= largest_by_size &&
      std::ranges::none_of(std::array{"work-group", "tile", "block-depth", "slices"},
                           [&](const char* name) { return given.has(name); }))
    tiling.group = group_by_size(of);
  else
    tiling.group.z = given.number("slices").value_or(1);
  check_work_group(of.device, tiling.group, 0);
  set_tiles(tiling, of, 2, true);
  check_warps(tiling);
  if (of.device.has_asynchronous_copies()) tiling.defines = "-D ASYNCHRONOUS_COPIES";
  tiling.settings["slices"] = tiling.group.z;
  return tiling;
}

/// As common/matmul/cpu: as many sums as there are registers, a strip of B in the first-level cache, a block of A in
/// the second-level one.
Tiling packed_tiling(const DeviceCase& of) {
  constexpr int strip_bytes = 24576, depth_multiple = 16;
  const int bytes = value_bytes(of);
  Tiling tiling = in_groups(of, {1, 1});
  tiling.lanes = std::max(2, of.device.native_lanes(of.options.precision));
  tiling.tile_rows = tiling.lanes * bytes >= 64 ? 14 : 6;
  tiling.tile_columns = 2 * tiling.lanes;
  tiling.block_depth = strip_bytes / (tiling.tile_columns * bytes) / depth_multiple * depth_multiple;
  tiling.block_rows = 224 / tiling.tile_rows;
  tiling.block_columns = 8;
  tiling.padded = {padded(of.shape.m, tiling.tile_rows), padded(of.shape.n, tiling.tile_columns),
                   padded(of.shape.k, depth_multiple)};
  const int rows = tiling.block_rows * tiling.tile_rows, columns = tiling.block_columns * tiling.tile_columns;
  tiling.rows = parts(tiling.padded.m, rows);
  tiling.columns = parts(tiling.padded.n, columns);
  const double m = real(of.shape.m), n = real(of.shape.n), k = real(of.shape.k);
  const double copies = 2.0 * (k / m + k / n);
  tiling.values_per_element = copies + k / columns + k / rows + 2.0 * real(parts(of.shape.k, tiling.block_depth)) - 1.0;
  set_tile_facts(tiling);
  return tiling;
}

}  // namespace boltzmark::matmul
