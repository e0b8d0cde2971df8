// Where the driver finds what belongs to it, what is there, and how many workers a model gets here.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "common/base/files.hpp"
#include "common/base/text.hpp"
#include "common/cpu/processors.hpp"

namespace boltzmark {

namespace fs = std::filesystem;

/// Whether this is there, as a file, as a folder, or as anything; not where it cannot be seen.
inline bool is_file(const fs::path& path, std::error_code ignored = {}) { return fs::is_regular_file(path, ignored); }
inline bool is_folder(const fs::path& path, std::error_code ignored = {}) { return fs::is_directory(path, ignored); }
inline bool is_there(const fs::path& path, std::error_code ignored = {}) { return fs::exists(path, ignored); }

/// The folder of the built-in plans.
inline fs::path plan_folder() { return data_path("analysis/plans"); }

/// Threads or ranks where the user names none: OMP_NUM_THREADS, else a core each.
inline int default_workers() {
  const char* const told = std::getenv("OMP_NUM_THREADS");
  const int threads = parse_number<int>(told ? told : "").value_or(0);
  return threads > 0 ? threads : usable_physical_cores();
}

}  // namespace boltzmark
