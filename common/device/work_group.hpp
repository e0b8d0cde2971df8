// Work-groups: their shapes and how they add up, a default for each type of device, and the device's limits.
#pragma once

#include <cstddef>
#include <string>

#include "common/device/build.hpp"
#include "common/device/device.hpp"

namespace boltzmark {

/// "32x4", or "32x4x2" of more than one plane.
std::string to_string(WorkGroup group);

}  // namespace boltzmark

namespace boltzmark::device {

/// A shape for columns x rows work-items: on GPUs wide, so that neighbours read neighbouring memory; on CPUs
/// enough rows to hide the cost of starting a work-group, and enough groups to keep every unit busy.
WorkGroup default_work_group(const ComputeDevice& device, int columns, int rows, int most_items = 256);

/// The same for kernels that update one cell per work-item on any device; on CPUs wide groups, whose items the
/// compiler makes the lanes of its vectors. `local_bytes`: local memory per work-item.
WorkGroup cell_work_group(const ComputeDevice& device, int columns, int rows, std::size_t local_bytes);

/// Throws Error (unavailable) when the device cannot run groups of this shape that keep `local_bytes` a
/// work-item in local memory.
void check_work_group(const ComputeDevice& device, WorkGroup group, std::size_t local_bytes);

/// Throws Error (unavailable) when the device lacks what a reduction needs.
void check_reduction(const ComputeDevice& device, Reduction reduction);

/// The fastest on this type of device.
Reduction default_reduction(const ComputeDevice& device);

inline int divide_up(int value, int by) { return (value + by - 1) / by; }
inline int round_up(int value, int multiple) { return (value + multiple - 1) / multiple * multiple; }

/// Work-groups in a launch.
std::size_t groups_in(const Range& global, WorkGroup group);

}  // namespace boltzmark::device
