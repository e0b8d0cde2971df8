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

/// One model, variant and precision.
class Scanner : public Implementation {
 public:
  static constexpr const char* what = "Prefix sums";
  static const RunWorkload<Scanner> run_workload;

  /// Makes the values, eighths_at(i) / 8 (common/base/eighths.h), and room for their sums.
  virtual void init(std::int64_t elements) = 0;
  /// The timed part: the sums, in the model's memory.
  virtual void scan() = 0;
  /// Number of the first sum that this rank holds, and how many there are.
  virtual std::int64_t first() const { return 0; }
  virtual std::int64_t part() const = 0;
  /// Sums from number `at` of this rank's part on.
  virtual void read(std::int64_t at, std::span<double> sums) = 0;
};

using Variant = VariantOf<Scanner>;

}  // namespace boltzmark::scan
