// Values and sums of them in this machine's memory: what prefix and segmented sums of the CPU models have in common.
#pragma once

#include <algorithm>
#include <limits>
#include <span>

#include "common/base/eighths.h"
#include "common/cpu/aligned.hpp"
#include "common/cpu/range.hpp"
#include "common/run/on_host.hpp"

namespace boltzmark {

template <class Interface, class T>
class HostArrays : public OnHost<Interface> {
 public:
  void spoil() override {
    this->on_workers([this](std::int64_t me, std::int64_t workers) {
      const Range on = range_of_pages(mine_.size(), me, workers, sizeof(T));
      std::fill(sums_.data() + on.begin, sums_.data() + on.end, std::numeric_limits<T>::quiet_NaN());
    });
  }
  std::int64_t first() const override { return mine_.begin; }
  std::int64_t part() const override { return mine_.size(); }
  void read(std::int64_t at, std::span<double> sums) override {
    std::copy_n(sums_.data() + at, sums.size(), sums.begin());
  }

 protected:
  /// These elements of all, and room for these sums.
  void make_arrays(Range elements, Range sums) {
    mine_ = sums;
    values_ = AlignedArray<T>(static_cast<std::size_t>(elements.size()));
    sums_ = AlignedArray<T>(static_cast<std::size_t>(sums.size()));
    this->on_workers([this, elements](std::int64_t me, std::int64_t workers) {
      const Range on = range_of_pages(elements.size(), me, workers, sizeof(T));
      for (std::int64_t i = on.begin; i < on.end; ++i)
        values_[i] = T(0.125) * static_cast<T>(eighths_at(static_cast<unsigned int>(elements.begin + i)));
    });
    HostArrays::spoil();
  }

  Range mine_;  ///< sums
  AlignedArray<T> values_, sums_;
};

}  // namespace boltzmark
