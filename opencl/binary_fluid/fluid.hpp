// The variants of binary-fluid-opencl and binary-fluid-cuda.
#pragma once

#include <memory>
#include <string>

#include "common/binary_fluid/fluid.hpp"
#include "opencl/runtime/device.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {

/// What there is where a device, and the machine if it uses its memory, has not room for so many bytes; "" where it has.
std::string shortage_on(const ComputeDevice& device, double bytes);

/// A work-item for every site, kernels/original.cl.
std::unique_ptr<binary_fluid::Fluid> make_original(const Options& options);
/// In the layer.
std::unique_ptr<binary_fluid::Fluid> make_layer_fluid(const Options& options);

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
