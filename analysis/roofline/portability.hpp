// How well one code does on several devices: a figure that no single row can have.
#pragma once

#include <vector>

#include "analysis/roofline/figures.hpp"

namespace boltzmark {

/// Pennycook's performance portability of each right row: the harmonic mean, over devices, of the shares of their roofs
/// that the same model, variant and setting reach on the same case in the same precision. Of a device's rows (several
/// numbers of workers or steps) the fastest counts; devices whose roof is not known are left out. A processor is one
/// device, whatever a runtime calls it. Source: S. J. Pennycook, J. D. Sewall and V. W. Lee, "A metric for performance
/// portability", 2016.
void add_portability(std::vector<Row>& rows);

}  // namespace boltzmark
