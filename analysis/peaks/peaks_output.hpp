// Peaks as text for a terminal.
#pragma once

#include <string>

#include "analysis/roofline/peaks.hpp"

namespace boltzmark {

/// Tables of the processor's and each device's figures, each as median and, in brackets, smallest and largest
/// repetition; what could not be measured in a line each.
std::string peaks_text(const Peaks& peaks, int width);

}  // namespace boltzmark
