#include "analysis/run/private_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "common/base/error.hpp"

namespace boltzmark {
namespace {

namespace fs = std::filesystem;

/// A program may have left folders that nothing can be deleted from.
void make_deletable(const fs::path& folder) {
  std::error_code error;
  fs::permissions(folder, fs::perms::owner_all, fs::perm_options::add | fs::perm_options::nofollow, error);
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (std::error_code ignored; fs::is_directory(fs::symlink_status(entry->path(), ignored)))
      make_deletable(entry->path());
}

}  // namespace

PrivateFolder::PrivateFolder() {
  std::string name = (fs::temp_directory_path() / "boltzmark-own-XXXXXX").string();
  if (!mkdtemp(name.data()))
    throw bad_input("{}: expected to create a folder, found: {}", name, std::strerror(errno));
  path_ = fs::canonical(name);
  fs::create_directory(work());
  fs::create_directory(home());
}

PrivateFolder::~PrivateFolder() {
  std::error_code error;
  fs::remove_all(path_, error);
  if (!error) return;
  make_deletable(path_);
  fs::remove_all(path_, error);
}

void copy_below(const fs::path& from, const fs::path& to, std::uint64_t most_bytes) {
  std::uint64_t bytes = 0;
  try {
    for (fs::recursive_directory_iterator entry(from), end; entry != end; ++entry) {
      const fs::path target = to / entry->path().lexically_relative(from);
      const auto status = entry->symlink_status();
      if (fs::is_symlink(status)) {
        fs::copy_symlink(entry->path(), target);
      } else if (fs::is_directory(status) && entry->path().filename() == ".git") {
        entry.disable_recursion_pending();
      } else if (fs::is_directory(status)) {
        fs::create_directory(target);
      } else if (fs::is_regular_file(status)) {
        bytes += entry->file_size();
        if (bytes > most_bytes)
          throw bad_input("{}: expected at most {} MB in all, found more", from.string(), most_bytes >> 20);
        fs::copy_file(entry->path(), target);
      }
    }
  } catch (const fs::filesystem_error& error) {
    throw bad_input("{}: expected a folder that can be copied, found: {}", from.string(), error.what());
  }
}

}  // namespace boltzmark
