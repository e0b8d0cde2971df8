// The options that only this model has.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/run/options.hpp"

namespace boltzmark {

/// How a work-group adds up its work-items' values; kernels/reduction.h says how each does it.
enum class Reduction { linear, tree, halves, hybrid2, hybrid4, hybrid8, subgroup };
std::string to_string(Reduction reduction);

/// What a user asked of this model.
struct OpenclOptions {
  Precision precision = Precision::f32;
  std::optional<WorkGroup> work_group;
  std::optional<int> lanes;       ///< cells that a work-item updates at once
  bool half_storage = false;      ///< populations are halves in memory
  std::optional<int> time_block;  ///< steps between two exchanges
  std::optional<Reduction> reduction;
  bool transposed = false;   ///< neighbouring work-items take cells of neighbouring rows
  std::optional<int> delay;  ///< time steps between two reads of the average velocities; INT_MAX = all
  std::string compiler;      ///< more options for the device's compiler
  bool kernel_cache = true;
};

/// The options as the common command line wants them.
std::vector<ModelOption> own_options();

/// Reads their text. Throws Error (bad_input).
OpenclOptions read_options(const Options& options);

/// "all" for INT_MAX.
std::string delay_text(int delay);

}  // namespace boltzmark
