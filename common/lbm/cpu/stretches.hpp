// Which vectors of a row have obstacles, for the row updates in place.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace boltzmark::lbm {

/// RowJob::stretches of a row, of one word of `solid` per vector.
inline std::vector<std::int32_t> stretches_of(std::span<const std::uint32_t> solid) {
  const auto size = static_cast<std::int32_t>(solid.size());
  std::vector<std::int32_t> stretches;
  for (std::int32_t i = 0; i < size; ++i)
    if ((solid[i] != 0) != (stretches.size() % 2 != 0)) stretches.push_back(i);
  if (stretches.size() % 2 != 0) stretches.push_back(size);
  stretches.insert(stretches.end(), {size, size});
  return stretches;
}

}  // namespace boltzmark::lbm
