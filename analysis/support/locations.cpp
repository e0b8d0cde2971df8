#include "analysis/support/locations.hpp"

#include <algorithm>
#include <cstdlib>

#include "common/base/text.hpp"
#include "common/cpu/processors.hpp"

namespace boltzmark {
fs::path program_folder() { return from_here(fs::canonical("/proc/self/exe").parent_path()); }

fs::path analysis_folder() { return from_here(fs::absolute(program_folder() / BOLTZMARK_ANALYSIS).lexically_normal()); }

fs::path plan_folder() { return analysis_folder() / "plans"; }

fs::path from_here(const fs::path& path) {
  const fs::path relative = path.lexically_relative(fs::current_path());
  return relative.empty() || relative.begin()->string() == ".." ? path : relative;
}

std::vector<std::string> names_between(const fs::path& folder, const std::string& prefix, const std::string& ending) {
  std::vector<std::string> names;
  std::error_code error, ignored;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(prefix) && name.ends_with(ending) && entry->is_regular_file(ignored))
      names.push_back(name.substr(prefix.size(), name.size() - prefix.size() - ending.size()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

int default_workers() {
  const char* const told = std::getenv("OMP_NUM_THREADS");
  const int threads = parse_number<int>(told ? told : "").value_or(0);
  return threads > 0 ? threads : usable_physical_cores();
}

}  // namespace boltzmark
