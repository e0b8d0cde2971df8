// A results folder: one driver at a time, and nothing in it is ever deleted.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/base/files.hpp"

namespace boltzmark {

/// While one lives, no other driver can be at work in the folder.
class FolderLock {
 public:
  /// Creates the folder where it is missing. Throws Error (bad_input) when it is in use or cannot be written.
  explicit FolderLock(const std::filesystem::path& folder);

 private:
  FileLock lock_;
};

/// Moves those of these files and folders (named from the results folder on) that are there into a new folder
/// old-DATE of the results folder. Returns that folder, or "" when none was there.
std::filesystem::path move_aside(const std::filesystem::path& results, const std::vector<std::string>& names);

}  // namespace boltzmark
