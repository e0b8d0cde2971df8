// The processor as a device, for models that run on nothing else.
#pragma once

#include <vector>

#include "common/base/text.hpp"
#include "common/cpu/processors.hpp"
#include "common/run/program.hpp"
#include "common/run/provenance.hpp"

namespace boltzmark {

inline std::vector<Device> cpu_devices() { return {{"cpu", cpu_name(), counted(usable_cores(), "core") + " usable"}}; }

/// The processor as tuned options know it.
inline Settings cpu_limits(const Options&) { return {{"name", cpu_name()}, {"type", "cpu"}}; }

}  // namespace boltzmark
