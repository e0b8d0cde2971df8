// The variants of heat-stdpar, each in a file of its own.
#pragma once

#include <memory>
#include <optional>

#include "common/heat/solver.hpp"
#include "common/run/options.hpp"

namespace boltzmark::stdpar {

std::unique_ptr<heat::Solver> make_textbook(Precision precision);
/// `lanes` of a vector; none: the widest.
std::unique_ptr<heat::Solver> make_vectors(Precision precision, std::optional<int> lanes);

}  // namespace boltzmark::stdpar
