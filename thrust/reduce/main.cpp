// reduce-thrust: an array reduced by Thrust.
#include "thrust/on_system.hpp"

#include "common/reduce/reducer.hpp"
#ifndef __CUDACC__
#include "common/reduce/vectors.hpp"
#endif

namespace boltzmark::by_thrust {
namespace {
using namespace reduce;

/// Value number i of a task.
template <class Op, class T>
struct ValueOf {
  bool is_ramp;
  KERNEL_FN T operator()(std::int64_t i) const {
    return is_ramp ? static_cast<T>(i) : Op::template value<T>(static_cast<unsigned int>(i));
  }
};

/// The array in the system's memory. `How` is the variant: How::reduced(op, values, count).
template <class How>
class OfArray : public OnSystem<Reducer> {
 public:
  using OnSystem<Reducer>::OnSystem;

  void init(const Task& task) override {
    task_ = task;
    words_ = Values<std::uint32_t>(static_cast<std::size_t>(task.elements) * (task.is_wide ? 2 : 1));
    with_operator(task_, [&]<class Op, class T>(Op, T) {
      const auto first = thrust::device_pointer_cast(reinterpret_cast<T*>(data_of(words_)));
      thrust::tabulate(on_system(), first, first + task.elements, ValueOf<Op, T>{task.is_ramp});
      return 0;
    });
  }
  Result reduce() override {
    return with_operator(task_, [this]<class Op, class T>(Op op, T) {
      return How::reduced(op, reinterpret_cast<const T*>(data_of(words_)), task_.elements);
    });
  }

 private:
  Task task_;
  Values<std::uint32_t> words_;  ///< of numbers or words, as wide as the task's
};

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
  static Result reduced(Op, const T* values, std::int64_t count) {
    const auto first = thrust::device_pointer_cast(values);
    return result_of(thrust::reduce(on_system(), first, first + count, T(Op::template neutral<T>), Operator<Op>()));
  }
};

/// Blocks: each in the vectors of a processor (common/reduce/vectors.hpp), then their totals. On a GPU the library
/// makes the blocks.
struct Blocks {
  template <class Op, class T>
  struct Block {
    static constexpr std::int64_t size = 8192;
    const T* values;
    std::int64_t count;
    Total<Op, T> operator()(std::int64_t number) const {
      return reduce_vectors(Op(), values, Range{number * size, std::min(count, (number + 1) * size)});
    }
  };

  template <class Op, class T>
  static Result reduced(Op op, const T* values, std::int64_t count) {
    if constexpr (is_gpu)
      return Textbook::reduced(op, values, count);
    else
      return joined<Total<Op, T>>((count + Block<Op, T>::size - 1) / Block<Op, T>::size, Block<Op, T>{values, count},
                                  Merged())
          .result();
  }
};

const Variant textbook = textbook_of<Reducer, OfArray<Textbook>>("thrust::reduce with an operator");
const Variant blocks = like_for_like_of<Reducer, OfArray<Blocks>>(
    "blocks", "a transform of blocks, each in vectors of a processor, to totals; thrust::reduce on a GPU");

}  // namespace
}  // namespace boltzmark::by_thrust

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace by_thrust;
  return run_on_system(argc, argv, {textbook, blocks}, "blocks");
}
