// The forms in which beans fall.
#pragma once

#include <cstdint>

namespace boltzmark::galton {

struct Form {
  enum : int { bits, uniform };
};

/// The steps to the right less those to the left (oracle.cpp).
double place_of(std::int64_t bean, std::int64_t height, std::uint32_t seed);

}  // namespace boltzmark::galton
