// std::reduce without a policy: the library as the peer. It may take the values in another order than they stand.
#pragma once

#include <numeric>

#include "common/cpu/stretch.hpp"
#include "common/reduce/operators.hpp"

namespace boltzmark::serial {

struct StdReduction {
  template <class Op, class T>
  static reduce::Result reduce(Op, const T* values, Stretch on) {
    return reduce::result_of(std::reduce(values + on.begin, values + on.end, Op::template neutral<T>,
                                         [](T a, T b) { return Op::of(a, b); }));
  }
};

}  // namespace boltzmark::serial
