// The matrix workload x model on a terminal: of every model its fastest run's share of the best there and of its roof.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/roofline/rows.hpp"

namespace boltzmark {

/// A row per workload with each model's smallest share of all its problems; or where these are at most `most_rows`, a
/// row per problem with its fastest run. Below it each wrong or failed run, what could not run here by its causes, for
/// which facts models are behind, and how many figures have remarks.
std::string matrix_text(const std::vector<Row>& rows, int width, std::size_t most_rows);

}  // namespace boltzmark
