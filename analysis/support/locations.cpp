#include "analysis/support/locations.hpp"

namespace boltzmark {

namespace fs = std::filesystem;

namespace {

/// What the build knows from the folder of its programs on.
fs::path in_sources(const char* path) {
  return from_here(fs::absolute(program_folder() / path).lexically_normal());
}

}  // namespace

fs::path program_folder() { return from_here(fs::canonical("/proc/self/exe").parent_path()); }

fs::path plan_folder() { return in_sources(BOLTZMARK_PLANS); }

fs::path published_file() { return in_sources(BOLTZMARK_PUBLISHED); }

fs::path from_here(const fs::path& path) {
  const fs::path relative = path.lexically_relative(fs::current_path());
  return relative.empty() || relative.begin()->string() == ".." ? path : relative;
}

}  // namespace boltzmark
