#include "analysis/support/locations.hpp"

namespace boltzmark {

namespace fs = std::filesystem;

fs::path program_folder() { return from_here(fs::canonical("/proc/self/exe").parent_path()); }

fs::path analysis_folder() {
  return from_here(fs::absolute(program_folder() / BOLTZMARK_ANALYSIS).lexically_normal());
}

fs::path plan_folder() { return analysis_folder() / "plans"; }

fs::path from_here(const fs::path& path) {
  const fs::path relative = path.lexically_relative(fs::current_path());
  return relative.empty() || relative.begin()->string() == ".." ? path : relative;
}

}  // namespace boltzmark
