// The final place of a bean, from its draws in sequence.
#include "common/galton/forms.hpp"
#include "common/target/random.h"

namespace boltzmark::galton {

double place_of(std::int64_t bean, std::int64_t height, std::uint32_t seed) {
  std::int64_t right = 0;
  for (std::int64_t level = 0; level < height; ++level)
    right += static_cast<std::int64_t>(target::philox(static_cast<std::uint64_t>(bean * height + level), seed) >> 63);
  return static_cast<double>(2 * right - height);
}

}  // namespace boltzmark::galton
