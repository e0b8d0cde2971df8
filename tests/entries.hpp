// Entries of runs.jsonl, made up.
#pragma once

#include <string>
#include <vector>

#include "analysis/run/run_entry.hpp"

namespace boltzmark::testing {

/// A run of a 1000 x 100 problem of 10 steps, i.e. a million updates, with these compute seconds.
RunEntry entry(const std::string& model, const std::string& variant, int round, std::vector<double> seconds);

/// The same without a record.
RunEntry failed(const std::string& model, const std::string& variant, int round, RunStatus status);

}  // namespace boltzmark::testing
