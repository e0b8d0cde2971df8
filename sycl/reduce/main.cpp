// reduce-sycl: an array reduced in SYCL.
#include "sycl/on_queue.hpp"

#include "common/reduce/array_reducer.hpp"
#include "common/reduce/cpu/vectors.hpp"

namespace boltzmark::by_sycl {
namespace {
using namespace reduce;

struct OnDevice {
  static void spoil() { spoil_partial_results(); }
};

/// Textbook: a loop with sycl::reduction, and the operator as SYCL's implementations take any.
struct Textbook : OnDevice {
  template <class Op, class T>
  static Result reduce(Op, const T* values, std::int64_t elements, const Workers&) {
    const auto join = [](T a, T b) { return Op::of(a, b); };
    T result = Op::template neutral<T>;
    T* const all = partial_results<T>(1);
    queue().memcpy(all, &result, sizeof result);
    queue().parallel_for(::sycl::range<1>(static_cast<std::size_t>(elements)), ::sycl::reduction(all, result, join),
                         [=](::sycl::id<1> i, auto& so_far) { so_far.combine(values[i]); });
    copy_bytes(&result, all, sizeof result);
    return result_of(result);
  }
};

/// Vectors: each unit of a processor has its part (common/reduce/vectors.hpp). An item of a GPU takes vectors of 16
/// bytes, sixteen before they go into a total.
struct Vectors : OnDevice {
  template <class Op, class T>
  static Result reduce(Op op, const T* values, std::int64_t count, const Workers&) {
    using All = Total<Op, T>;
    return joined<All>(
               [=](std::int64_t me, std::int64_t all) {
                 return reduce_vectors(op, values, range_of_pages(count, me, all, sizeof(T)));
               },
               [=](std::int64_t me, std::int64_t items) {
                 All all;
                 take_vectors<T, 16>(
                     count, me, items,
                     [=]<class V>(V, std::int64_t i) { return reinterpret_cast<const V*>(values)[i]; },
                     [](auto a, auto b) { return Op::of(a, b); }, [&](T value) { all.take(value); });
                 return all;
               })
        .result();
  }
};

const Variant textbook = textbook_of("a parallel_for with sycl::reduction", by<Textbook, InUsm>(start_workers));
const Variant vectors = like_for_like_of(
    "vectors", "one part per compute unit (processor) or group (GPU), in vectors; the host adds up the parts",
    by<Vectors, InUsm>(start_workers));

}  // namespace
}  // namespace boltzmark::by_sycl

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace by_sycl;
  return run_on_queue(argc, argv, reduce::workload, {&textbook, &vectors});
}
