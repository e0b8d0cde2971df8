// The record of a STREAM run: one JSON object. RECORD.md describes its fields.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/model.hpp"
#include "common/provenance.hpp"

namespace boltzmark {

/// What came of one kernel: seconds of each timed execution in order, and the deviation of its result.
struct StreamTimes {
  std::vector<double> seconds;
  double error = 0.0;  ///< relative, the largest; infinite when something is no number

  double least() const;
  double median_seconds() const;
  double most() const;
};

/// Everything the record and the printed table are made of.
struct StreamOutcome {
  const Backend& backend;
  const Options& options;
  StreamFacts facts = {};
  StreamMemory memory = {};
  std::int64_t elements = 0;
  int warm_up_runs = 0;
  std::array<StreamTimes, stream_kernels.size()> kernels = {};
  Provenance provenance = {};
  std::string command = {};

  int value_bytes() const { return bytes_of(options.precision); }
  double tolerance() const { return stream_tolerance(options.precision); }
  bool passed(const StreamTimes& kernel) const { return kernel.error <= tolerance(); }
  bool passed() const;
  /// Bytes that STREAM counts for a kernel, in 1e9 a second.
  double gb_per_s(std::size_t kernel, double seconds) const;
  /// Bytes that the hardware moves.
  std::int64_t bytes_moved(std::size_t kernel) const;
};

nlohmann::json make_stream_record(const StreamOutcome& result);

}  // namespace boltzmark
