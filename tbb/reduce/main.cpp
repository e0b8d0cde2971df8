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
  static constexpr bool takes_fewer = true;
  template <class Op, class T>
  static reduce::Result reduce(Op op, const T* values, std::int64_t elements, const Workers& workers) {
    std::vector<reduce::Total<Op, T>> totals(static_cast<std::size_t>(workers.count));
    arena().execute([&] {
      tbb::parallel_for(
          0, workers.count,
          [&](int me) { totals[me] = reduce_vectors(op, values, workers.pages_of(me, elements, sizeof(T))); },
          tbb::static_partitioner());
    });
    return joined(totals).result();
  }
};

const reduce::Variant textbook = textbook_of("a loop with tbb::parallel_reduce", reduce::by<Textbook>(start_workers));
const reduce::Variant vectors = like_for_like_of(
    "vectors", "parallel_for over as many parts as the array is worth, in vectors", reduce::by<Vectors>(start_workers));

}  // namespace
}  // namespace boltzmark::onetbb

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace onetbb;
  return run_in_arena(argc, argv, reduce::workload, {&textbook, &vectors}, "vectors");
}
