// The variants of matmul-mpi, each in a file of its own.
#pragma once

#include <memory>
#include <optional>

#include "common/matmul/multiplier.hpp"
#include "common/run/options.hpp"

namespace boltzmark::mpi {

std::unique_ptr<matmul::Multiplier> make_textbook(Precision precision);
/// `threads` of each rank; `lanes` of a vector, none: the widest.
std::unique_ptr<matmul::Multiplier> make_summa(Precision precision, std::optional<int> threads,
                                               std::optional<int> lanes);

}  // namespace boltzmark::mpi
