// Values and sums in this machine's memory: what the segmented sums of the CPU models have in common.
#pragma once

#include "common/cpu/vector_sum.hpp"
#include "common/run/host_arrays.hpp"
#include "common/segments/reducer.hpp"

namespace boltzmark::segments {

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
