// Draws the points again, in sequence.
#include "common/pi/forms.hpp"
#include "common/target/random.h"

namespace boltzmark::pi {

std::int64_t points_inside(std::int64_t first, std::int64_t end, std::int64_t all, std::uint32_t seed) {
  std::int64_t inside = 0;
  for (std::int64_t i = first; i < end; ++i) {
    const auto uniform = [&](std::int64_t draw) {
      return static_cast<double>(target::philox(static_cast<std::uint64_t>(draw), seed)) * 0x1p-64;
    };
    const double x = uniform(i), y = uniform(i + all);
    inside += x * x + y * y <= 1.0;
  }
  return inside;
}

}  // namespace boltzmark::pi
