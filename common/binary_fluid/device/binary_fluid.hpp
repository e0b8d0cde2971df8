// The binary fluid on a device.
#pragma once

#include <string>

#include "common/binary_fluid/fluid.hpp"
#include "common/device/device.hpp"

namespace boltzmark::binary_fluid {

/// The memory found if a device, or the machine whose memory it uses, has too little for so many bytes; "" if enough.
std::string shortage_on(const device::ComputeDevice& device, double bytes);

extern const Variant original_on_device;

/// The program of the device API in use: original, and the variants in common/target's layer.
ProgramOf<Variant> device_program(const BuildInfo& build);

}  // namespace boltzmark::binary_fluid
