#include "analysis/support/results_folder.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>

#include "common/base/error.hpp"
#include "common/base/files.hpp"

namespace boltzmark {

namespace fs = std::filesystem;

FolderLock::FolderLock(const fs::path& folder) {
  prepare_folder(folder);
  const fs::path file = folder / "lock";
  file_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0)
    throw bad_input("{}: expected to create this file, found: {}", file.string(), std::strerror(errno));
  if (flock(file_, LOCK_EX | LOCK_NB) == 0) return;
  const int error = errno;
  close(file_);
  if (error == EWOULDBLOCK)
    throw bad_input("{}: expected a results folder for this run alone, found another boltzmark at work in it",
                    folder.string());
  throw bad_input("{}: expected to lock this file, found: {}", file.string(), std::strerror(error));
}

FolderLock::~FolderLock() { close(file_); }

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
