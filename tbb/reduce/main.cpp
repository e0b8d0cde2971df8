// reduce-tbb: an array reduced by oneTBB.
#include "common/reduce/host_reducer.hpp"
#include "common/reduce/vectors.hpp"
#include "tbb/on_arena.hpp"

namespace boltzmark::onetbb {
namespace {

using TbbReducer = OnArena<reduce::HostReducer>;
using Part = tbb::blocked_range<std::int64_t>;

/// Textbook: parallel_reduce, which splits the array where a thread has nothing to do.
class Textbook : public TbbReducer {
 public:
  using TbbReducer::OnArena;
  reduce::Result reduce() override {
    return with_values([this]<class Op, class T>(Op, const T* values) {
      const T result = arena_.execute([&] {
        return tbb::parallel_reduce(
            Part(0, size()), Op::template neutral<T>,
            [values](const Part& part, T so_far) {
              for (std::int64_t i = part.begin(); i != part.end(); ++i) so_far = Op::of(so_far, values[i]);
              return so_far;
            },
            [](T a, T b) { return Op::of(a, b); });
      });
      return reduce::result_of(result);
    });
  }
};

/// Vectors: each slot its part in vectors (common/reduce/vectors.hpp), joined in the same order every time.
class Vectors : public TbbReducer {
 public:
  using TbbReducer::OnArena;
  reduce::Result reduce() override {
    return with_values([this]<class Op, class T>(Op op, const T* values) {
      using Total = reduce::Total<Op, T>;
      const auto joined = [](Total total, const Total& other) {
        total.take(other);
        return total;
      };
      const Total total = arena_.execute([&] {
        return tbb::parallel_deterministic_reduce(
            Part(0, size()), Total(),
            [&](const Part& part, const Total& so_far) {
              return joined(so_far, reduce_vectors(op, values, {part.begin(), part.end()}));
            },
            joined, tbb::static_partitioner());
      });
      return total.result();
    });
  }
};

const reduce::Variant textbook = textbook_of<reduce::Reducer, Textbook>("a loop with tbb::parallel_reduce");

const reduce::Variant vectors = like_for_like_of<reduce::Reducer, Vectors>(
    "vectors", "parallel_deterministic_reduce over the parts of a static_partitioner, each in vectors");

}  // namespace
}  // namespace boltzmark::onetbb

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace onetbb;
  return run_in_arena(argc, argv, reduce::workload, {&textbook, &vectors}, "vectors");
}
