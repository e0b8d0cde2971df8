// How the grid is cut for the kernel that keeps it on the chip in three dimensions (kernels/bricks.cl).
#pragma once

#include <cstddef>
#include <string>

#include "common/device/device.hpp"
#include "common/lbm/device/options.hpp"
#include "common/lbm/problem.hpp"

namespace boltzmark::lbm {

struct BrickPlan {
  int bricks_y = 1, bricks_z = 1;
  int rows_y = 1, rows_z = 1;  ///< of the largest brick
  int row = 1;                 ///< places of a row in local memory
  int items = 1;               ///< of a group, so many rows of items

  int groups() const { return bricks_y * bricks_z; }
  std::size_t local_bytes() const;  ///< of a group
  std::size_t mailbox_words(const Parameters& grid) const;
  std::string defines() const;
  std::string pieces() const;  ///< for the record
};

/// Throws Error (unavailable) where the grid does not fit the device's local memories, Error (bad_input) for options
/// that are of two dimensions.
BrickPlan plan_bricks(const device::ComputeDevice& device, const LbmOptions& options, const Parameters& grid);

}  // namespace boltzmark::lbm
