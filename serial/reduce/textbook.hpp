// Textbook: one loop, one result.
//
//     result = result (op) values[i]
//
// Each step waits for the one before. A sum of floats stalls once a term is less than half the last digit of what there
// is: of 1 + 1 + ... at 2^24. `--values ramp` shows it.
#pragma once

#include "common/cpu/stretch.hpp"
#include "common/reduce/operators.hpp"

namespace boltzmark::serial {

struct TextbookReduction {
  template <class Op, class T>
  static reduce::Result reduce(Op, const T* values, Stretch on) {
    T result = Op::template neutral<T>;
    for (std::int64_t i = on.begin; i < on.end; ++i) result = Op::of(result, values[i]);
    return reduce::result_of(result);
  }
};

}  // namespace boltzmark::serial
