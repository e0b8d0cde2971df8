// Options of a variant on a device.
#pragma once

#include <climits>
#include <optional>

#include "common/device/build.hpp"

namespace boltzmark::lbm {

struct LbmOptions : device::BuildOptions {
  std::optional<WorkGroup> work_group;
  std::optional<int> vvl;         ///< --vvl: cells that a work-item updates at once
  bool half_storage = false;      ///< populations are halves in memory
  std::optional<int> time_block;  ///< steps of a launch, a sweep, or between two exchanges
  std::optional<int> groups;      ///< work-groups that have bands of rows
  std::optional<device::Reduction> reduction;
  bool has_single_launches = false;  ///< one launch per step, even if several could be recorded as one
  bool transposed = false;           ///< neighbouring work-items take cells of neighbouring rows
  int delay = INT_MAX;               ///< time steps between two reads of the average velocities; INT_MAX = all
};

/// From checked options, for a grid of this dimension. Throws Error (bad_input).
LbmOptions read_options(const Options& options, int dimension);

// Options of the variants, besides those that all models share.
ModelOption reduction_option();
ModelOption delay_option();
/// Options of variants whose launches an API may record.
ModelOption launches_option();

}  // namespace boltzmark::lbm
