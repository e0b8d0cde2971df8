#include "analysis/support/locations.hpp"

#include <cstdlib>

#include "common/base/text.hpp"
#include "common/cpu/processors.hpp"

namespace boltzmark {

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

fs::path plan_folder() { return data_path("analysis/plans"); }

int default_workers() {
  const char* const told = std::getenv("OMP_NUM_THREADS");
  const int threads = parse_number<int>(told ? told : "").value_or(0);
  return threads > 0 ? threads : usable_physical_cores();
}

}  // namespace boltzmark
