// OpenCL 1.2 as a device API.
#pragma once

#include <string>

#include "common/device/api.hpp"

namespace boltzmark::opencl {

const device::Api& api();

/// PTX in which the kernel of this name must leave room for this many groups per compute unit; unchanged if there is no
/// such kernel with a fixed work-group.
std::string with_resident_groups(std::string ptx, const std::string& kernel, int groups);

}  // namespace boltzmark::opencl
