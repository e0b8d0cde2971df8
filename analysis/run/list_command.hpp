// `boltzmark list`: what there is here.
#pragma once

#include <string>

namespace boltzmark {

/// Prints the programs with their variants and devices, those that were not built and why, and the plans.
/// Returns the exit status.
int list_command();

}  // namespace boltzmark
