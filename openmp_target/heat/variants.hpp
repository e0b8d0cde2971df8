// The variants of heat-openmp-target, each in a file of its own. Without `threads` (of a team) the device's own number is
// used.
#pragma once

#include <memory>
#include <optional>

#include "common/heat/solver.hpp"
#include "openmp_target/runtime/device.hpp"

namespace boltzmark::openmp_target {

std::unique_ptr<heat::Solver> make_textbook(Precision precision, const OffloadDevice& device,
                                            std::optional<int> threads);
std::unique_ptr<heat::Solver> make_swapped(Precision precision, const OffloadDevice& device,
                                           std::optional<int> threads);

}  // namespace boltzmark::openmp_target
