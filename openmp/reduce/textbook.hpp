// Textbook: the loop with OpenMP's reduction clause, here with an operator of our own.
//
//     #pragma omp parallel for reduction(op : result)
//     result = result (op) values[i]
#pragma once

#include "common/reduce/operators.hpp"

namespace boltzmark::openmp {

struct TextbookReduction {
  template <class Op, class T>
  static reduce::Result reduce(Op, const T* values, std::int64_t elements, int threads) {
    T result = Op::template neutral<T>;
#pragma omp declare reduction(combine:T                            \
                              : omp_out = Op::of(omp_out, omp_in)) \
    initializer(omp_priv = Op::template neutral <T>)
#pragma omp parallel for num_threads(threads) reduction(combine : result)
    for (std::int64_t i = 0; i < elements; ++i) result = Op::of(result, values[i]);
    return reduce::result_of(result);
  }
};

}  // namespace boltzmark::openmp
