// The variant of binary-fluid-mpi that is not written in common/target's layer.
#pragma once

#include <memory>

#include "common/binary_fluid/fluid.hpp"
#include "common/binary_fluid/share.hpp"

namespace boltzmark::mpi {

/// The collision of this rank's sites by one thread.
std::unique_ptr<binary_fluid::Fluid> make_original(Precision precision, const binary_fluid::Share& share);

}  // namespace boltzmark::mpi
