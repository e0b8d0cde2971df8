// Build options of kernels, and work-groups: their shapes, defaults for each type of device, and limits.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/device/device.hpp"

namespace boltzmark {

/// "32x4", or "32x4x2" for more than one plane.
std::string to_string(WorkGroup group);

}  // namespace boltzmark

namespace boltzmark::device {

/// Ways in which a work-group adds up its work-items' values; described in opencl/runtime/kernels/reduction.h.
enum class Reduction { linear, tree, halves, hybrid2, hybrid4, hybrid8, subgroup };
std::string to_string(Reduction reduction);
std::vector<std::string> reduction_names();
/// One of those names. Throws Error (bad_input).
Reduction read_reduction(const std::string& name);

struct BuildOptions {
  Precision precision = Precision::f32;
  std::string compiler = "";  ///< more options for the device's compiler
  bool kernel_cache = true;
  MemoryKind memory = MemoryKind::device;  ///< memory of arrays: device, managed or pinned
};
BuildOptions build_options(const Options& options);

/// --vvl of kernels that are built for vectors of 1, 2, 4, 8 and 16 values.
ModelOption vvl_option();

/// Throws Error (bad_input) if they contain this option, for a variant whose kernels are a library's.
void refuse_for_library(const Options& options, const char* name);

/// Parameters for which the kernels are compiled.
struct KernelShape {
  WorkGroup group;
  Reduction reduction = Reduction::halves;
  int lanes = 1;                     ///< cells or elements a work-item updates at once: 1, 2, 4, 8 or 16
  int vectors = 1;                   ///< times a work-item does so in each step, along a row
  std::string defines = "";          ///< more options, e.g. "-D MASKED"
  int most_registers = 0;            ///< of a work-item, on NVIDIA devices only; 0: the compiler's choice
  bool is_for_architecture = false;  ///< CUDA: uses instructions of the device's architecture that later ones lack
  bool native_math = false;          ///< the device's own root and reciprocal, if accurate enough
  /// Makes the compiler limit registers so that a compute unit holds this many groups of this kernel at once. Only
  /// NVIDIA's OpenCL supports this; "" if the compiler may choose.
  std::string resident_kernel = "";
  int resident_groups = 1;
};

/// Definitions for every compiler, -D NAME=VALUE; with_more appends the shape's and the user's options.
std::string common_defines(const BuildOptions& options, const KernelShape& shape);
std::string with_more(std::string text, const BuildOptions& options, const KernelShape& shape);

/// A shape for columns x rows work-items: wide on GPUs, so that neighbours read neighbouring memory; on CPUs with
/// enough rows to hide the cost of starting a work-group, and enough groups to keep every unit busy.
WorkGroup default_work_group(const ComputeDevice& device, int columns, int rows, int most_items = 256);

/// The same for kernels that update one cell per work-item on any device; on CPUs wide groups, whose items the
/// compiler makes the lanes of its vectors. `local_bytes`: local memory per work-item.
WorkGroup cell_work_group(const ComputeDevice& device, int columns, int rows, std::size_t local_bytes);

/// Throws Error (unavailable) if the device cannot run such groups with `local_bytes` of local memory per work-item.
void check_work_group(const ComputeDevice& device, WorkGroup group, std::size_t local_bytes);

/// Throws Error (unavailable) if the device lacks the features that a reduction needs.
void check_reduction(const ComputeDevice& device, Reduction reduction);

/// The fastest on this type of device.
Reduction default_reduction(const ComputeDevice& device);

inline int divide_up(int value, int by) { return (value + by - 1) / by; }
inline int round_up(int value, int multiple) { return (value + multiple - 1) / multiple * multiple; }

/// Work-groups in a launch.
std::size_t groups_in(const Range& global, WorkGroup group);

}  // namespace boltzmark::device
