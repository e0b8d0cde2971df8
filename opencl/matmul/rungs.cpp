#include "opencl/matmul/rungs.hpp"

#include <algorithm>

#include "common/base/error.hpp"
#include "opencl/runtime/options.hpp"
#include "opencl/runtime/work_group.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {

extern const std::string_view element_source, row_source, row_b_local_source, blocked_source,
    register_tiles_source, vector_loads_source, double_buffer_source, warp_blocks_source, packed_source;

const std::vector<Rung>& all_rungs() {
  static const std::vector<Rung> rungs = {
      {.name = "element-global-sum",
       .summary = "published step: an element per item, the sum in global memory",
       .source = &element_source,
       .form = Form::element,
       .defines = "-D GLOBAL_SUM",
       .sums_in_memory = true},
      {.name = "element",
       .summary = "published step: an element per item, the sum in a register",
       .source = &element_source,
       .form = Form::element,
       .role = Role::textbook},
      {.name = "row", .summary = "published step: a row per item", .source = &row_source, .form = Form::row},
      {.name = "row-a-private",
       .summary = "published step: a row per item, that of A copied to private memory",
       .source = &row_source,
       .form = Form::row,
       .defines = "-D PRIVATE_A",
       .keeps_row = true},
      {.name = "row-b-local",
       .summary = "published step: the same, and the column of B copied to local memory",
       .source = &row_b_local_source,
       .form = Form::row,
       .keeps_row = true,
       .keeps_column = true},
      {.name = "blocked",
       .summary = "published step: blocks of A and B in local memory",
       .source = &blocked_source,
       .form = Form::block,
       .row_axis = 1,
       .buffers = 1,
       .role = Role::like_for_like},
      {.name = "coalesced",
       .summary = "element with its two axes exchanged",
       .source = &element_source,
       .form = Form::element,
       .row_axis = 1},
      {.name = "register-tiles",
       .summary = "blocked, several elements per item in registers",
       .source = &register_tiles_source,
       .form = Form::tile,
       .row_axis = 1,
       .buffers = 1},
      {.name = "vector-loads",
       .summary = "the same, memory read and written 16 bytes at a time",
       .source = &vector_loads_source,
       .form = Form::tile,
       .row_axis = 1,
       .buffers = 1,
       .has_vectors = true},
      {.name = "double-buffer",
       .summary = "the same, the next blocks on their way while these are multiplied",
       .source = &double_buffer_source,
       .form = Form::tile,
       .row_axis = 1,
       .buffers = 2,
       .has_vectors = true},
      {.name = "warp-tiles",
       .summary = "the same, a warp's tiles side by side, asynchronous copies, groups by C's size",
       .source = &warp_blocks_source,
       .form = Form::tile,
       .row_axis = 1,
       .buffers = 2,
       .has_vectors = true,
       .has_slices = true},
      {.name = "packed",
       .summary = "for processors: strips of A and B copied in order, tiles of C in vector registers",
       .source = &packed_source,
       .form = Form::packed}};
  return rungs;
}

std::vector<std::string> Rung::options() const {
  if (form == Form::packed) return {};
  std::vector<std::string> names = {"work-group"};
  if (form == Form::tile) names.insert(names.end(), {"tile", "block-depth"});
  if (has_slices) names.push_back("slices");
  return names;
}

const Rung& rung_named(const std::string& name) {
  return *std::find_if(all_rungs().begin(), all_rungs().end(),
                       [&](const Rung& rung) { return rung.name == name; });
}

std::vector<ModelOption> tile_options() {
  return {
      {.name = "tile",
       .value = "RxC",
       .help = "elements of C per work-item, rows x columns; default: 8x8",
       .choices = {"4x4", "4x8", "8x4", "8x8"}},
      {.name = "block-depth",
       .value = "N",
       .help =
           "depth of the blocks in local memory; default: 16, in double precision 8, and at least 8 a slice",
       .choices = {"4", "8", "16", "32"}},
      {.name = "slices",
       .value = "N",
       .help =
           "work-groups of N times as many items, which share the depth of each block; default: by the size of C",
       .choices = {"1", "2", "4"}}};
}

const char* default_rung(const ComputeDevice& device) {
  if (device.type == DeviceType::cpu) return "packed";
  return device.has_asynchronous_copies() ? "warp-tiles" : "double-buffer";
}

