// The variants of heat-openmp, each in a file of its own; `threads` as in ThreadTeam.
#pragma once

#include <memory>
#include <optional>

#include "common/heat/solver.hpp"
#include "common/run/options.hpp"

namespace boltzmark::openmp {

std::unique_ptr<heat::Solver> make_textbook(Precision precision, std::optional<int> threads);
std::unique_ptr<heat::Solver> make_swapped(Precision precision, std::optional<int> threads);
/// `lanes` of a vector; none: the widest.
std::unique_ptr<heat::Solver> make_vectors(Precision precision, std::optional<int> threads,
                                           std::optional<int> lanes);
/// `depth`: steps in a sweep.
std::unique_ptr<heat::Solver> make_wavefront(Precision precision, std::optional<int> threads,
                                             std::optional<int> lanes, std::optional<int> depth);

}  // namespace boltzmark::openmp
