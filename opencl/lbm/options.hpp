// The options of lbm-opencl, and of lbm-mpi on OpenCL devices.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "opencl/runtime/options.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {

/// What a user asked for.
struct LbmOptions : BuildOptions {
  std::optional<WorkGroup> work_group;
  std::optional<int> lanes;       ///< cells that a work-item updates at once
  bool half_storage = false;      ///< populations are halves in memory
  std::optional<int> time_block;  ///< steps between two exchanges
  std::optional<int> groups;      ///< work-groups that have bands of rows
  std::optional<Reduction> reduction;
  bool has_single_launches = false;  ///< a launch for each step, where several could be recorded as one
  bool transposed = false;           ///< neighbouring work-items take cells of neighbouring rows
  std::optional<int> delay;  ///< time steps between two reads of the average velocities; INT_MAX = all
};

/// The options as the command line wants them, without --device.
std::vector<ModelOption> lbm_options();

/// Reads their text. Throws Error (bad_input).
LbmOptions read_options(const Options& options);

/// Throws Error (bad_input) for a work-group of several planes, where there is one.
void check_flat(const LbmOptions& options);

/// "all" for INT_MAX.
std::string delay_text(int delay);

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
