// The forms in which the field is computed, and constants of its equations.
#pragma once

#include <cstdint>
#include <numbers>

namespace boltzmark::magnetic_field {

struct Form {
  enum : int { separable, gemm, direct, rows };
};

/// Sites of the layers whose modes a processor makes, and uses, at a time.
inline constexpr int layers_at_once = 1 << 19;

/// Values of sin(pi p y) and so on at grid points, exact for whole turns.
inline double half_turns(std::int64_t p, std::int64_t j, std::int64_t n) {
  return std::numbers::pi * static_cast<double>(p * j % (2 * n - 2)) / static_cast<double>(n - 1);
}

/// The height of the box, of which layer i of n is at i/n.
inline constexpr double height = 0.25;

}  // namespace boltzmark::magnetic_field
