// Rows as the user of a terminal reads them: a table for every case with its notes, and the words for one row.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "analysis/roofline/rows.hpp"

namespace boltzmark {

/// How often the intervals of these rows have what they are of, by rounds; "" where none has several.
std::string interval_words(const std::vector<Row>& rows);

/// Intervals, devices, machine and builds of all rows, a line each.
std::string footer(const std::vector<Row>& rows, int width);

/// A table for every case with its notes, without what a tuner tried. No line is wider than `width`, from 80 on, but
/// one of a single longer word.
std::string comparison_text(const std::vector<Row>& rows, int width);

/// Variant and setting: "fused 32x4"; of a part its name behind them.
std::string variant_words(const Row& row);
/// Ranks by threads, "2x4"; "-" where the device decides; "2 ranks" of a run that never said how many threads it has.
std::string workers_words(const Row& row);
/// "openmp fused 32x4 2x4": model, the words above and the workers where they are known.
std::string program_words(const Row& row);
/// The processor, or the device.
std::string device_of(const Row& row);
/// "openmp fused: timeout (round 2): because".
std::string status_words(const Row& row);
/// "Intel Xeon 8259CL": a device's name without what says nothing.
std::string plain_device(std::string name);

/// The distinct values, each with the models that it holds for where there are several.
std::string by_model(const std::vector<std::pair<std::string, std::string>>& model_and_value);

}  // namespace boltzmark
