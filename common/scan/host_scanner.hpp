// Values and sums in this machine's memory: what the scanners of the CPU models have in common.
#pragma once

#include <algorithm>
#include <limits>

#include "common/base/eighths.h"
#include "common/cpu/aligned.hpp"
#include "common/cpu/range.hpp"
#include "common/run/on_host.hpp"
#include "common/scan/scanner.hpp"

namespace boltzmark::scan {

template <class T>
class HostScanner : public OnHost<Scanner> {
 public:
  void init(std::int64_t elements) override { make_arrays({0, elements}); }
  void spoil() override {
    this->on_workers([this](std::int64_t me, std::int64_t workers) {
      const Range on = range_of_pages(part_.size(), me, workers, sizeof(T));
      std::fill(sums_.data() + on.begin, sums_.data() + on.end, std::numeric_limits<T>::quiet_NaN());
    });
  }
  std::int64_t first() const override { return part_.begin; }
  std::int64_t part() const override { return part_.size(); }
  void read(std::int64_t at, std::span<double> sums) override {
    std::copy_n(sums_.data() + at, sums.size(), sums.begin());
  }

 protected:
  /// Elements `part` of all: values, and room for sums.
  void make_arrays(Range part) {
    part_ = part;
    values_ = AlignedArray<T>(static_cast<std::size_t>(part.size()));
    sums_ = AlignedArray<T>(values_.size());
    this->on_workers([this](std::int64_t me, std::int64_t workers) {
      const Range on = range_of_pages(part_.size(), me, workers, sizeof(T));
      for (std::int64_t i = on.begin; i < on.end; ++i)
        values_[i] = T(0.125) * static_cast<T>(eighths_at(static_cast<unsigned int>(part_.begin + i)));
    });
    spoil();
  }

  AlignedArray<T> values_, sums_;

 private:
  Range part_;
};

}  // namespace boltzmark::scan
