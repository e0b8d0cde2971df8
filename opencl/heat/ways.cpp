#include "opencl/heat/ways.hpp"

#include <algorithm>

#include "common/base/error.hpp"
#include "opencl/runtime/work_group.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {

extern const std::string_view array_source, handwritten_source, cells_source, tile_source, strip_source,
    rows_source, time_block_source;

const std::vector<Way>& all_ways() {
  static const std::vector<Way> ways = {
      {.name = "array",
       .summary = "published: expression by expression, neighbours of a group a row apart, the host adds up",
       .source = &array_source,
       .form = Form::array,
       .options = {"work-group"},
       .row_axis = 0,
       .is_delayed = false,
       .role = Role::textbook},
      {.name = "array-coalesced",
       .summary = "published: the same, neighbours of a group beside each other",
       .source = &array_source,
       .form = Form::array,
       .options = {"work-group"},
       .is_delayed = false},
      {.name = "array-reduction",
       .summary = "published: the same, the device adds up",
       .source = &array_source,
       .form = Form::array_summed,
       .options = {"work-group"},
       .is_delayed = false},
      {.name = "handwritten",
       .summary = "published: one kernel, a column per item, the host adds up the columns' changes",
       .source = &handwritten_source,
       .form = Form::column,
       .options = {"work-group"},
       .is_delayed = false},
      {.name = "cells",
       .summary = "one kernel, a cell per item, groups and device add up, the host looks at every step",
       .source = &cells_source,
       .form = Form::cell,
       .options = {"work-group"},
       .is_delayed = false},
      {.name = "delayed",
       .summary = "the same, deltas stay on the device for many steps",
       .source = &cells_source,
       .form = Form::cell,
       .options = {"work-group", "delay"}},
      {.name = "tile",
       .summary = "the same, each group's cells and those round them in local memory",
       .source = &tile_source,
       .form = Form::cell,
       .options = {"work-group", "delay"},
       .has_tile = true},
      {.name = "strip",
       .summary = "an item goes down a strip of columns, a few rows at a time in registers",
       .source = &strip_source,
       .form = Form::strip,
       .options = {"work-group", "vvl", "rows", "delay"},
       .role = Role::like_for_like},
      {.name = "rows",
       .summary = "for processors: a group is one item, which walks along rows",
       .source = &rows_source,
       .form = Form::rows,
       .options = {"vvl", "rows", "delay"}},
      {.name = "time-block",
       .summary = "several steps in a launch, the rows of each in registers",
       .source = &time_block_source,
       .form = Form::steps,
       .options = {"work-group", "vvl", "rows", "time-block", "delay"}}};
  return ways;
}

const Way& way_named(const std::string& name) {
  return *std::find_if(all_ways().begin(), all_ways().end(),
                       [&](const Way& way) { return way.name == name; });
}

ModelOption rows_option() {
  return {.name = "rows",
          .value = "N",
          .help = "rows of a work-item; default: the variant's own choice",
          .range = {{1, 1 << 20}},
          .worth_trying = {"4", "8", "16", "32", "64", "128", "256", "512"}};
}

ModelOption delay_option() {
  return {.name = "delay",
          .value = "N",
          .help =
              "time steps between two reads of the deltas; default: 200, and with --until whatever "
              "N is the run may do N - 1 steps too many",
          .range = {{1, 1'000'000}},
          .worth_trying = {"1", "10", "100", "1000"}};
}

const char* default_way(DeviceType type) { return type == DeviceType::cpu ? "rows" : "time-block"; }

