// reduce-serial: a reduction on one core.
#include <numeric>

#include "common/reduce/array_reducer.hpp"
#include "common/reduce/cpu/vectors.hpp"
#include "common/run/cpu_device.hpp"

namespace boltzmark::serial {
namespace {

/// Textbook: one loop, one result. Each step waits for the one before. A sum of floats stalls once a term is less than
/// half its last digit: 1 + 1 + ... stalls at 2^24. `--values ramp` shows it.
struct Textbook {
  template <class Op, class T>
  static reduce::Result reduce(Op, const T* values, std::int64_t elements, const Workers&) {
    T result = Op::template neutral<T>;
    for (std::int64_t i = 0; i < elements; ++i) result = Op::of(result, values[i]);
    return reduce::result_of(result);
  }
};

/// std::reduce without a policy, as the peer. The library may take the values in any order.
struct StdReduce {
  template <class Op, class T>
  static reduce::Result reduce(Op, const T* values, std::int64_t elements, const Workers&) {
    return reduce::result_of(
        std::reduce(values, values + elements, Op::template neutral<T>, [](T a, T b) { return Op::of(a, b); }));
  }
};

/// Vectors: eight of them at a time, so that no step waits for the one before (common/reduce/cpu/vectors.hpp).
struct Vectors {
  template <class Op, class T>
  static reduce::Result reduce(Op op, const T* values, std::int64_t elements, const Workers&) {
    return reduce_vectors(op, values, {0, elements}).result();
  }
};

const reduce::Variant textbook = textbook_of("one loop, one result", reduce::by<Textbook>(one_worker));
const reduce::Variant std_reduce = {.name = "std-reduce",
                                    .summary = "std::reduce of the standard library (peer)",
                                    .role = Role::peer,
                                    .make = reduce::by<StdReduce>(one_worker)};
const reduce::Variant vectors = like_for_like_of("vectors", "eight vectors at a time", reduce::by<Vectors>(one_worker));

}  // namespace
}  // namespace boltzmark::serial

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace serial;
  return run_on_cpu(argc, argv, reduce::workload, "serial", "on one core", {&textbook, &std_reduce, &vectors},
                    "vectors");
}
