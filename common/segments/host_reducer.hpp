// Values and sums in this machine's memory: what the segmented sums of the CPU models have in common.
#pragma once

#include "common/cpu/vector_sum.hpp"
#include "common/run/host_arrays.hpp"
#include "common/segments/reducer.hpp"

namespace boltzmark::segments {

/// Segments shorter than a vector, of constant length: the compiler vectorises across segments.
template <int length, class T>
void sum_short_segments(const T* __restrict values, T* __restrict sums, Range of) {
  for (std::int64_t segment = of.begin; segment < of.end; ++segment) {
    T sum = values[segment * length];
    for (int i = 1; i < length; ++i) sum += values[segment * length + i];
    sums[segment] = sum;
  }
}

/// The sums of these segments.
template <class T>
void sum_segments(const T* values, T* sums, std::int64_t length, Range of) {
  switch (length) {
    case 1:
      return sum_short_segments<1>(values, sums, of);
    case 2:
      return sum_short_segments<2>(values, sums, of);
    case 3:
      return sum_short_segments<3>(values, sums, of);
    case 4:
      return sum_short_segments<4>(values, sums, of);
    case 8:
      return sum_short_segments<8>(values, sums, of);
    default:
      for (std::int64_t segment = of.begin; segment < of.end; ++segment)
        sums[segment] = sum_of(values + segment * length, length);
  }
}

template <class T>
class HostReducer : public HostArrays<Reducer, T> {
 public:
  void init(const Shape& shape) override { make_arrays(shape, {0, shape.segments}); }

 protected:
  /// Values of segments `mine` of all, and their sums.
  void make_arrays(const Shape& shape, Range mine) {
    shape_ = shape;
    HostArrays<Reducer, T>::make_arrays({mine.begin * shape.length, mine.end * shape.length}, mine);
  }

  Shape shape_;
};

}  // namespace boltzmark::segments
