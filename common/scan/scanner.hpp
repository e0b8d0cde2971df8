// Prefix sum: every element becomes the sum of all elements up to it.
//
//     sum = 0;
//     for (i = 0; i < elements; ++i) sums[i] = sum = sum + values[i];
//
// Each sum needs the one before; workers run in parallel once the sums of the parts before theirs are known.
#pragma once

#include <cstdint>
#include <span>

#include "common/run/program.hpp"
#include "common/run/team.hpp"

namespace boltzmark::scan {

/// Number of passes of a scan over its arrays.
struct Passes {
  int of_values = 1;        ///< that read the values from memory
  int of_sums = 1;          ///< that write the sums, all but the first of which read them too
  bool has_buffer = false;  ///< whose values, as many, are written in one pass and read in the other
  double tile_bytes = 0.0;  ///< of the values that all workers read again out of their caches; 0: none
};
/// Sums of parts first, then each part from the sum before it: values are read twice.
inline constexpr Passes sums_first = {.of_values = 2};
/// Parts first, separately; then the sum before each part is added to its sums.
inline constexpr Passes adds_after = {.of_sums = 2};

/// One model, variant and precision.
class Scanner : public Implementation {
 public:
  /// Makes the values, eighths_at(i) / 8 (common/base/eighths.h), and room for their sums.
  virtual void init(std::int64_t elements) = 0;
  /// The timed part: the sums, in the model's memory.
  virtual void scan() = 0;
  /// For a library, whose passes are not known, one.
  virtual Passes passes() const { return {}; }
  /// Number of the first sum that this rank holds, and how many there are.
  virtual std::int64_t first() const { return 0; }
  virtual std::int64_t part() const = 0;
  /// Sums from number `at` of this rank's part on.
  virtual void read(std::int64_t at, std::span<double> sums) = 0;
};

using boltzmark::Variant;

extern const WorkloadEntry workload;

}  // namespace boltzmark::scan
