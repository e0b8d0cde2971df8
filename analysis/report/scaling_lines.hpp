// Runs that differ in the number of their workers only: what scaling is read from.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/run/comparison.hpp"

namespace boltzmark {

/// One model, variant and setting.
struct ScalingLine {
  std::string model, variant;  ///< the variant with its setting
  /// The fastest right row for each number of workers (threads or ranks), at least two of them. The rows are
  /// the comparison's.
  std::map<int, const ComparisonRow*> points;

  /// "ranks" or "threads".
  const char* unit() const;
  /// The rate of a point over that of as many workers as fast as those of the first point.
  double efficiency(int workers) const;
};

/// Lines that can be set side by side.
struct ScalingGroup {
  bool is_weak = false;  ///< the grid's rows grow with the workers; else all have the same grid
  std::string problem;   ///< weak: with the grid of one worker
  std::string precision;
  int steps = 0;
  std::vector<ScalingLine> lines;
};

/// Strong: runs of one problem. Weak: runs on grids of one width that have the same number of rows for each
/// worker. Two points make a line; runs with both threads and ranks are in none.
std::vector<ScalingGroup> scaling_groups(const Comparison& comparison);

}  // namespace boltzmark
