// Values and sums in this machine's memory: what the segmented sums of the CPU models have in common.
#pragma once

#include <algorithm>
#include <limits>

#include "common/base/eighths.h"
#include "common/cpu/aligned.hpp"
#include "common/cpu/range.hpp"
#include "common/cpu/simd.hpp"
#include "common/run/on_host.hpp"
#include "common/segments/reducer.hpp"

namespace boltzmark::segments {

/// What `count` values come to, in vectors.
template <class T>
KERNEL_FN T sum_of(const T* values, std::int64_t count) {
  constexpr int lanes = native_lanes<T>, vectors = 4;
  using Vector = Pack<T, lanes>;
  std::int64_t i = 0;
  T sum = 0;
  if (count >= lanes) {
    Vector part[vectors];
    for (Vector& one : part) one = Vector::zero();
    for (; i + vectors * lanes <= count; i += vectors * lanes)
      for (int v = 0; v < vectors; ++v) part[v] = part[v] + Vector::load(values + i + v * lanes);
    for (; i + lanes <= count; i += lanes) part[0] = part[0] + Vector::load(values + i);
    sum = ((part[0] + part[1]) + (part[2] + part[3])).sum();
  }
  for (; i < count; ++i) sum += values[i];
  return sum;
}

/// Segments shorter than a vector, of a length that the compiler knows: it makes vectors of many segments.
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

/// Of segments that workers share evenly: those of worker `me`.
inline Range segments_of(std::int64_t segments, std::int64_t me, std::int64_t workers) {
  return {segments * me / workers, segments * (me + 1) / workers};
}

template <class T>
class HostReducer : public OnHost<Reducer> {
 public:
  void init(const Shape& shape) override { make_arrays(shape, {0, shape.segments}); }
  void spoil() override {
    this->on_workers([this](std::int64_t me, std::int64_t workers) {
      const Range on = segments_of(mine_.size(), me, workers);
      std::fill(sums_.data() + on.begin, sums_.data() + on.end, std::numeric_limits<T>::quiet_NaN());
    });
  }
  std::int64_t first() const override { return mine_.begin; }
  std::int64_t part() const override { return mine_.size(); }
  void read(std::int64_t at, std::span<double> sums) override {
    std::copy_n(sums_.data() + at, sums.size(), sums.begin());
  }

 protected:
  /// Values of segments `mine` of all, and their sums.
  void make_arrays(const Shape& shape, Range mine) {
    shape_ = shape;
    mine_ = mine;
    values_ = AlignedArray<T>(static_cast<std::size_t>(mine.size() * shape.length));
    sums_ = AlignedArray<T>(static_cast<std::size_t>(mine.size()));
    this->on_workers([this](std::int64_t me, std::int64_t workers) {
      const Range on = segments_of(mine_.size() * shape_.length, me, workers);
      for (std::int64_t i = on.begin; i < on.end; ++i)
        values_[i] = T(0.125) * static_cast<T>(eighths_at(static_cast<unsigned int>(mine_.begin * shape_.length + i)));
    });
  }

  Shape shape_;
  Range mine_;
  AlignedArray<T> values_, sums_;
};

}  // namespace boltzmark::segments
