// What of the peaks is measured: all, or what can bound the runs of a plan.
#pragma once

#include <optional>
#include <string>

#include "analysis/support/commands.hpp"

namespace boltzmark {

/// What can bound a plan's runs, beside the processor.
struct PlanNeeds {
  std::string plan;
  bool opencl = false;   ///< launches on a processor's OpenCL device
  bool ranks = false;    ///< messages between these
  bool scaling = false;  ///< with numbers of them
};

/// `boltzmark peaks` once the plan's needs are known; none: everything is measured.
int measure_peaks(const PeaksOptions& options, std::optional<PlanNeeds> needs);

}  // namespace boltzmark
