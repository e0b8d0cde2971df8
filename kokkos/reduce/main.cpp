// reduce-kokkos: an array reduced by Kokkos.
#include "kokkos/on_space.hpp"

#include "common/reduce/host_reducer.hpp"
#include "common/reduce/vectors.hpp"

namespace boltzmark::kokkos {
namespace {
using namespace reduce;

/// Textbook: parallel_reduce with a reducer. Kokkos has one for each of the operators but bit-wise exclusive or.
struct Textbook : OnSpace<HostReducer> {
  void init(const Task& task) override {
    HostReducer::init(task);
    words_ = {words().data(), words().size()};
  }
  Result reduce() override {
    return with_values([this]<class Op, class T>(Op op, const T*) {
      return reduced(op, reinterpret_cast<const T*>(words_.there.data()), size());
    });
  }

  template <class Op, class T>
  static Result reduced(Op, const T* values, std::int64_t count) {
    T result = Op::template neutral<T>;
    Kokkos::parallel_reduce(
        Numbers(0, count), KOKKOS_LAMBDA(std::int64_t i, T & so_far) { so_far = Op::of(so_far, values[i]); },
        Joined<T, Op>{&result});
    return result_of(result);
  }

  Mirrored<std::uint32_t*> words_;
};

#ifndef __CUDACC__
/// Vectors: each thread of a processor its part in vectors (common/reduce/vectors.hpp).
struct Vectors : OnSpace<HostReducer> {
  Result reduce() override {
    return with_values([this]<class Op, class T>(Op op, const T* values) {
      Total<Op, T> total;
      Kokkos::parallel_reduce(
          Threads(0, threads()),
          [this, op, values](std::int64_t me, Total<Op, T>& so_far) {
            so_far.take(reduce_vectors(op, values, part_of(me, threads())));
          },
          Joined<Total<Op, T>>{&total});
      return total.result();
    });
  }
};
#endif

const Variant textbook = textbook_of<Reducer, Textbook>("a loop with parallel_reduce and a reducer");
ON_PROCESSORS(const Variant vectors = like_for_like_of<Reducer, Vectors>(
                  "vectors", "parallel_reduce over the threads, each with its part of the array in vectors");)

}  // namespace
}  // namespace boltzmark::kokkos

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace kokkos;
  return run_on_space(argc, argv, reduce::workload, {&textbook}, {ON_PROCESSORS(&vectors)});
}
