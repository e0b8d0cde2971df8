// segments-thrust: segmented sums in Thrust.
#include "thrust/on_system.hpp"

#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "common/segments/host_reducer.hpp"

namespace boltzmark::by_thrust {
namespace {
using namespace segments;

/// Textbook: a transform over the segments, each added up by one thread.
template <class T>
struct Textbook : ArraysInSystem<T, HostReducer<T>> {
  void reduce() override {
    const T* const values = this->from_.data();
    const std::int64_t length = this->shape_.length;
    thrust::tabulate(
        on_system(), this->to_.begin(), this->to_.end(), KERNEL_LAMBDA(std::int64_t segment)->T {
          return thrust::reduce(thrust::seq, values + segment * length, values + (segment + 1) * length);
        });
  }
};

/// By key: consecutive values whose key, the number of their segment, is the same.
template <class T>
struct ByKey : ArraysInSystem<T, HostReducer<T>> {
  struct SegmentOf {
    std::int64_t length;
    KERNEL_FN std::int64_t operator()(std::int64_t i) const { return i / length; }
  };
  void reduce() override {
    const auto keys = thrust::make_transform_iterator(Numbers(0), SegmentOf{this->shape_.length});
    thrust::reduce_by_key(on_system(), keys, keys + this->shape_.elements(), this->from_.begin(),
                          thrust::make_discard_iterator(), this->to_.begin());
  }
};

/// Vectors: each thread its segments in a processor's vectors; of few segments each thread a part of every one.
template <class T>
struct Vectors : OnSystem<HostReducer<T>> {
  void reduce() override {
    this->sum_in_vectors([](const auto& work) { for_each_number(threads(), work); });
  }
};

const Variant textbook = textbook_of<Reducer, Textbook>("a transform over segments");
const Variant by_key = {
    .name = "by-key", .summary = "reduce_by_key, the key a segment's number", .make = made_of<Reducer, ByKey>};
ON_PROCESSORS(const Variant vectors = like_for_like_of<Reducer, Vectors>(
                  "vectors", "a for_each over threads, in vectors of a processor, few segments shared by all");)

}  // namespace
}  // namespace boltzmark::by_thrust

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace by_thrust;
  return run_on_system(argc, argv, segments::workload, {&textbook, &by_key ON_PROCESSORS(, &vectors)});
}
