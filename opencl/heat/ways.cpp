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
       .summary = "an item marches down a strip of columns, three rows in registers",
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
          .worth_trying = {"8", "16", "32", "64", "128", "256", "512"}};
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
      return within(is_cpu ? WorkGroup{16, 1} : WorkGroup{64, 1});
    case Form::rows:
      return {1, 1};
    case Form::steps:
      break;
  }
  return within({plan.lanes >= 4 ? 128 : 256, 1});
}

int usual_lanes(const Way& way, const ComputeDevice& device, Precision precision) {
  const bool is_cpu = device.type == DeviceType::cpu;
  if (way.form == Form::steps) return 16 / bytes_of(precision);
  if (way.form == Form::rows) return device.native_lanes(precision);
  if (way.form == Form::strip) return is_cpu ? device.native_lanes(precision) : 16 / bytes_of(precision);
  return 1;
}

/// Enough strips to keep every unit busy, and not so short that what they read twice counts.
int usual_rows(const Way& way, const ComputeDevice& device, const Plate& plate) {
  const auto height = static_cast<int>(plate.height);
  if (way.form == Form::rows) return std::max(1, divide_up(height, 4 * std::max(1, device.units)));
  if (way.form == Form::strip) return device.type == DeviceType::cpu ? 64 : 16;
  return std::clamp(height / 8, 16, 128);
}

void plan_steps(Plan& plan, const Way& way, const ComputeDevice& device, int bytes) {
  const int halo = round_up(plan.time_block, plan.lanes), own = plan.group.x * plan.lanes - 2 * halo;
  if (plan.group.y != 1)
    throw bad_input("--work-group: expected Nx1 for {}, found {}", way.name, to_string(plan.group));
  if (own <= 0)
    throw bad_input("--time-block: expected fewer than half of a group's {} columns, found {}",
                    plan.group.x * plan.lanes, plan.time_block);
  const std::size_t local_bytes = std::size_t{5} * plan.time_block * plan.group.x * bytes;
  if (local_bytes > device.local_bytes)
    throw unavailable("{}: expected {} bytes of local memory, {} has {}", way.name, local_bytes, device.name,
                      device.local_bytes);
  plan.scratch_values = static_cast<std::size_t>(plan.time_block) * plan.group.x;
}

}  // namespace

Plan plan_for(const Way& way, const ComputeDevice& device, const Plate& plate, const Options& options) {
  const int bytes = bytes_of(options.precision);
  const auto width = static_cast<int>(plate.width), height = static_cast<int>(plate.height);
  constexpr int longest_vector = 16;
  Plan plan;
  plan.lanes = options.number("vvl").value_or(usual_lanes(way, device, options.precision));
  if (plan.lanes > longest_vector || (plan.lanes & (plan.lanes - 1)) != 0)
    throw bad_input("--vvl: expected a power of two up to {}, found {}", longest_vector, plan.lanes);
  plan.rows = options.number("rows").value_or(usual_rows(way, device, plate));
  // A kernel whose loops are all unrolled takes processors' compilers their time.
  if (way.form == Form::steps)
    plan.time_block = options.number("time-block").value_or(device.type == DeviceType::cpu ? 4 : 8);
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
  if (way.form == Form::steps) plan_steps(plan, way, device, bytes);

  plan.pitch = round_up(plan.lead + round_up(width, longest_vector) + 1, plan.lead);
  plan.columns = width;
  plan.items_down = height;
  if (way.row_axis == 0) std::swap(plan.columns, plan.items_down);
  if (way.is_array()) plan.values_per_update = 7.0;
  if (way.form == Form::column) plan.items_down = 1;
  if (way.form == Form::strip) plan.columns = divide_up(width, plan.lanes);
  if (way.form == Form::strip || way.form == Form::steps) plan.items_down = divide_up(height, plan.rows);
  if (way.form == Form::rows) plan.columns = divide_up(height, plan.rows), plan.items_down = 1;
  if (way.form == Form::steps)
    plan.columns = plan.group.x *
                   divide_up(width, plan.group.x * plan.lanes - 2 * round_up(plan.time_block, plan.lanes));
  return plan;
}

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
