// A sum that keeps what rounding loses.
#pragma once

#include <cmath>

namespace boltzmark {

/// Neumaier's summation: right to the last digit or two however many terms of one sign there are.
class CompensatedSum {
 public:
  void add(double term) {
    const double next = sum_ + term;
    lost_ += std::abs(sum_) >= std::abs(term) ? (sum_ - next) + term : (term - next) + sum_;
    sum_ = next;
  }
  double value() const { return sum_ + lost_; }

 private:
  double sum_ = 0.0, lost_ = 0.0;
};

}  // namespace boltzmark
