// reduce-sycl: an array reduced in SYCL.
#include "sycl/on_queue.hpp"

#include "common/reduce/array_reducer.hpp"
#include "common/reduce/cpu/vectors.hpp"

namespace boltzmark::by_sycl {
namespace {
using namespace reduce;

/// Of an array, by Method's reduce(operator, values, elements, workers).
template <class Method>
struct OnDevice : Reducer {
  void init(const Task& task) override { array_.init(task); }
  void spoil() override { spoil_partial_results(); }
  Result reduce() override { return array_.reduce(); }
  RunFacts facts() const override { return on_device({}); }

  ArrayReducer<Method, InUsm> array_{start_workers({})};
};

/// Textbook: a loop with sycl::reduction, and the operator as SYCL's implementations take any.
struct Textbook {
  template <class Op, class T>
  static Result reduce(Op, const T* values, std::int64_t elements, const Workers&) {
    const auto join = [](T a, T b) { return Op::of(a, b); };
    T result = Op::template neutral<T>;
    T* const all = partial_results<T>(1);
    queue().memcpy(all, &result, sizeof result);
    queue().parallel_for(::sycl::range<1>(static_cast<std::size_t>(elements)), ::sycl::reduction(all, result, join),
                         [=](::sycl::id<1> i, auto& so_far) { so_far.combine(values[i]); });
    queue().memcpy(&result, all, sizeof result).wait_and_throw();
    return result_of(result);
  }
};

/// Vectors: each unit of a processor has its part (common/reduce/vectors.hpp). An item of a GPU takes vectors of 16
/// bytes, sixteen before they go into a total.
struct Vectors {
  template <class Op, class T>
  static Result reduce(Op op, const T* values, std::int64_t count, const Workers&) {
    using All = Total<Op, T>;
    return joined<All>(
               [=](std::int64_t me, std::int64_t all) {
                 return reduce_vectors(op, values, range_of_pages(count, me, all, sizeof(T)));
               },
               [=](std::int64_t me, std::int64_t items) {
                 constexpr int lanes = 16 / sizeof(T), chain = 16;
                 using Vector = typename Pack<T, lanes>::Raw;
                 const auto* const vectors = reinterpret_cast<const Vector*>(values);
                 const std::int64_t whole = count / lanes;
                 All all;
                 std::int64_t i = me;
                 while (i < whole) {
                   Vector part = vectors[i];
                   if (i + (chain - 1) * items < whole) {
#pragma unroll
                     for (int k = 1; k < chain; ++k) part = Op::of(part, vectors[i + k * items]);
                     i += chain * items;
                   } else {
                     i += items;
                   }
                   T value = part[0];
                   for (int lane = 1; lane < lanes; ++lane) value = Op::of(value, static_cast<T>(part[lane]));
                   all.take(value);
                 }
                 for (i = whole * lanes + me; i < count; i += items) all.take(values[i]);
                 return all;
               })
        .result();
  }
};

const Variant textbook = textbook_of<Reducer, OnDevice<Textbook>>("a parallel_for with sycl::reduction");
const Variant vectors = like_for_like_of<Reducer, OnDevice<Vectors>>(
    "vectors", "one part per compute unit (processor) or group (GPU), in vectors; the host adds up the parts");

}  // namespace
}  // namespace boltzmark::by_sycl

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace by_sycl;
  return run_on_queue(argc, argv, reduce::workload, {&textbook, &vectors});
}
