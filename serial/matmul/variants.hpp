// The variants of matmul-serial, each in a file of its own.
#pragma once

#include <memory>
#include <optional>

#include "common/matmul/multiplier.hpp"
#include "common/run/options.hpp"

namespace boltzmark::serial {

std::unique_ptr<matmul::Multiplier> make_textbook(Precision precision);
std::unique_ptr<matmul::Multiplier> make_ikj(Precision precision);
std::unique_ptr<matmul::Multiplier> make_blocked(Precision precision);
/// `lanes` of a vector; none: the widest.
std::unique_ptr<matmul::Multiplier> make_packed(Precision precision, std::optional<int> lanes);
std::unique_ptr<matmul::Multiplier> make_openblas(Precision precision);

template <template <class> class Variant>
std::unique_ptr<matmul::Multiplier> make_multiplier(Precision precision) {
  if (precision == Precision::f64) return std::make_unique<Variant<double>>();
  return std::make_unique<Variant<float>>();
}

}  // namespace boltzmark::serial
