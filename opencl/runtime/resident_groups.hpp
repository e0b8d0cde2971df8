// How many work-groups of a kernel a compute unit must hold, for NVIDIA's compiler.
#pragma once

#include <string>

namespace boltzmark::opencl {

/// PTX in which the kernel of this name is told to leave room for so many groups of it; the same PTX where it has no
/// such kernel with a fixed work-group.
std::string with_resident_groups(std::string ptx, const std::string& kernel, int groups);

}  // namespace boltzmark::opencl
