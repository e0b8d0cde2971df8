// reduce-tbb: an array reduced by oneTBB.
#include "common/reduce/array_reducer.hpp"
#include "common/reduce/cpu/vectors.hpp"
#include "tbb/on_arena.hpp"

namespace boltzmark::onetbb {
namespace {

using Part = tbb::blocked_range<std::int64_t>;

/// Textbook: parallel_reduce, which splits the array when a thread is idle.
struct Textbook {
  template <class Op, class T>
  static reduce::Result reduce(Op, const T* values, std::int64_t elements, const Workers&) {
    const T result = arena().execute([=] {
      return tbb::parallel_reduce(
          Part(0, elements), Op::template neutral<T>,
          [values](const Part& part, T so_far) {
            for (std::int64_t i = part.begin(); i != part.end(); ++i) so_far = Op::of(so_far, values[i]);
            return so_far;
          },
          [](T a, T b) { return Op::of(a, b); });
    });
    return reduce::result_of(result);
  }
};

/// Vectors: each slot reduces its part in vectors (common/reduce/cpu/vectors.hpp); the results are joined in the same
/// order every time.
struct Vectors {
  template <class Op, class T>
  static reduce::Result reduce(Op op, const T* values, std::int64_t elements, const Workers&) {
    using Total = reduce::Total<Op, T>;
    const Total total = arena().execute([=] {
      return tbb::parallel_deterministic_reduce(
          Part(0, elements), Total(),
          [=](const Part& part, const Total& so_far) {
            return Total::of(so_far, reduce_vectors(op, values, {part.begin(), part.end()}));
          },
          Total::of, tbb::static_partitioner());
    });
    return total.result();
  }
};

const reduce::Variant textbook = textbook_of("a loop with tbb::parallel_reduce", reduce::by<Textbook>(start_workers));
const reduce::Variant vectors =
    like_for_like_of("vectors", "parallel_deterministic_reduce over the parts of a static_partitioner, in vectors",
                     reduce::by<Vectors>(start_workers));

}  // namespace
}  // namespace boltzmark::onetbb

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace onetbb;
  return run_in_arena(argc, argv, reduce::workload, {&textbook, &vectors}, "vectors");
}
