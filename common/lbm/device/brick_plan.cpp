#include "common/lbm/device/brick_plan.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "common/base/error.hpp"
#include "common/device/work_group.hpp"

namespace boltzmark::lbm {

using namespace device;
namespace {

constexpr int most_rows_of_grid = 1 << 16;  // along y and along z, which share a word

/// Rows that a brick exchanges with others in a step.
int messages(int rows_y, int rows_z) { return 10 * (rows_y + rows_z) - 4; }

bool has_warps(const ComputeDevice& device) { return device.sub_groups == SubGroups::warps; }

/// Work-items of a group of these bricks, of which each has some rows of a column.
int choose_items(const BrickPlan& plan, const ComputeDevice& device) {
  constexpr int enough = 512;
  return has_warps(device) ? plan.row * std::clamp(enough / plan.row, 1, plan.rows_y * plan.rows_z) : plan.row;
}

/// The time of a step in some unit: what the largest brick updates, and what it exchanges.
double cost(const BrickPlan& plan) {
  constexpr double a_message = 0.1;
  return plan.rows_y * plan.rows_z + a_message * messages(plan.rows_y, plan.rows_z);
}

}  // namespace

std::size_t BrickPlan::local_bytes() const {
  const std::size_t rows = static_cast<std::size_t>(rows_y) * rows_z;
  const std::size_t values = (19 * static_cast<std::size_t>(rows_z) + 10) * (rows_y + 1) * row;
  const std::size_t row_words = rows * (2 + divide_up(row, 32)) + items / row;
  return 4 * (values + row_words + 4 * static_cast<std::size_t>(messages(rows_y, rows_z)) +
              static_cast<std::size_t>(items));
}

std::size_t BrickPlan::mailbox_words(const Parameters& grid) const { return std::size_t{16} * row * grid.ny * grid.nz; }

std::string BrickPlan::defines() const {
  constexpr int max_polls = 1 << 21;  // of messages, before a wait times out
  return fmt::format("-D BRICKS_Y={} -D BRICKS_Z={} -D ROW={} -D ITEMS={} -D BATCH=4 -D MAX_POLLS={}", bricks_y,
                     bricks_z, row, items, max_polls);
}

std::string BrickPlan::pieces() const { return fmt::format("bricks of {}x{} rows", rows_y, rows_z); }

BrickPlan plan_bricks(const ComputeDevice& device, const LbmOptions& options, const Parameters& grid) {
  if (options.precision == Precision::f64) throw unavailable("persistent: words with a tag are of single precision");
  constexpr int warp = 32;
  const int columns = has_warps(device) ? round_up(grid.nx, warp) : grid.nx;
  // One group a compute unit is resident wherever a kernel has the device to itself; a processor's units have other
  // work.
  const int units = device.type == DeviceType::cpu ? 1 : device.units;
  std::optional<BrickPlan> best;
  // Of bricks that cost the same those long in y come first, whose layers take less.
  for (int y = 1; y <= std::min(units, grid.ny) && grid.ny < most_rows_of_grid; ++y)
    for (int z = 1; z <= std::min(units / y, grid.nz) && grid.nz < most_rows_of_grid; ++z) {
      BrickPlan plan{.bricks_y = y,
                     .bricks_z = z,
                     .rows_y = divide_up(grid.ny, y),
                     .rows_z = divide_up(grid.nz, z),
                     .row = columns};
      plan.items = choose_items(plan, device);
      if (static_cast<std::size_t>(plan.items) <= device.max_work_group &&
          plan.local_bytes() <= device.group_local_bytes() && (!best || cost(plan) < cost(*best)))
        best = plan;
    }
  if (!best)
    throw unavailable(
        "persistent: {} gives a work-group {} bytes of local memory, and {} of them cannot hold a grid of {}x{}x{} "
        "cells, 76 bytes each",
        device.name, device.group_local_bytes(), units, grid.nx, grid.ny, grid.nz);
  return *best;
}

}  // namespace boltzmark::lbm