namespace {

bool has_warps(const ComputeDevice& device) { return device.sub_groups == SubGroups::warps; }
constexpr int warp = 32;

/// As published where that is part of a rung.
WorkGroup usual_group(const Way& way, const ComputeDevice& device, const Plan& plan) {
  const auto within = [&](WorkGroup group) {
    while (static_cast<std::size_t>(group.x) * group.y > device.max_work_group) {
      int& longer = group.y > 1 ? group.y : group.x;
      longer /= 2;
    }
    return group;
  };
  const bool is_cpu = device.type == DeviceType::cpu;
  switch (way.form) {
    case Form::array:
    case Form::array_summed:
      return within({32, 4});
    case Form::column:
      return within({32, 1});
    case Form::cell:
      return within(is_cpu ? WorkGroup{128, 2} : WorkGroup{64, 4});
    case Form::strip:
      return within(is_cpu ? WorkGroup{16, 1} : WorkGroup{64, 4});
    case Form::rows:
      return {1, 1};
    case Form::steps:
      break;
  }
  if (has_warps(device)) return {warp, 1};
  return within({plan.lanes >= 4 ? 128 : 256, 1});
}

/// Words of 4 bytes that an item of time-block keeps in registers from row to row.
int words_of_steps(int time_block, int lanes, int bytes) { return time_block * 2 * lanes * bytes / 4; }

int usual_lanes(const Way& way, const ComputeDevice& device, Precision precision, int time_block) {
  const bool is_cpu = device.type == DeviceType::cpu;
  const int bytes = bytes_of(precision);
  if (way.form == Form::rows) return device.native_lanes(precision);
  if (way.form == Form::strip) return is_cpu ? device.native_lanes(precision) : 16 / bytes;
  if (way.form != Form::steps) return 1;
  if (!has_warps(device)) return 16 / bytes;
  // The wider a warp's columns the fewer are done twice; half of the 255 registers of an item hold its rows.
  int lanes = 32 / bytes;
  while (lanes > 1 && words_of_steps(time_block, lanes, bytes) > 128) lanes /= 2;
  return lanes;
}

/// So few that the warps of a launch fill the device, and all of them run at once. Counted on: registers of an item as nvcc
/// takes them, 158 with 64 words of rows and 255 with 128.
int rows_of_warps(const Plan& plan, const ComputeDevice& device, int strips, int height, int bytes) {
  const int registers = std::min(256, 64 + words_of_steps(plan.time_block, plan.lanes, bytes) * 3 / 2);
  const int groups = device.units * device.resident_groups(plan.scratch_values * bytes,
                                                           plan.group.x * plan.group.y, registers);
  const int warps_down = std::max(1, groups * plan.group.y / strips);
  return std::max(plan.time_block, divide_up(height, warps_down));
}

/// Enough strips to keep every unit busy, and not so short that what they read twice counts.
int usual_rows(const Way& way, const ComputeDevice& device, int height) {
  if (way.form == Form::rows) return std::max(1, divide_up(height, 4 * std::max(1, device.units)));
  if (way.form == Form::strip) return device.type == DeviceType::cpu ? 64 : 4;
  return std::clamp(height / 8, 16, 128);
}

/// A processor's vectors are wide, and it fetches ahead by itself.
int usual_rows_at_once(const Way& way, const ComputeDevice& device, int rows) {
  constexpr int most = 8;
  if (way.form != Form::strip || device.type == DeviceType::cpu) return 1;
  return rows <= most ? rows : most / 2;
}

void plan_steps(Plan& plan, const Way& way, const ComputeDevice& device, const Plate& plate,
                const Options& options) {
  const int bytes = bytes_of(options.precision);
  const int own = plan.group.x * plan.lanes - 2 * round_up(plan.time_block, plan.lanes);
  if (has_warps(device) ? plan.group.x != warp : plan.group.y != 1)
    throw bad_input("--work-group: expected {} for {} on {}, found {}", has_warps(device) ? "32xN" : "Nx1",
                    way.name, device.name, to_string(plan.group));
  if (own <= 0)
    throw bad_input("--time-block: expected fewer than half of a strip's {} columns, found {}",
                    plan.group.x * plan.lanes, plan.time_block);
  plan.scratch_values = static_cast<std::size_t>(plan.time_block) * plan.group.x * plan.group.y;
  const std::size_t shown = has_warps(device) ? 0 : 4,
                    local_bytes = (1 + shown) * plan.scratch_values * bytes;
  if (local_bytes > device.group_local_bytes())
    throw unavailable("{}: expected {} bytes of local memory, {} has {}", way.name, local_bytes, device.name,
                      device.group_local_bytes());
  const int strips = divide_up(static_cast<int>(plate.width), own);
  plan.columns = plan.group.x * strips;
  if (has_warps(device) && !options.has("rows"))
    plan.rows = rows_of_warps(plan, device, strips, static_cast<int>(plate.height), bytes);
}

}  // namespace

Plan plan_for(const Way& way, const ComputeDevice& device, const Plate& plate, const Options& options) {
  const int bytes = bytes_of(options.precision);
  const auto width = static_cast<int>(plate.width), height = static_cast<int>(plate.height);
  constexpr int longest_vector = 16;
  Plan plan;
  // A kernel whose loops are all unrolled takes processors' compilers their time.
  if (way.form == Form::steps)
    plan.time_block = options.number("time-block").value_or(device.type == DeviceType::cpu ? 4 : 8);
  plan.lanes = options.number("vvl").value_or(usual_lanes(way, device, options.precision, plan.time_block));
  if (plan.lanes > longest_vector || (plan.lanes & (plan.lanes - 1)) != 0)
    throw bad_input("--vvl: expected a power of two up to {}, found {}", longest_vector, plan.lanes);
  plan.rows = options.number("rows").value_or(usual_rows(way, device, height));
  plan.rows_at_once = usual_rows_at_once(way, device, plan.rows);
  if (way.form == Form::strip || way.form == Form::steps) plan.reduction = default_reduction(device);
  if (way.is_delayed) plan.delay = std::max(options.number("delay").value_or(200), plan.time_block);
  plan.group = options.shape("work-group").value_or(usual_group(way, device, plan));
  if (plan.group.z != 1) throw bad_input("--work-group: expected XxY, found {}", to_string(plan.group));
  plan.scratch_values = static_cast<std::size_t>(plan.group.x) * plan.group.y;
  check_work_group(device, plan.group, way.is_array() || way.form == Form::column ? 0 : bytes);
  if (way.has_tile) {
    const std::size_t tile = static_cast<std::size_t>(plan.group.x + 2) * (plan.group.y + 2);
    if ((tile + plan.scratch_values) * bytes > device.local_bytes)
      throw unavailable("{}: expected {} bytes of local memory, {} has {}", way.name,
                        (tile + plan.scratch_values) * bytes, device.name, device.local_bytes);
  }
  if (way.form == Form::column && plan.group.y != 1)
    throw bad_input("--work-group: expected Nx1 for {}, found {}", way.name, to_string(plan.group));

  plan.pitch = round_up(plan.lead + round_up(width, longest_vector) + 1, plan.lead);
  plan.columns = width;
  plan.items_down = height;
  if (way.row_axis == 0) std::swap(plan.columns, plan.items_down);
  if (way.is_array()) plan.values_per_update = 7.0;
  if (way.form == Form::column) plan.items_down = 1;
  if (way.form == Form::strip) plan.columns = divide_up(width, plan.lanes);
  if (way.form == Form::steps) plan_steps(plan, way, device, plate, options);
  if (way.form == Form::strip || way.form == Form::steps) plan.items_down = divide_up(height, plan.rows);
  if (way.form == Form::rows) plan.columns = divide_up(height, plan.rows), plan.items_down = 1;
  return plan;
}

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
