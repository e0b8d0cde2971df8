// Access patterns: an array of four axes of n elements each, a[i][j][k][l], of which the last is contiguous in memory,
// is filled, and summed along each of its axes.
//
//     fill      filled[i][j][k][l] = 1
//     axis 0    sums[j][k][l] = sum over i of a[i][j][k][l]
//     axis 1    sums[i][k][l] = sum over j
//     axis 2    sums[i][j][l] = sum over k
//     axis 3    sums[i][j][k] = sum over l
//
// Bytes and additions are the same each time; the order of visits and the workers differ.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "common/cpu/range.hpp"
#include "common/run/program.hpp"

namespace boltzmark::axes {

enum class Pass { fill, axis0, axis1, axis2, axis3 };
inline constexpr std::array pass_names = {"fill", "axis0", "axis1", "axis2", "axis3"};

/// Distances in the array between elements of the three remaining axes, from the outermost.
struct Strides {
  std::int64_t reduced, outer, middle, inner;
};
inline Strides strides_of(Pass pass, std::int64_t n) {
  const std::array<std::int64_t, 4> all = {n * n * n, n * n, n, 1};
  const auto axis = static_cast<std::size_t>(pass) - 1;
  std::array<std::int64_t, 3> left = {};
  for (std::size_t from = 0, to = 0; from < 4; ++from)
    if (from != axis) left[to++] = all[from];
  return {all[axis], left[0], left[1], left[2]};
}

/// One model, variant and precision.
class Patterns : public Implementation {
 public:
  /// Makes an array with the values eighths_at(i) / 8 (common/base/eighths.h), where i counts along memory, an array to
  /// be filled, and memory for sums. `n` elements per axis.
  virtual void init(std::int64_t n) = 0;
  /// The timed part, until it is done.
  virtual void run(Pass pass) = 0;
  /// This rank's part of `all` numbers that a pass makes.
  virtual Range part(Pass, std::int64_t all) const { return {0, all}; }
  /// Results of the latest pass: the array after fill, else the sums, from number `at` of this rank's part on.
  virtual void read(Pass pass, std::int64_t at, std::span<double> values) = 0;
};

using boltzmark::Variant;

extern const WorkloadEntry workload;

}  // namespace boltzmark::axes
