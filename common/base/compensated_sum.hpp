// A sum that keeps what rounding loses.
#pragma once

#include "common/base/real.h"

namespace boltzmark {

/// Sum in double precision whose error does not grow with the number of terms, as long as they have one sign
/// (two-sum of Knuth and Moller for every term). Not to be compiled with flags that let sums be reordered.
class CompensatedSum {
 public:
  KERNEL_FN void add(double term) {
    const double next = sum_ + term, added = next - sum_;
    lost_ += (sum_ - (next - added)) + (term - added);
    sum_ = next;
  }
  /// What another sum has come to.
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
