// reduce-thrust: an array reduced by Thrust.
#include "thrust/on_system.hpp"

#include "common/reduce/array_reducer.hpp"
#include "common/reduce/cpu/vectors.hpp"

namespace boltzmark::by_thrust {
namespace {
using namespace reduce;

/// Textbook: thrust::reduce with an operator.
struct Textbook {
  template <class Op>
  struct Operator {
    template <class T>
    KERNEL_FN T operator()(T a, T b) const {
      return Op::of(a, b);
    }
  };

  template <class Op, class T>
  static Result reduce(Op, const T* values, std::int64_t elements, const Workers&) {
    const auto first = thrust::device_pointer_cast(values);
    return result_of(thrust::reduce(on_system(), first, first + elements, T(Op::template neutral<T>), Operator<Op>()));
  }
};

#ifndef __CUDACC__
/// Blocks: each in the vectors of a processor, then their totals.
struct Blocks {
  template <class Op, class T>
  static Result reduce(Op op, const T* values, std::int64_t elements, const Workers&) {
    constexpr std::int64_t block = 8192;
    const auto total = [=](std::int64_t number) {
      return reduce_vectors(op, values, {number * block, std::min(elements, (number + 1) * block)});
    };
    return by_thrust::joined((elements + block - 1) / block, total, Total<Op, T>::of).result();
  }
};
#endif

const Variant textbook = textbook_of("thrust::reduce with an operator", by<Textbook, InSystem>(start_workers));
ON_PROCESSORS(const Variant blocks = like_for_like_of("blocks",
                                                      "a tabulate over blocks, each summed in vectors on a processor",
                                                      by<Blocks>(start_workers));)

}  // namespace
}  // namespace boltzmark::by_thrust

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace by_thrust;
  return run_on_system(argc, argv, reduce::workload, {&textbook ON_PROCESSORS(, &blocks)});
}
