// The variants of this model; main.cpp lists them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/run/model.hpp"
#include "opencl/runtime/device.hpp"
#include "opencl/runtime/options.hpp"

namespace boltzmark {

/// The steps of the published ladder, in its order.
std::vector<Variant> ladder_variants();

/// The variants that walk along rows, a vector of cells at a time.
std::vector<Variant> row_variants();

/// Those that do several steps in a launch.
std::vector<Variant> block_variants();

/// Whether `persistent` can run this grid.
bool persistent_fits(const OpenclDevice& device, const OpenclOptions& options, const Parameters& grid);

/// Make a variant; nothing for a name that is not among those above. Both throw Error (bad_input) for a
/// work-group the device cannot run, Error (unavailable) for a reduction that needs what it lacks.
std::unique_ptr<Model> make_ladder_step(const std::string& name, const OpenclDevice& device,
                                        const OpenclOptions& options);
std::unique_ptr<Model> make_row_variant(const std::string& name, const OpenclDevice& device,
                                        const OpenclOptions& options);

std::unique_ptr<Model> make_block_variant(const std::string& name, const OpenclDevice& device,
                                          const OpenclOptions& options);

/// The STREAM kernels.
std::unique_ptr<Stream> make_stream(const OpenclDevice& device, const Options& options);

}  // namespace boltzmark
