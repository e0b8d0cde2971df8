// The variants of reduce-openmp-target, each in a file of its own. Without `threads` (of a team) the device's own number
// is used.
#pragma once

#include <memory>
#include <optional>

#include "common/reduce/reducer.hpp"
#include "openmp_target/runtime/device.hpp"

namespace boltzmark::openmp_target {

std::unique_ptr<reduce::Reducer> make_textbook(const OffloadDevice& device, std::optional<int> threads);
std::unique_ptr<reduce::Reducer> make_vectors(const OffloadDevice& device, std::optional<int> threads);

}  // namespace boltzmark::openmp_target
