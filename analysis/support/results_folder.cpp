#include "analysis/support/results_folder.hpp"

#include <fmt/chrono.h>

#include <algorithm>
#include <ctime>

#include "common/base/error.hpp"

namespace boltzmark {

namespace fs = std::filesystem;

namespace {

fs::path lock_in(const fs::path& folder) {
  prepare_folder(folder);
  return folder / "lock";
}

}  // namespace

FolderLock::FolderLock(const fs::path& folder) : lock_(lock_in(folder), FileLock::IfTaken::give_up) {
  if (!lock_.is_held())
    throw bad_input("{}: expected a folder for this call alone, found another boltzmark at work in it",
                    folder.string());
}

fs::path move_aside(const fs::path& results, const std::vector<std::string>& names) {
  if (std::none_of(names.begin(), names.end(), [&](const auto& name) { return fs::exists(results / name); }))
    return {};
  const std::string date = fmt::format("old-{:%Y-%m-%dT%H%M%SZ}", fmt::gmtime(std::time(nullptr)));
  fs::path target = results / date;
  for (int n = 2; fs::exists(target); ++n) target = results / fmt::format("{}-{}", date, n);
  for (const auto& name : names)
    if (fs::exists(results / name)) {
      prepare_folder((target / name).parent_path());
      fs::rename(results / name, target / name);
    }
  return target;
}

}  // namespace boltzmark
