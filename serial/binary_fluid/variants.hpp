// The variant of binary-fluid-serial that is not written in common/target's layer.
#pragma once

#include <memory>

#include "common/binary_fluid/fluid.hpp"

namespace boltzmark::serial {

std::unique_ptr<binary_fluid::Fluid> make_original(Precision precision);

}  // namespace boltzmark::serial
