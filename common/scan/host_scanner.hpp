// Values and sums in this machine's memory: what the scanners of the CPU models have in common.
#pragma once

#include <algorithm>

#include "common/base/eighths.h"
#include "common/cpu/aligned.hpp"
#include "common/cpu/range.hpp"
#include "common/scan/scanner.hpp"

namespace boltzmark::scan {

template <class T>
class HostScanner : public Scanner {
 public:
  std::int64_t first() const override { return part_.begin; }
  std::int64_t part() const override { return part_.size(); }
  void read(std::int64_t at, std::span<double> sums) override {
    std::copy_n(sums_.data() + at, sums.size(), sums.begin());
  }

 protected:
  /// Memory that nobody has touched, for elements `part` of all.
  void make_arrays(Range part) {
    part_ = part;
    values_ = AlignedArray<T>(static_cast<std::size_t>(part.size()));
    sums_ = AlignedArray<T>(values_.size());
  }
  /// Fills values, and sums with a sentinel that no sum can have.
  void fill(Range on) {
    for (std::int64_t i = on.begin; i < on.end; ++i) {
      values_[i] = T(0.125) * static_cast<T>(eighths_at(static_cast<unsigned int>(part_.begin + i)));
      sums_[i] = T(0.0625);
    }
  }

  AlignedArray<T> values_, sums_;

 private:
  Range part_;
};

}  // namespace boltzmark::scan