namespace {

std::int64_t round_up(std::int64_t value, std::int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}
std::int64_t parts(std::int64_t whole, std::int64_t part) { return (whole + part - 1) / part; }

WorkGroup usual_group(Form form, const ComputeDevice& device) {
  if (form == Form::packed) return {1, 1};
  if (form == Form::row) return {device.type == DeviceType::cpu ? 16 : 64, 1};
  int edge = 16;
  while (edge > 1 && (static_cast<std::size_t>(edge) * edge > device.max_work_group)) edge /= 2;
  return {edge, edge};
}

/// Of 8 x 8 tiles, with as many slices as z says: that with which the rounds of groups over the device's units take least. Large
/// groups read less; small ones leave fewer units without work, and slices keep their items many.
WorkGroup group_by_size(const ComputeDevice& device, const Shape& shape, int bytes) {
  struct Choice {
    WorkGroup group;
    double seconds_of_element;  ///< relative, on an H200
  };
  const Choice choices[] = {{{16, 16}, 1.0}, {{8, 8, bytes == 8 ? 2 : 4}, 1.1}};
  const auto seconds = [&](const Choice& choice) {
    const std::int64_t rows = 8 * choice.group.y, columns = 8 * choice.group.x;
    const std::int64_t groups = parts(shape.m, rows) * parts(shape.n, columns);
    return static_cast<double>(parts(groups, device.units) * rows * columns) * choice.seconds_of_element;
  };
  return std::ranges::min(choices, {}, seconds).group;
}

/// Of X x Y items, and z slices of them.
WorkGroup tile_group(const Rung& rung, const ComputeDevice& device, const Shape& shape,
                     const Options& options) {
  constexpr std::size_t largest_by_size = 256;
  if (rung.has_slices && device.type == DeviceType::gpu && device.max_work_group >= largest_by_size &&
      std::ranges::none_of(rung.options(), [&](const std::string& name) { return options.has(name); }))
    return group_by_size(device, shape, bytes_of(options.precision));
  WorkGroup group = options.shape("work-group").value_or(usual_group(rung.form, device));
  if (group.z != 1) throw bad_input("--work-group: expected XxY, found {}", to_string(group));
  group.z = options.number("slices").value_or(1);
  return group;
}

/// What the kernel with slices wants of shapes beyond whole shares. Throws Error (bad_input).
void check_warps(const Plan& plan, int items) {
  const auto divides = [](int part, int whole) { return whole % part == 0; };
  if (!divides(8, plan.group.x) || !divides(4, plan.group.y))
    throw bad_input("--work-group: expected multiples of 8x4, found {}x{}", plan.group.x, plan.group.y);
  if (!divides(8, plan.block_depth))
    throw bad_input("--block-depth: expected a multiple of 8, found {}", plan.block_depth);
  const int rows_of_a = 4 * plan.block_depth, row_of_b = plan.group.x * plan.tile_columns / plan.lanes;
  if (!divides(rows_of_a, items) || !divides(row_of_b, items))
    throw bad_input(
        "--work-group: expected a multiple of {} and of {} items, for whole rows of blocks, found {}",
        rows_of_a, row_of_b, items);
}

void plan_row(Plan& plan, const Rung& rung, const Shape& shape, int bytes) {
  constexpr std::int64_t longest = 65536;
  if (plan.group.y != 1 || plan.group.z != 1)
    throw bad_input("--work-group: expected Nx1 for rows, found {}", to_string(plan.group));
  if (rung.keeps_row && shape.k * bytes > longest)
    throw unavailable("{}: expected rows of A of at most {} bytes, for private memory, found {}", rung.name,
                      longest, shape.k * bytes);
  plan.columns = static_cast<int>(shape.m);
  if (rung.keeps_column) plan.local_bytes = static_cast<std::size_t>(shape.k) * bytes;
}

void plan_tile(Plan& plan, const Rung& rung, const Options& options, int bytes) {
  if (options.has("tile")) {
    const WorkGroup tile = parse_work_group("--tile", options.text("tile"));
    plan.tile_rows = tile.x, plan.tile_columns = tile.y;
  } else {
    plan.tile_rows = plan.tile_columns = 8;
  }
  constexpr int least_of_slice = 8;
  plan.block_depth =
      options.number("block-depth").value_or(std::max(bytes == 8 ? 8 : 16, least_of_slice * plan.group.z));
  plan.lanes = rung.has_vectors ? 16 / bytes : 1;
  const int items = plan.group.x * plan.group.y * plan.group.z, rows = plan.group.y * plan.tile_rows,
            columns = plan.group.x * plan.tile_columns;
  const int vectors_of_a = rows * plan.block_depth / plan.lanes,
            vectors_of_b = columns * plan.block_depth / plan.lanes;
  if (rung.has_vectors && (vectors_of_a % items != 0 || vectors_of_b % items != 0))
    throw bad_input(
        "--work-group: expected a share of each block for every item, found {} items for blocks of {} and {} vectors",
        items, vectors_of_a, vectors_of_b);
  if (rung.has_slices) check_warps(plan, items);
  const int pad = rung.has_vectors ? plan.lanes : 0;
  const int of_blocks = rung.buffers * plan.block_depth * (rows + pad + columns),
            of_slices = plan.group.z / 2 * rows * columns;
  plan.local_bytes = static_cast<std::size_t>(std::max(of_blocks, of_slices)) * bytes;
}

/// As common/matmul/cpu: as many sums as there are registers, a strip of B in the first-level cache, a block of A in the
/// second-level one.
void plan_packed(Plan& plan, const ComputeDevice& device, Precision precision) {
  constexpr int strip_bytes = 24576;
  plan.lanes = std::max(2, device.native_lanes(precision));
  plan.tile_rows = plan.lanes * bytes_of(precision) >= 64 ? 14 : 6;
  plan.tile_columns = 2 * plan.lanes;
  plan.block_depth = strip_bytes / (plan.tile_columns * bytes_of(precision)) / 16 * 16;
  plan.block_rows = 224 / plan.tile_rows;
  plan.block_columns = 8;
}

/// Values that go to and from global memory per element of C, by the loops of each rung.
double values_per_element(const Plan& plan, const Rung& rung, const Shape& shape) {
  const auto m = static_cast<double>(shape.m), n = static_cast<double>(shape.n),
             k = static_cast<double>(shape.k);
  const double rows = plan.group.y * plan.tile_rows, columns = plan.group.x * plan.tile_columns;
  switch (rung.form) {
    case Form::element:
      return 2.0 * k + (rung.sums_in_memory ? 2.0 * k : 0.0) + 1.0;
    case Form::row:
      return (rung.keeps_row ? k / n : k) + (rung.keeps_column ? k / plan.group.x : k) + 1.0;
    case Form::block:
    case Form::tile:
      return k / columns + k / rows + 1.0;
    case Form::packed:
      break;
  }
  const double copies = 2.0 * (k / m + k / n);
  return copies + k / (plan.block_columns * plan.tile_columns) + k / (plan.block_rows * plan.tile_rows) +
         2.0 * static_cast<double>(parts(shape.k, plan.block_depth)) - 1.0;
}

/// Sizes on the device, and work-items.
void plan_sizes(Plan& plan, const Rung& rung, const Shape& shape) {
  plan.padded = shape;
  if (rung.form == Form::tile) {
    plan.padded = {round_up(shape.m, plan.group.y * plan.tile_rows),
                   round_up(shape.n, plan.group.x * plan.tile_columns), round_up(shape.k, plan.block_depth)};
  } else if (rung.form == Form::packed) {
    plan.padded = {round_up(shape.m, plan.tile_rows), round_up(shape.n, plan.tile_columns),
                   round_up(shape.k, 16)};
  }
  if (rung.form == Form::row) return;
  const auto rows = static_cast<int>(parts(plan.padded.m, plan.block_rows * plan.tile_rows)),
             columns = static_cast<int>(parts(plan.padded.n, plan.block_columns * plan.tile_columns));
  plan.columns = rung.row_axis == 0 && rung.form == Form::element ? rows : columns;
  plan.rows = rung.row_axis == 0 && rung.form == Form::element ? columns : rows;
}

}  // namespace

