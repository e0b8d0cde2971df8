// reduce-stdpar: an array reduced by the parallel algorithms of standard C++.
#include <algorithm>
#include <execution>
#include <functional>
#include <numeric>

#include "common/reduce/array_reducer.hpp"
#include "common/reduce/cpu/vectors.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {
namespace {

/// std::plus, which the library vectorises.
template <class Op>
struct Function {
  template <class T>
  T operator()(T a, T b) const {
    return Op::of(a, b);
  }
};
template <>
struct Function<reduce::Sum> : std::plus<> {};

/// Textbook: std::reduce with a policy.
struct Textbook {
  template <class Op, class T>
  static reduce::Result reduce(Op, const T* values, std::int64_t elements, const Workers&) {
    return reduce::result_of(
        std::reduce(std::execution::par_unseq, values, values + elements, Op::template neutral<T>, Function<Op>()));
  }
};

/// Vectors: an algorithm over blocks, each reduced in vectors (common/reduce/cpu/vectors.hpp).
struct Vectors {
  template <class Op, class T>
  static reduce::Result reduce(Op op, const T* values, std::int64_t elements, const Workers&) {
    using Total = reduce::Total<Op, T>;
    constexpr std::int64_t block = std::int64_t{1} << 16;  // values of a call of the function
    return std::transform_reduce(std::execution::par, counting(0), counting((elements + block - 1) / block), Total(),
                                 Total::of,
                                 [=](std::int64_t number) {
                                   const std::int64_t first = number * block;
                                   return reduce_vectors(op, values, {first, std::min(elements, first + block)});
                                 })
        .result();
  }
};

const reduce::Variant textbook = textbook_of("std::reduce with a policy", reduce::by<Textbook>(start_workers));
const reduce::Variant vectors =
    like_for_like_of("vectors", "an algorithm over blocks, each in vectors", reduce::by<Vectors>(start_workers));

}  // namespace
}  // namespace boltzmark::stdpar

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace stdpar;
  return run_on_cores(argc, argv, reduce::workload, {&textbook, &vectors}, "vectors");
}
