// The rows as the user of a terminal reads them: a table for every case, and what is to be said of it.
#pragma once

#include <string>
#include <vector>

#include "analysis/roofline/figures.hpp"

namespace boltzmark {

/// Without what a tuner tried. No line is wider than `width`, from 80 on, but one of a single longer word.
std::string comparison_text(const std::vector<Row>& rows, int width);

/// Columns for tables on standard output: what COLUMNS or the terminal says, within 80 and 120.
int table_width();

}  // namespace boltzmark
