// segments-thrust: segmented sums in Thrust.
#include "thrust/on_system.hpp"

#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "common/segments/array_reducer.hpp"
#include "common/segments/cpu/vectors.hpp"

namespace boltzmark::by_thrust {
namespace {
using namespace segments;

/// Textbook: a transform over the segments, each added up by one thread.
struct Textbook {
  template <class T>
  static void reduce(const T* values, Shape shape, T* sums, const Workers&) {
    const std::int64_t length = shape.length;
    const auto first = thrust::device_pointer_cast(sums);
    thrust::tabulate(
        on_system(), first, first + shape.segments, KERNEL_LAMBDA(std::int64_t segment)->T {
          return thrust::reduce(thrust::seq, values + segment * length, values + (segment + 1) * length);
        });
  }
};

/// By key: consecutive values whose key, the number of their segment, is the same.
struct ByKey {
  struct SegmentOf {
    std::int64_t length;
    KERNEL_FN std::int64_t operator()(std::int64_t i) const { return i / length; }
  };
  template <class T>
  static void reduce(const T* values, Shape shape, T* sums, const Workers&) {
    const auto keys = thrust::make_transform_iterator(Numbers(0), SegmentOf{shape.length});
    thrust::reduce_by_key(on_system(), keys, keys + shape.elements(), thrust::device_pointer_cast(values),
                          thrust::make_discard_iterator(), thrust::device_pointer_cast(sums));
  }
};

#ifndef __CUDACC__
/// Vectors: each thread sums its segments in a processor's vectors, or, if there are few, a part of every segment.
struct Vectors {
  template <class T>
  static void reduce(const T* values, Shape shape, T* sums, const Workers&) {
    sum_in_vectors(values, shape, sums, threads(), [](const auto& work) { for_each_number(threads(), work); });
  }
};
#endif

const Variant textbook = textbook_of("a transform over segments", by<Textbook, InSystem>(start_workers));
const Variant by_key = {.name = "by-key",
                        .summary = "reduce_by_key with the segment's number as the key",
                        .make = by<ByKey, InSystem>(start_workers)};
ON_PROCESSORS(const Variant vectors = like_for_like_of(
                  "vectors",
                  "a for_each over threads, in vectors on a processor; a few long segments are shared by all",
                  by<Vectors>(start_workers));)

}  // namespace
}  // namespace boltzmark::by_thrust

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace by_thrust;
  return run_on_system(argc, argv, segments::workload, {&textbook, &by_key ON_PROCESSORS(, &vectors)});
}
