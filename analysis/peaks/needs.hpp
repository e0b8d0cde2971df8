// The peaks to measure: all, or those that can bound the runs of a plan.
#pragma once

#include <optional>
#include <string>

#include "analysis/support/commands.hpp"

namespace boltzmark {

/// Limits of a plan's runs, besides the processor.
struct PlanNeeds {
  std::string plan;
  bool opencl = false;   ///< launches on a processor's OpenCL device
  bool ranks = false;    ///< messages between these
  bool scaling = false;  ///< with numbers of them
};

/// `boltzmark peaks` with the known needs of a plan; empty: everything is measured.
int measure_peaks(const PeaksOptions& options, std::optional<PlanNeeds> needs);

}  // namespace boltzmark
