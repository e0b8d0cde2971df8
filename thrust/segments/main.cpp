// segments-thrust: segmented sums in Thrust.
#include "thrust/values_and_sums.hpp"

#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "common/segments/reducer.hpp"
#ifndef __CUDACC__
#include "common/cpu/vector_sum.hpp"
#endif

namespace boltzmark::by_thrust {
namespace {
using namespace segments;

template <class T>
class Segments : public ValuesAndSums<Reducer, T> {
 public:
  using ValuesAndSums<Reducer, T>::ValuesAndSums;
  void init(const Shape& shape) override {
    shape_ = shape;
    this->make_arrays(shape.elements(), shape.segments);
  }

 protected:
  Shape shape_;
};

/// Textbook: a transform over the segments, each added up by one thread.
template <class T>
class Textbook : public Segments<T> {
 public:
  using Segments<T>::Segments;

  struct SumOf {
    const T* values;
    std::int64_t length;
    KERNEL_FN T operator()(std::int64_t segment) const {
      const T* const first = values + segment * length;
      return thrust::reduce(thrust::seq, first, first + length);
    }
  };
  void reduce() override {
    thrust::tabulate(on_system(), this->sums_.begin(), this->sums_.end(),
                     SumOf{data_of(this->values_), this->shape_.length});
  }
};

/// By key: consecutive values whose key, the number of their segment, is the same.
template <class T>
class ByKey : public Segments<T> {
 public:
  using Segments<T>::Segments;

  struct SegmentOf {
    std::int64_t length;
    KERNEL_FN std::int64_t operator()(std::int64_t i) const { return i / length; }
  };
  void reduce() override {
    const auto keys =
        thrust::make_transform_iterator(thrust::counting_iterator<std::int64_t>(0), SegmentOf{this->shape_.length});
    thrust::reduce_by_key(on_system(), keys, keys + this->shape_.elements(), this->values_.begin(),
                          thrust::make_discard_iterator(), this->sums_.begin());
  }
};

/// Vectors: each worker its segments in a processor's vectors; of few segments each worker a part of every one. On a GPU
/// by key.
template <class T>
class Vectors : public ByKey<T> {
 public:
  using ByKey<T>::ByKey;

  void reduce() override {
    if constexpr (is_gpu)
      ByKey<T>::reduce();
    else
      sum_segments(std::max(1, this->threads_));
  }

 private:
  void sum_segments(std::int64_t workers) {
    constexpr std::int64_t few = 8;  // segments a worker, with which the shares are uneven
    const T* const values = data_of(this->values_);
    T* const sums = data_of(this->sums_);
    const std::int64_t segments = this->shape_.segments, length = this->shape_.length;
    if (segments >= few * workers) {
      for_each_number(workers,
                      [=](std::int64_t me) { sum_rows(values, length, sums, part_of(segments, me, workers)); });
      return;
    }
    std::vector<T> parts(static_cast<std::size_t>(segments * workers));
    for_each_number(workers, [&](std::int64_t me) {
      const Range mine = part_of(length, me, workers);
      for (std::int64_t segment = 0; segment < segments; ++segment)
        parts[static_cast<std::size_t>(segment * workers + me)] =
            sum_of(values + segment * length + mine.begin, mine.size());
    });
    sum_rows(static_cast<const T*>(parts.data()), workers, sums, Range{0, segments});
  }
};

const Variant textbook = textbook_of<Reducer, Textbook>("a transform over segments");
const Variant by_key = {
    .name = "by-key", .summary = "reduce_by_key, the key a segment's number", .make = made_of<Reducer, ByKey>};
const Variant vectors = like_for_like_of<Reducer, Vectors>(
    "vectors", "processors' vectors, few segments shared by all threads; reduce_by_key on a GPU");

}  // namespace
}  // namespace boltzmark::by_thrust

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace by_thrust;
  return run_on_system(argc, argv, {textbook, by_key, vectors}, "vectors");
}
