#include "common/device/kernel_cache.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <system_error>
#include <utility>

#include "common/base/digest.hpp"
#include "common/base/error.hpp"
#include "common/base/files.hpp"

namespace boltzmark::device {
namespace {

namespace fs = std::filesystem;

/// First line of a file; the next lines are the digest of the rest and the key's length, followed by key and binary.
constexpr std::string_view first_line = "boltzmark kernel 1\n";

std::string content_of(const std::string& key, std::string_view binary) {
  const std::string body = fmt::format("{}\n{}", key.size(), key) + std::string(binary);
  return fmt::format("{}{}\n{}", first_line, digest_of(body), body);
}

/// A regular file of sensible size that others cannot write to; "" for any other.
std::string text_of(const fs::path& path) {
  constexpr off_t most_bytes = off_t{256} << 20;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  if (file < 0) return "";
  std::string text;
  struct stat status {};
  // Only this user and root can have written it, because binaries in the cache run with this user's rights.
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= most_bytes &&
      (status.st_uid == geteuid() || status.st_uid == 0) && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0) {
    text.resize(static_cast<std::size_t>(status.st_size));
    std::size_t size = 0;
    for (ssize_t got = 1; got > 0 && size < text.size(); size += static_cast<std::size_t>(std::max<ssize_t>(got, 0)))
      got = read(file, text.data() + size, text.size() - size);
    text.resize(size);
  }
  close(file);
  return text;
}

}  // namespace

fs::path kernel_cache_folder() { return user_folder("XDG_CACHE_HOME", ".cache"); }

fs::path KernelCache::file_of(const std::string& key) const { return folder_ / ("kernel-" + digest_of(key) + ".bin"); }

std::optional<std::vector<unsigned char>> KernelCache::find(const std::string& key) const {
  if (folder_.empty()) return {};
  const std::string found = text_of(file_of(key));
  // The required start of the file except the digest; keys of equal length have heads of equal length.
  const std::size_t head = content_of(key, "").size();
  if (found.size() <= head) return {};
  const std::string_view binary = std::string_view(found).substr(head);
  if (found != content_of(key, binary)) return {};
  return std::vector<unsigned char>(binary.begin(), binary.end());
}

void KernelCache::drop_oldest() const {
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  std::error_code error;  // another process may do the same
  for (fs::directory_iterator entry(folder_, error), end; !error && entry != end; entry.increment(error)) {
    const auto name = entry->path().filename().string();
    if (!name.starts_with("kernel-") || !name.ends_with(".bin")) continue;
    std::error_code gone;
    const auto written = entry->last_write_time(gone);
    if (!gone) files.emplace_back(written, entry->path());
  }
  std::sort(files.begin(), files.end());
  for (std::size_t i = 0; i + most_files < files.size(); ++i) fs::remove(files[i].second, error);
}

bool KernelCache::can_store() const {
  if (folder_.empty()) return false;
  std::error_code error;
  fs::create_directories(folder_, error);
  return !error;
}

bool KernelCache::store(const std::string& key, const std::vector<unsigned char>& binary) const {
  if (binary.empty() || !can_store()) return false;
  std::error_code error;
  const fs::file_status status = fs::symlink_status(file_of(key), error);
  if (fs::exists(status) && !fs::is_regular_file(status)) return false;
  try {
    AtomicFile file(file_of(key));
    file.write(content_of(key, {reinterpret_cast<const char*>(binary.data()), binary.size()}));
    file.commit();
    fs::permissions(file_of(key), fs::perms::owner_read | fs::perms::owner_write);
    drop_oldest();
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace boltzmark::device
