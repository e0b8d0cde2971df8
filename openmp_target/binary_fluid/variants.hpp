// The variants of binary-fluid-openmp-target.
#pragma once

#include <memory>
#include <optional>

#include "common/binary_fluid/flops.hpp"
#include "common/binary_fluid/fluid.hpp"
#include "openmp_target/runtime/device.hpp"

namespace boltzmark::openmp_target {

/// What there is where a device has not room for so many bytes; "" where it has.
std::string shortage_on(const OffloadDevice& device, double bytes);

std::unique_ptr<binary_fluid::Fluid> make_original(Precision precision, const OffloadDevice& device,
                                                   std::optional<int> threads);
/// Those in the layer; without `vvl` what suits the device. A file for each precision.
std::unique_ptr<binary_fluid::Fluid> make_layer_f32(binary_fluid::Form form, const OffloadDevice& device,
                                                    std::optional<int> threads, std::optional<int> vvl);
std::unique_ptr<binary_fluid::Fluid> make_layer_f64(binary_fluid::Form form, const OffloadDevice& device,
                                                    std::optional<int> threads, std::optional<int> vvl);

}  // namespace boltzmark::openmp_target