Plan plan_for(const Rung& rung, const ComputeDevice& device, const Shape& shape, const Options& options) {
  const int bytes = bytes_of(options.precision);
  Plan plan;
  plan.group = rung.form == Form::tile ? tile_group(rung, device, shape, options)
                                       : options.shape("work-group").value_or(usual_group(rung.form, device));
  check_work_group(device, plan.group, 0);
  if (rung.form == Form::row) plan_row(plan, rung, shape, bytes);
  if (rung.form == Form::tile) plan_tile(plan, rung, options, bytes);
  if (rung.form == Form::packed) plan_packed(plan, device, options.precision);
  if (rung.form == Form::block) {
    if (plan.group.x != plan.group.y || plan.group.z != 1)
      throw bad_input("--work-group: expected NxN for square blocks, found {}", to_string(plan.group));
    plan.local_bytes = 2ul * plan.group.x * plan.group.x * bytes;
  }
  if (plan.group.z != 1 && rung.form != Form::tile)
    throw bad_input("--work-group: expected XxY, found {}", to_string(plan.group));
  if (plan.local_bytes > device.local_bytes)
    throw unavailable("{}: expected {} bytes of local memory, {} has {}", rung.name, plan.local_bytes,
                      device.name, device.local_bytes);
  plan_sizes(plan, rung, shape);
  plan.bytes_per_update = bytes * values_per_element(plan, rung, shape);
  return plan;
}

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
