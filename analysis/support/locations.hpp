// Where the driver finds what belongs to it, and how many workers a model gets here.
#pragma once

#include <filesystem>

#include "common/base/files.hpp"

namespace boltzmark {

namespace fs = std::filesystem;

/// The folder of the built-in plans.
fs::path plan_folder();

/// Threads or ranks where the user names none: OMP_NUM_THREADS, else a core each.
int default_workers();

}  // namespace boltzmark
