// What partial results go into.
#pragma once

#include "common/base/compensated_sum.hpp"
#include "common/reduce/operators.hpp"

namespace boltzmark::reduce {

template <class Op, class T>
class Total {
 public:
  void take(T value) { value_ = Op::of(value_, value); }
  void take(const Total& other) { take(other.value_); }
  Result result() const { return result_of(value_); }

 private:
  T value_ = Op::template neutral<T>;
};

/// Sums in double precision that keep what rounding loses.
template <class T>
class Total<Sum, T> {
 public:
  void take(T value) { sum_.add(static_cast<double>(value)); }
  void take(const Total& other) { sum_.add(other.sum_); }
  Result result() const { return result_of(sum_.value()); }

 private:
  CompensatedSum sum_;
};

}  // namespace boltzmark::reduce
