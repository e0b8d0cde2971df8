// Where the driver finds what belongs to it, and how many workers a model gets here.
#pragma once

#include <filesystem>

#include "common/base/files.hpp"

namespace boltzmark {

namespace fs = std::filesystem;

/// Whether this is there, as a file, as a folder, or as anything; not where it cannot be seen.
bool is_file(const fs::path& path);
bool is_folder(const fs::path& path);
bool is_there(const fs::path& path);

/// The folder of the built-in plans.
fs::path plan_folder();

/// Threads or ranks where the user names none: OMP_NUM_THREADS, else a core each.
int default_workers();

}  // namespace boltzmark
