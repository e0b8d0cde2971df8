// A speed-up split into what it is made of.
#pragma once

#include <vector>

#include "analysis/roofline/rows.hpp"
#include "analysis/roofline/tables.hpp"

namespace boltzmark {

/// A line per problem with a serial textbook and model on a processor: flags x layout and fusion x blocking x cores (Factors).
TableData factor_table(const std::vector<Row>& rows);

}  // namespace boltzmark
