// reduce-stdpar: an array reduced by the parallel algorithms of standard C++.
#include <algorithm>
#include <execution>
#include <functional>
#include <numeric>
#include <vector>

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

/// Vectors: an algorithm over parts, each reduced in vectors (common/reduce/cpu/vectors.hpp); the results are joined in
/// the same order every time. GCC's transform_reduce takes up to three parts at a time, and leaves cores idle.
struct Vectors {
  static constexpr bool takes_fewer = true;
  template <class Op, class T>
  static reduce::Result reduce(Op op, const T* values, std::int64_t elements, const Workers& workers) {
    constexpr std::int64_t most = std::int64_t{1} << 18;  // values of a part: the library gives a long array in turns
    const std::int64_t parts = std::max<std::int64_t>(workers.count, (elements + most - 1) / most);
    std::vector<reduce::Total<Op, T>> totals(static_cast<std::size_t>(parts));
    std::for_each(std::execution::par, counting(0), counting(parts), [&](std::int64_t number) {
      totals[number] = reduce_vectors(op, values, part_of(elements, number, parts));
    });
    return joined(totals).result();
  }
};

const reduce::Variant textbook = textbook_of("std::reduce with a policy", reduce::by<Textbook>(start_workers));
const reduce::Variant vectors =
    like_for_like_of("vectors", "an algorithm over parts, each in vectors", reduce::by<Vectors>(start_team));

}  // namespace
}  // namespace boltzmark::stdpar

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace stdpar;
  return run_on_cores(argc, argv, reduce::workload, {&textbook, &vectors}, "vectors");
}
