// Work-group shapes: a default for each type of device, and the device's limits.
#pragma once

#include <cstddef>

#include "common/options.hpp"
#include "opencl/device.hpp"

namespace boltzmark {

/// A shape for columns x rows work-items: on GPUs wide, so that neighbours read neighbouring memory; on CPUs
/// a stretch of rows large enough to hide the cost of starting a work-group, and enough groups to keep every
/// unit busy.
WorkGroup default_work_group(const OpenclDevice& device, int columns, int rows);

/// Throws Error (bad_input) when the device cannot run groups of this shape that keep `local_bytes` a
/// work-item in local memory.
void check_work_group(const OpenclDevice& device, WorkGroup group, std::size_t local_bytes);

}  // namespace boltzmark
