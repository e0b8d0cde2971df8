// The variants of matmul-openmp, each in a file of its own; `threads` as in ThreadTeam.
#pragma once

#include <memory>
#include <optional>

#include "common/matmul/multiplier.hpp"
#include "common/run/options.hpp"

namespace boltzmark::openmp {

std::unique_ptr<matmul::Multiplier> make_textbook(Precision precision, std::optional<int> threads);
/// `lanes` of a vector; none: the widest.
std::unique_ptr<matmul::Multiplier> make_packed(Precision precision, std::optional<int> threads,
                                                std::optional<int> lanes);
std::unique_ptr<matmul::Multiplier> make_openblas(Precision precision, std::optional<int> threads);

}  // namespace boltzmark::openmp
