// Segmented sum: one sum for each of an array's segments, which have equal lengths.
//
//     for (segment = 0; segment < segments; ++segment)
//       for (i = 0; i < length; ++i) sums[segment] += values[segment * length + i];
//
// Long segments make it a reduction, length 1 a copy. In between, variants differ in the number of workers per segment:
// one, many, or one for many segments.
#pragma once

#include <cstdint>
#include <span>

#include "common/run/program.hpp"
#include "common/run/team.hpp"

namespace boltzmark::segments {

struct Shape {
  std::int64_t segments = 1, length = 1;
  std::int64_t elements() const { return segments * length; }
};

/// One model, variant and precision.
class Reducer : public Implementation {
 public:
  /// Makes the values, eighths_at(i) / 8 (common/base/eighths.h), and room for the sums.
  virtual void init(const Shape& shape) = 0;
  /// The timed part: the sums, in the model's memory.
  virtual void reduce() = 0;
  /// Number of the first sum that this rank holds, and how many there are.
  virtual std::int64_t first() const { return 0; }
  virtual std::int64_t part() const = 0;
  /// Sums from number `at` of this rank's part on.
  virtual void read(std::int64_t at, std::span<double> sums) = 0;
};

using boltzmark::Variant;

extern const WorkloadEntry workload;

}  // namespace boltzmark::segments
