// The variants of this model; main.cpp lists them.
#pragma once

#include <memory>

#include "common/model.hpp"
#include "opencl/device.hpp"

namespace boltzmark {

/// Two grids that stay on the device, one kernel a step, sums of |u| reduced on the device.
/// Throws Error (bad_input) for a work-group the device cannot run.
std::unique_ptr<Model> make_fused(const OpenclDevice& device, const Options& options);

/// The STREAM kernels.
std::unique_ptr<Stream> make_stream(const OpenclDevice& device, const Options& options);

}  // namespace boltzmark
