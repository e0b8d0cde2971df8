// The variant of binary-fluid-openmp that is not written in common/target's layer.
#pragma once

#include <memory>
#include <optional>

#include "common/binary_fluid/fluid.hpp"

namespace boltzmark::openmp {

std::unique_ptr<binary_fluid::Fluid> make_original(Precision precision, std::optional<int> threads);

}  // namespace boltzmark::openmp
