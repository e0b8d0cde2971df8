#include "common/device/build.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "common/base/error.hpp"
#include "common/device/api.hpp"

namespace boltzmark {

std::string to_string(WorkGroup group) {
  return group.z == 1 ? fmt::format("{}x{}", group.x, group.y) : fmt::format("{}x{}x{}", group.x, group.y, group.z);
}

}  // namespace boltzmark

namespace boltzmark::device {
namespace {

/// In the order of the enumeration.
constexpr std::array<const char*, 7> names = {"linear", "tree", "halves", "hybrid2", "hybrid4", "hybrid8", "subgroup"};

std::size_t items(WorkGroup group) {
  return static_cast<std::size_t>(group.x) * static_cast<std::size_t>(group.y) * static_cast<std::size_t>(group.z);
}

}  // namespace

std::string to_string(Reduction reduction) { return names[static_cast<std::size_t>(reduction)]; }

std::vector<std::string> reduction_names() { return {names.begin(), names.end()}; }

Reduction read_reduction(const std::string& name) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) throw bad_input("--reduction: expected one that --help names, found \"{}\"", name);
  return static_cast<Reduction>(at - names.begin());
}

BuildOptions build_options(const Options& options) {
  return {.precision = options.precision,
          .compiler = options.text(api().compiler_option),
          .kernel_cache = !options.has("no-kernel-cache"),
          .memory = options.text("memory") == "managed" ? MemoryKind::managed
                    : options.text("memory") == "host"  ? MemoryKind::pinned
                                                        : MemoryKind::device};
}

ModelOption vvl_option() {
  ModelOption vvl = vector_length_option();
  vvl.range.reset();
  vvl.choices = {"1", "2", "4", "8", "16"};
  return vvl;
}

void refuse_for_library(const Options& options, const char* name) {
  if (options.has(name))
    throw bad_input("--{}: {} does not take it, because its kernels belong to a library", name, options.variant);
}

std::string common_defines(const BuildOptions& options, const KernelShape& shape) {
  std::string text =
      fmt::format("-D REDUCTION={} -D GROUP_X={} -D GROUP_Y={} -D GROUP_Z={} -D LANES={} -D VECTORS={}",
                  to_string(shape.reduction), shape.group.x, shape.group.y, shape.group.z, shape.lanes, shape.vectors);
  if (options.precision == Precision::f64) text += " -D DOUBLES";
  if (!shape.resident_kernel.empty()) text += fmt::format(" -D RESIDENT_GROUPS={}", shape.resident_groups);
  return text;
}

std::string with_more(std::string text, const BuildOptions& options, const KernelShape& shape) {
  for (const std::string& more : {shape.defines, options.compiler})
    if (!more.empty()) text += " " + more;
  return text;
}

WorkGroup default_work_group(const ComputeDevice& device, int columns, int rows, int most_items) {
  const int limit = std::min(static_cast<int>(device.max_work_group), most_items);
  if (device.type == DeviceType::cpu) {
    // Eight vectors of a row hide the cost of starting a group, and leave several groups for every unit.
    const int x = std::min({columns, limit, 8});
    const int most_rows = std::max(1, rows / (4 * device.units));
    return {x, std::clamp(std::min(limit, 8) / x, 1, most_rows)};
  }
  int x = 1;
  while (x < columns && 2 * x <= limit) x *= 2;
  return {x, limit / x};
}

WorkGroup cell_work_group(const ComputeDevice& device, int columns, int rows, std::size_t local_bytes) {
  if (device.type != DeviceType::cpu) return default_work_group(device, columns, rows);
  const int limit = static_cast<int>(std::min<std::size_t>(device.max_work_group, device.local_bytes / local_bytes));
  return limit >= 256 ? WorkGroup{128, 2} : WorkGroup{std::max(limit, 1), 1};
}

void check_work_group(const ComputeDevice& device, WorkGroup group, std::size_t local_bytes) {
  if (items(group) > device.max_work_group || static_cast<std::size_t>(group.x) > device.max_work_group_x ||
      static_cast<std::size_t>(group.y) > device.max_work_group_y ||
      static_cast<std::size_t>(group.z) > device.max_work_group_z)
    throw unavailable("--work-group: {} takes at most {} work-items ({} in x, {} in y, {} in z), found {}", device.name,
                      device.max_work_group, device.max_work_group_x, device.max_work_group_y, device.max_work_group_z,
                      to_string(group));
  if (items(group) * local_bytes > device.local_bytes)
    throw unavailable("--work-group: {} needs {} bytes of local memory, {} has {}", to_string(group),
                      items(group) * local_bytes, device.name, device.local_bytes);
}

void check_reduction(const ComputeDevice& device, Reduction reduction) {
  if (reduction == Reduction::subgroup && device.sub_groups == SubGroups::none)
    throw unavailable("--reduction: {} has no sub-groups that kernels can use", device.name);
}

Reduction default_reduction(const ComputeDevice& device) {
  return device.type == DeviceType::gpu && device.sub_groups != SubGroups::none ? Reduction::subgroup
                                                                                : Reduction::halves;
}

std::size_t groups_in(const Range& global, WorkGroup group) {
  const std::size_t planes = global.dimensions() == 3 ? global[2] / static_cast<std::size_t>(group.z) : 1;
  return global[0] / static_cast<std::size_t>(group.x) * (global[1] / static_cast<std::size_t>(group.y)) * planes;
}

}  // namespace boltzmark::device
