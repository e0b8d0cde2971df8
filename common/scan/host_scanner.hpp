// Values and sums in this machine's memory: what the scanners of the CPU models have in common.
#pragma once

#include "common/run/host_arrays.hpp"
#include "common/scan/scanner.hpp"

namespace boltzmark::scan {

template <class T>
class HostScanner : public HostArrays<Scanner, T> {
 public:
  void init(std::int64_t elements) override { make_arrays({0, elements}); }

 protected:
  /// Elements `part` of all.
  void make_arrays(Range part) { HostArrays<Scanner, T>::make_arrays(part, part); }
};

}  // namespace boltzmark::scan
