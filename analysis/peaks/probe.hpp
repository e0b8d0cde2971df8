// A short look at the processor's roofs between the runs of a plan: the machine may have changed its speed.
#pragma once

#include <chrono>
#include <set>

#include "analysis/peaks/figures.hpp"
#include "analysis/support/process.hpp"

namespace boltzmark {

/// Names of some of the peaks' benchmarks: a copy in each level of memory and the fastest arithmetic in each of these
/// precisions, on all cores, and if asked for on one.
std::vector<std::string> probe_benchmarks(const Peaks& peaks, const std::set<std::string>& precisions, bool on_one);

/// Their results: the best confirmed rate of each.
Roofs roofs_in(const std::vector<Sample>& samples, const Peaks& peaks);

/// Runs them from time to time.
class Prober {
 public:
  /// Keeps its file in the folder of results. Without benchmarks it never measures anything.
  Prober(fs::path results, Peaks peaks, std::vector<std::string> benchmarks);

  /// The roofs, measured now if a round begins or some time has passed. Empty if they cannot be measured.
  const Roofs& now(bool is_new_round, SignalWatch& signals);

 private:
  void measure(SignalWatch& signals);

  fs::path results_;
  Peaks peaks_;
  std::vector<std::string> benchmarks_;
  std::chrono::steady_clock::time_point measured_;
  Roofs roofs_;
};

}  // namespace boltzmark
