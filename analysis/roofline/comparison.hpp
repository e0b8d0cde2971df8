// Rows set against one another: speed-ups, scaling, the best of a model, portability, what holds a model back.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/roofline/figures.hpp"

namespace boltzmark {

/// Rows of one case can be set side by side: equal where workload, case, steps, precision and part are.
std::string case_of(const Row& row);

/// At the median.
double updates_per_second(const Row& row);

/// Fills in everything that a row has only among others.
void compare_rows(std::vector<Row>& rows);

/// Median seconds of one worker for the same variant of the same case: of its own model, or of the baseline.
std::optional<double> one_worker_seconds(const Row& row, const std::vector<Row>& rows);

/// Pennycook's performance portability of each right row: the harmonic mean, over devices, of the shares of their roofs
/// that the same model, variant and setting reach on the same case in the same precision. Of a device's rows (several
/// numbers of workers or steps) the fastest counts; devices whose roof is not known are left out. A processor is one
/// device, whatever a runtime calls it. Source: S. J. Pennycook, J. D. Sewall and V. W. Lee, "A metric for performance
/// portability", 2016.
void add_portability(std::vector<Row>& rows);

/// Fills in Row::of_openmp of the fastest row of each model on a processor, and Row::behind_openmp where that is less
/// than nine tenths. To be called when rows have all else; `peaks` may be nullptr.
void add_shortfalls(std::vector<Row>& rows, const Peaks* peaks);

}  // namespace boltzmark
