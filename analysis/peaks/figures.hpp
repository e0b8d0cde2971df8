// From the benchmarks of the measuring programs to peaks: plateaus, FLOP rates and what the clock allows, and a line
// for each thing that could not be measured; and peaks as text.
#pragma once

#include <vector>

#include "analysis/peaks/samples.hpp"
#include "analysis/roofline/peaks.hpp"

namespace boltzmark {

/// Fills in the processor's bandwidths, FLOP rates, notes and the sweep; its cores and caches are there
/// already. Throws Error (bad_input) for a benchmark whose name is not complete.
void add_processor_figures(const std::vector<Sample>& samples, Peaks& peaks);

/// Fills in the figures and notes of the devices, which are there already in the order of their numbers.
/// Throws as above, and for a number that no device has.
void add_device_figures(const std::vector<Sample>& samples, Peaks& peaks);

/// Tables of the processor's and each device's figures for a terminal, each as median and, in brackets, smallest and
/// largest repetition; what could not be measured in a line each.
std::string peaks_text(const Peaks& peaks, int width);

/// Vector instructions that a core starts in a cycle when nothing holds it up: the measured number rounded to
/// a whole one, or a half when it is below three quarters.
double units_from(double instructions_per_cycle);

}  // namespace boltzmark
