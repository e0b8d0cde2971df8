// reduce-stdpar: an array reduced by the parallel algorithms of standard C++.
#include <algorithm>
#include <execution>
#include <functional>
#include <numeric>

#include "common/reduce/host_reducer.hpp"
#include "common/reduce/vectors.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {
namespace {

/// Values that one call of an algorithm's function takes.
constexpr std::int64_t block = std::int64_t{1} << 16;

class StdparReducer : public OnCores<reduce::HostReducer> {
 protected:
  std::int64_t blocks() const { return (size() + block - 1) / block; }
  Range block_of(std::int64_t number) const { return {number * block, std::min(size(), (number + 1) * block)}; }
};

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
class Textbook : public StdparReducer {
 public:
  reduce::Result reduce() override {
    return with_values([this]<class Op, class T>(Op, const T* values) {
      return reduce::result_of(
          std::reduce(std::execution::par_unseq, values, values + size(), Op::template neutral<T>, Function<Op>()));
    });
  }
};

/// Vectors: an algorithm over blocks, each reduced in vectors (common/reduce/vectors.hpp).
class Vectors : public StdparReducer {
 public:
  reduce::Result reduce() override {
    return with_values([this]<class Op, class T>(Op op, const T* values) {
      using Total = reduce::Total<Op, T>;
      return std::transform_reduce(std::execution::par, counting(0), counting(blocks()), Total(), Total::of,
                                   [&](std::int64_t number) { return reduce_vectors(op, values, block_of(number)); })
          .result();
    });
  }
};

const reduce::Variant textbook = textbook_of<reduce::Reducer, Textbook>("std::reduce with a policy");

const reduce::Variant vectors =
    like_for_like_of<reduce::Reducer, Vectors>("vectors", "an algorithm over blocks, each in vectors");

}  // namespace
}  // namespace boltzmark::stdpar

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace stdpar;
  return run_on_cores(argc, argv, reduce::workload, {&textbook, &vectors}, "vectors");
}
