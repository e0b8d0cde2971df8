// The peaks as a table: a row for every figure.
#pragma once

#include <string>
#include <vector>

#include "analysis/roofline/peaks.hpp"

namespace boltzmark {

struct PeakRow {
  std::string of, type;  ///< "processor" or the device's name; "cpu", "gpu", "accelerator"
  std::string kind;      ///< "bandwidth", "compute", "launch", ...
  std::string level, pattern, precision;
  std::optional<bool> fma;
  std::optional<int> vector_bits, cores;
  bool is_roof = false;  ///< drawn in a roofline chart
  std::optional<Spread> value;
  std::string unit;
  std::optional<std::int64_t> from_bytes, to_bytes;
  std::optional<double> clock_ghz, expected_gflop_per_s;
  std::string text;
  const Peaks* peaks = nullptr;  ///< that it is out of
};

/// `peaks` must outlive the rows.
std::vector<PeakRow> make_peak_rows(const Peaks& peaks);

}  // namespace boltzmark
