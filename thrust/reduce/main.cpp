// reduce-thrust: an array reduced by Thrust.
#include "thrust/on_system.hpp"

#include "common/reduce/host_reducer.hpp"
#include "common/reduce/vectors.hpp"

namespace boltzmark::by_thrust {
namespace {
using namespace reduce;

/// Textbook: thrust::reduce with an operator.
struct Textbook : OnSystem<HostReducer> {
  template <class Op>
  struct Operator {
    template <class T>
    KERNEL_FN T operator()(T a, T b) const {
      return Op::of(a, b);
    }
  };

  void init(const Task& task) override {
    HostReducer::init(task);
    words_ = {words().data(), static_cast<std::int64_t>(words().size())};
  }
  Result reduce() override {
    return with_values([this]<class Op, class T>(Op, const T*) {
      const auto first = thrust::device_pointer_cast(reinterpret_cast<const T*>(words_.data()));
      return result_of(thrust::reduce(on_system(), first, first + size(), T(Op::template neutral<T>), Operator<Op>()));
    });
  }

  InSystem<std::uint32_t> words_;
};

#ifndef __CUDACC__
/// Blocks: each in the vectors of a processor, then their totals.
struct Blocks : OnSystem<HostReducer> {
  Result reduce() override {
    return with_values([count = size()]<class Op, class T>(Op op, const T* values) {
      constexpr std::int64_t block = 8192;
      const auto total = [=](std::int64_t number) {
        return reduce_vectors(op, values, {number * block, std::min(count, (number + 1) * block)});
      };
      return joined((count + block - 1) / block, total, Total<Op, T>::of).result();
    });
  }
};
#endif

const Variant textbook = textbook_of<Reducer, Textbook>("thrust::reduce with an operator");
ON_PROCESSORS(const Variant blocks = like_for_like_of<Reducer, Blocks>(
                  "blocks", "a tabulate of totals, of blocks in vectors of a processor");)

}  // namespace
}  // namespace boltzmark::by_thrust

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace by_thrust;
  return run_on_system(argc, argv, reduce::workload, {&textbook ON_PROCESSORS(, &blocks)});
}
