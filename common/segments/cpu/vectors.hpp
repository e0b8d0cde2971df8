// Segmented sums in vectors on several workers, for the fastest variants of the CPU models.
#pragma once

#include <vector>

#include "common/cpu/vector_sum.hpp"
#include "common/segments/reducer.hpp"

namespace boltzmark::segments {

/// Each worker sums its own segments, or, if there are few, a part of every segment. each_worker(work) calls work(me)
/// on all workers.
template <class T, class EachWorker>
void sum_in_vectors(const T* values, Shape shape, T* sums, std::int64_t workers, const EachWorker& each_worker) {
  constexpr std::int64_t few = 8;  // segments per worker below which the shares are uneven
  const std::int64_t segments = shape.segments, length = shape.length;
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

}  // namespace boltzmark::segments
