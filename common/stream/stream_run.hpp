// `lbm-MODEL --stream`: times a model's five STREAM kernels, checks, prints and records them.
#pragma once

#include <string>

#include "common/model.hpp"
#include "common/options.hpp"

namespace boltzmark {

/// Executes the kernels one after the other, once untimed and then options.repeat times (20 unless given).
/// Returns the exit status. `command` is the command line, for the record.
int run_stream(const Backend& backend, Team& team, const Options& options, const std::string& command);

}  // namespace boltzmark
