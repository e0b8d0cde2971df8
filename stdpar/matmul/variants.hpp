// The variants of matmul-stdpar, each in a file of its own.
#pragma once

#include <memory>
#include <optional>

#include "common/matmul/multiplier.hpp"
#include "common/run/options.hpp"

namespace boltzmark::stdpar {

std::unique_ptr<matmul::Multiplier> make_textbook(Precision precision);
/// `lanes` of a vector; none: the widest.
std::unique_ptr<matmul::Multiplier> make_packed(Precision precision, std::optional<int> lanes);

}  // namespace boltzmark::stdpar
