// reduce-openmp: an array that the threads of one machine reduce.
#include "common/reduce/host_reducer.hpp"
#include "common/reduce/vectors.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
namespace {

using OpenmpReducer = OnThreads<reduce::HostReducer>;

/// Textbook: the loop with OpenMP's reduction clause, here with a declared operator.
class Textbook : public OpenmpReducer {
 public:
  using OpenmpReducer::OnThreads;
  reduce::Result reduce() override {
    return with_values([this]<class Op, class T>(Op, const T* values) {
      const std::int64_t elements = size();
      const int threads = threads_;
      T result = Op::template neutral<T>;
#pragma omp declare reduction(combine:T \
                              : omp_out = Op::of(omp_out, omp_in)) initializer(omp_priv = Op::template neutral <T>)
#pragma omp parallel for num_threads(threads) reduction(combine : result)
      for (std::int64_t i = 0; i < elements; ++i) result = Op::of(result, values[i]);
      return reduce::result_of(result);
    });
  }
};

/// Vectors: each thread its part in vectors (common/reduce/vectors.hpp), then the threads' totals in their order.
class Vectors : public OpenmpReducer {
 public:
  using OpenmpReducer::OnThreads;
  reduce::Result reduce() override {
    return with_values([this]<class Op, class T>(Op op, const T* values) {
      std::vector<reduce::Total<Op, T>> totals(static_cast<std::size_t>(threads_));
#pragma omp parallel num_threads(threads_)
      {
        const int me = number_in_team_of(threads_);
        totals[me] = reduce_vectors(op, values, part_of(me, threads_));
      }
      for (std::size_t thread = 1; thread < totals.size(); ++thread) totals[0].take(totals[thread]);
      return totals[0].result();
    });
  }
};

const reduce::Variant textbook = textbook_of<reduce::Reducer, Textbook>("a loop with OpenMP's reduction clause");

const reduce::Variant vectors =
    like_for_like_of<reduce::Reducer, Vectors>("vectors", "eight vectors at a time on each thread");

}  // namespace
}  // namespace boltzmark::openmp

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp;
  return run_on_threads(argc, argv, reduce::workload, {&textbook, &vectors}, "vectors");
}
