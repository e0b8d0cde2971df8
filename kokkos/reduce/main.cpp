// reduce-kokkos: an array reduced by Kokkos.
#include "kokkos/on_space.hpp"

#include "common/reduce/array_reducer.hpp"
#include "common/reduce/cpu/vectors.hpp"

namespace boltzmark::kokkos {
namespace {
using namespace reduce;

/// Textbook: parallel_reduce with a reducer. Kokkos has one for each of the operators except bitwise exclusive or.
struct Textbook {
  template <class Op, class T>
  static Result reduce(Op, const T* array, std::int64_t elements, const Workers&) {
    const View<const T> values(array, elements);
    T result = Op::template neutral<T>;
    Kokkos::parallel_reduce(
        Numbers(0, elements), KOKKOS_LAMBDA(std::int64_t i, T & so_far) { so_far = Op::of(so_far, values(i)); },
        Joined<T, Op>{&result});
    return result_of(result);
  }
};

#ifndef __CUDACC__
/// Vectors: each thread of a processor reduces its part in vectors (common/reduce/cpu/vectors.hpp).
struct Vectors {
  template <class Op, class T>
  static Result reduce(Op op, const T* values, std::int64_t elements, const Workers& workers) {
    Total<Op, T> total;
    Kokkos::parallel_reduce(
        Threads(0, workers.count),
        [=, &workers](std::int64_t me, Total<Op, T>& so_far) {
          so_far.take(reduce_vectors(op, values, workers.pages_of(static_cast<int>(me), elements, sizeof(T))));
        },
        Joined<Total<Op, T>>{&total});
    return total.result();
  }
};
#endif

const Variant textbook = textbook_of("a loop with parallel_reduce and a reducer", by<Textbook, There>(start_workers));
ON_PROCESSORS(const Variant vectors = like_for_like_of(
                  "vectors", "parallel_reduce over threads, each with its part of the array, in vectors",
                  by<Vectors>(start_workers));)

}  // namespace
}  // namespace boltzmark::kokkos

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace kokkos;
  return run_on_space(argc, argv, reduce::workload, {&textbook}, {ON_PROCESSORS(&vectors)});
}
