#pragma once

#include <memory>
#include <optional>

#include "common/segments/reducer.hpp"

namespace boltzmark::openmp_target {

std::unique_ptr<segments::Reducer> make_segments(const Options& options);

}  // namespace boltzmark::openmp_target
