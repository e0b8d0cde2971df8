// Arrays of workloads that compute sums, in this machine's memory: each page is first written by the worker that uses
// it.
#pragma once

#include <algorithm>
#include <limits>

#include "common/base/eighths.h"
#include "common/cpu/aligned.hpp"
#include "common/run/workers.hpp"

namespace boltzmark {

/// Writes the values eighths_at(i) / 8 for these numbers i.
template <class T>
void fill_eighths(const Workers& workers, T* values, Range numbers) {
  workers.run_on_pages(numbers.size(), sizeof(T), [&](Range on) {
    for (std::int64_t i = on.begin; i < on.end; ++i)
      values[i] = T(0.125) * static_cast<T>(eighths_at(static_cast<unsigned int>(numbers.begin + i)));
  });
}

/// An array of them.
template <class T>
AlignedArray<T> eighths(const Workers& workers, Range numbers) {
  AlignedArray<T> values(static_cast<std::size_t>(numbers.size()));
  fill_eighths(workers, values.data(), numbers);
  return values;
}

/// Overwrites an array with NaN, as Implementation::spoil().
template <class T>
void spoil_array(const Workers& workers, AlignedArray<T>& array) {
  workers.run_on_pages(static_cast<std::int64_t>(array.size()), sizeof(T), [&](Range on) {
    std::fill(array.data() + on.begin, array.data() + on.end, std::numeric_limits<T>::quiet_NaN());
  });
}

}  // namespace boltzmark
