// One team, whose threads wait for one another within a region: how a processor is used, where a second region would
// cost as much as a short run.
#pragma once

#include "common/base/error.hpp"
#include "openmp_target/runtime/device.hpp"

namespace boltzmark::openmp_target {

/// Throws Error (unavailable) for a GPU, of which one team is a small part.
inline void expect_processor(const char* variant, const OffloadDevice& device) {
  if (device.properties.is_gpu())
    throw unavailable("{}: expected a processor as offload device, found {}", variant, device.name());
}

}  // namespace boltzmark::openmp_target
