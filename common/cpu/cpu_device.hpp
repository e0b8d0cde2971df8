// The processor as a device, for models that run on nothing else.
#pragma once

#include <fmt/format.h>

#include <vector>

#include "common/model.hpp"
#include "common/provenance.hpp"

namespace boltzmark {

inline std::vector<Device> cpu_devices() {
  const Provenance here = provenance_now();
  return {{"cpu", here.cpu, fmt::format("{} cores usable", here.cores)}};
}

/// The processor as tuned options know it.
inline nlohmann::json cpu_limits(const Options&) { return {{"name", provenance_now().cpu}, {"type", "cpu"}}; }

}  // namespace boltzmark
