// Entries of runs.jsonl, made up.
#pragma once

#include <string>
#include <vector>

#include "analysis/store/store.hpp"

namespace boltzmark::testing {

/// A run of a case "p" of 1000 x 100 cells and 10 steps, i.e. a million updates, with these compute seconds:
/// right, on two threads.
RunEntry entry(const std::string& model, const std::string& variant, int round, std::vector<double> seconds);

/// The same without a record.
RunEntry failed(const std::string& model, const std::string& variant, int round, RunStatus status);

/// A run whose parts, "copy" and "triad", move 80 and 120 MB in every one of these seconds.
RunEntry entry_of_parts(const std::string& model, int round, std::vector<double> seconds);

}  // namespace boltzmark::testing
