// reduce-openmp: a reduction on the threads of one machine.
#include "common/reduce/array_reducer.hpp"
#include "common/reduce/cpu/vectors.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
namespace {

/// Textbook: the loop with OpenMP's reduction clause, here with a declared operator.
struct Textbook {
  template <class Op, class T>
  static reduce::Result reduce(Op, const T* values, std::int64_t elements, const Workers& workers) {
    const int threads = workers.count;
    T result = Op::template neutral<T>;
#pragma omp declare reduction(combine:T \
                              : omp_out = Op::of(omp_out, omp_in)) initializer(omp_priv = Op::template neutral <T>)
#pragma omp parallel for num_threads(threads) reduction(combine : result)
    for (std::int64_t i = 0; i < elements; ++i) result = Op::of(result, values[i]);
    return reduce::result_of(result);
  }
};

/// Vectors: each thread reduces its part in vectors (common/reduce/cpu/vectors.hpp); then the threads' totals are
/// joined in order.
struct Vectors {
  template <class Op, class T>
  static reduce::Result reduce(Op op, const T* values, std::int64_t elements, const Workers& workers) {
    const int threads = workers.count;
    std::vector<reduce::Total<Op, T>> totals(static_cast<std::size_t>(threads));
#pragma omp parallel num_threads(threads)
    {
      const int me = number_in_team_of(threads);
      totals[me] = reduce_vectors(op, values, workers.pages_of(me, elements, sizeof(T)));
    }
    return joined(totals).result();
  }
};

const reduce::Variant textbook =
    textbook_of("a loop with OpenMP's reduction clause", reduce::by<Textbook>(start_workers));
const reduce::Variant vectors =
    like_for_like_of("vectors", "eight vectors at a time on each thread", reduce::by<Vectors>(start_workers));

}  // namespace
}  // namespace boltzmark::openmp

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp;
  return run_on_threads(argc, argv, reduce::workload, {&textbook, &vectors}, "vectors");
}
