// A compensated sum.
#pragma once

#include "common/base/real.h"

namespace boltzmark {

/// Sum in double precision whose error does not grow with the number of terms, if all have the same sign (two-sum of
/// Knuth and Moller for every term). Do not compile it with flags that allow sums to be reordered.
class CompensatedSum {
 public:
  KERNEL_FN void add(double term) {
    const double next = sum_ + term, added = next - sum_;
    lost_ += (sum_ - (next - added)) + (term - added);
    sum_ = next;
  }
  /// Adds another compensated sum.
  KERNEL_FN void add(const CompensatedSum& other) {
    add(other.sum_);
    lost_ += other.lost_;
  }
  KERNEL_FN static CompensatedSum of(CompensatedSum a, const CompensatedSum& b) { return a.add(b), a; }
  KERNEL_FN double value() const { return sum_ + lost_; }

 private:
  double sum_ = 0.0, lost_ = 0.0;
};

}  // namespace boltzmark
