// Values and sums in this machine's memory: what the segmented sums of the CPU models have in common.
#pragma once

#include <vector>

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

  /// The sums in vectors: each worker its segments; of few segments each worker a part of every one. each_worker(work)
  /// calls work(me) of all workers.
  template <class EachWorker>
  void sum_in_vectors(const EachWorker& each_worker) {
    constexpr std::int64_t few = 8;  // segments a worker, with which the shares are uneven
    const T* const values = this->values_.data();
    T* const sums = this->sums_.data();
    const std::int64_t segments = shape_.segments, length = shape_.length, workers = this->workers();
    if (segments >= few * workers)
      return each_worker([=](std::int64_t me) { sum_rows(values, length, sums, part_of(segments, me, workers)); });
    std::vector<T> parts(static_cast<std::size_t>(segments * workers));
    each_worker([&](std::int64_t me) {
      const Range mine = part_of(length, me, workers);
      for (std::int64_t segment = 0; segment < segments; ++segment)
        parts[segment * workers + me] = sum_of(values + segment * length + mine.begin, mine.size());
    });
    sum_rows<T>(parts.data(), workers, sums, {0, segments});
  }

  Shape shape_;
};

}  // namespace boltzmark::segments
