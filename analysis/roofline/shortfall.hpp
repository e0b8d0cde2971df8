// What holds a model back that falls short of OpenMP on the same processor.
#pragma once

#include <vector>

#include "analysis/roofline/figures.hpp"

namespace boltzmark {

/// Fills in Row::of_openmp of the fastest row of each model on a processor, and Row::behind_openmp where that is less than
/// nine tenths. To be called when rows have all else; `peaks` may be nullptr.
void add_shortfalls(std::vector<Row>& rows, const Peaks* peaks);

}  // namespace boltzmark
