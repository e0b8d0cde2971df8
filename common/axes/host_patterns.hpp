// The arrays of access patterns in this machine's memory: what the CPU models share.
#pragma once

#include <algorithm>
#include <limits>

#include "common/axes/patterns.hpp"
#include "common/axes/vectors.hpp"
#include "common/base/eighths.h"
#include "common/cpu/aligned.hpp"
#include "common/run/on_host.hpp"

namespace boltzmark::axes {

template <class T>
class HostPatterns : public OnHost<Patterns> {
 public:
  void init(std::int64_t n) override { make_arrays(n, {0, n}); }
  void spoil() override {
    this->on_workers([this](std::int64_t me, std::int64_t workers) {
      for (auto* array : {&filled_, &sums_}) {
        const Range on = range_of_pages(static_cast<std::int64_t>(array->size()), me, workers, sizeof(T));
        std::fill(array->data() + on.begin, array->data() + on.end, std::numeric_limits<T>::quiet_NaN());
      }
    });
  }
  void run(Pass pass) override {
    if (pass == Pass::fill) return fill();
    add_up(strides_of(pass, n_));
  }
  void read(Pass pass, std::int64_t at, std::span<double> values) override {
    std::copy_n((pass == Pass::fill ? filled_ : sums_).data() + at, values.size(), values.begin());
  }
  RunFacts facts() const override { return this->on_machine({.grids = 1}); }

 protected:
  virtual void fill() = 0;
  virtual void add_up(const Strides& strides) = 0;

  /// Those of the outermost axis.
  void make_arrays(std::int64_t n, Range planes) {
    n_ = n;
    const std::int64_t first = planes.begin * n * n * n;
    values_ = AlignedArray<T>(static_cast<std::size_t>(planes.size() * n * n * n));
    filled_ = AlignedArray<T>(values_.size());
    sums_ = AlignedArray<T>(static_cast<std::size_t>(n * n * n));
    this->on_workers([this, first](std::int64_t me, std::int64_t workers) {
      const Range on = range_of_pages(elements(), me, workers, sizeof(T));
      for (std::int64_t i = on.begin; i < on.end; ++i)
        values_[i] = T(0.125) * static_cast<T>(eighths_at(static_cast<unsigned int>(first + i)));
    });
    HostPatterns::spoil();
  }
  std::int64_t elements() const { return static_cast<std::int64_t>(values_.size()); }

  std::int64_t n_ = 0;
  AlignedArray<T> values_, filled_, sums_;
};

}  // namespace boltzmark::axes
