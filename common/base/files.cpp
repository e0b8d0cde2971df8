#include "common/base/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

#include "common/base/error.hpp"
#include "common/base/text.hpp"

namespace boltzmark {

namespace fs = std::filesystem;

namespace {

std::string this_host() {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  return host;
}

/// ".NAME.HOST-PID.tmp": no two processes that write to a shared disk have the same.
std::string temporary_name(const fs::path& target) {
  return fmt::format(".{}.{}-{}.tmp", target.filename().string(), this_host(), getpid());
}

/// Whether an open regular file ends in something else than a line.
bool ends_in_half_a_line(int descriptor, const struct stat& status) {
  char last = '\n';
  return S_ISREG(status.st_mode) && status.st_size > 0 &&
         pread(descriptor, &last, 1, status.st_size - 1) == 1 && last != '\n';
}

}  // namespace

AtomicFile::AtomicFile(fs::path target) : target_(std::move(target)) {
  temporary_ = target_.parent_path() / temporary_name(target_);
  stream_ = std::fopen(temporary_.c_str(), "wb");
  if (!stream_) fail("create");
}

AtomicFile::~AtomicFile() {
  if (stream_) std::fclose(stream_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void AtomicFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stream_) != text.size()) fail("write");
}

void AtomicFile::finish() {
  if (!stream_) return;
  // Some file systems only say at fsync or close that there was no room.
  if (std::fflush(stream_) != 0 || (fsync(fileno(stream_)) != 0 && errno != EINVAL)) fail("write");
  if (std::fclose(std::exchange(stream_, nullptr)) != 0) fail("write");
}

void AtomicFile::commit() {
  finish();
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail("rename the finished file to");
  temporary_.clear();
}

void AtomicFile::fail(const char* doing) {
  throw bad_input("{}: expected to {} this file, found: {}", target_.string(), doing, std::strerror(errno));
}

void remove_leftovers(const fs::path& folder) {
  const std::string ending = ".tmp", of_host = '.' + this_host() + '-';
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::string name = entry->path().filename().string();
    if (!name.starts_with('.') || !name.ends_with(ending)) continue;
    name.resize(name.size() - ending.size());
    const auto at = name.rfind(of_host);
    const auto pid = at == name.npos
                         ? std::nullopt
                         : parse_number<pid_t>(std::string_view(name).substr(at + of_host.size()));
    if (pid && *pid > 0 && kill(*pid, 0) != 0 && errno == ESRCH) unlink(entry->path().c_str());
  }
}

FileLock::FileLock(const fs::path& file, IfTaken if_taken) {
  file_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0)
    throw bad_input("{}: expected to create this file, found: {}", file.string(), std::strerror(errno));
  const int how = if_taken == IfTaken::wait ? LOCK_EX : LOCK_EX | LOCK_NB;
  int result = 0;
  while ((result = flock(file_, how)) != 0 && errno == EINTR) continue;
  if (result == 0) return;
  const int error = errno;
  close(std::exchange(file_, -1));
  if (error != EWOULDBLOCK)
    throw bad_input("{}: expected to lock this file, found: {}", file.string(), std::strerror(error));
}

FileLock::~FileLock() {
  if (file_ >= 0) close(file_);
}

void prepare_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder))
    throw bad_input("{}: expected a folder to write to, found {}", folder.string(),
                    error ? error.message() : "something else");
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    throw bad_input("{}: expected a folder to write to, found: {}", folder.string(), std::strerror(errno));
}

void expect_writable(const fs::path& file) {
  std::error_code error;
  if (fs::is_directory(file, error))
    throw bad_input("{}: expected a file to write to, found a folder", file.string());
  const bool is_there = fs::exists(file, error);
  const fs::path folder = file.has_parent_path() ? file.parent_path() : ".";
  if (access(is_there ? file.c_str() : folder.c_str(), is_there ? W_OK : W_OK | X_OK) != 0)
    throw bad_input("{}: expected a file to write to, found: {}", file.string(), std::strerror(errno));
}

void append_line(const fs::path& file, const std::string& line) {
  const auto fail = [&file](int error) {
    return bad_input("{}: expected to append to this file, found: {}", file.string(), std::strerror(error));
  };
  int descriptor = open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  // Some files can only be written to; their last byte stays unknown.
  if (descriptor < 0) descriptor = open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (descriptor < 0) throw fail(errno);
  struct stat before {};
  const bool regular = fstat(descriptor, &before) == 0 && S_ISREG(before.st_mode);
  const std::string text = (ends_in_half_a_line(descriptor, before) ? "\n" : "") + line + '\n';
  const ssize_t written = ::write(descriptor, text.data(), text.size());
  int error = written < 0 ? errno : ENOSPC;
  const bool whole = written == static_cast<ssize_t>(text.size());
  if (!whole && written > 0 && regular && ftruncate(descriptor, before.st_size) != 0) error = errno;
  if (close(descriptor) != 0 || !whole) throw fail(error);
}

}  // namespace boltzmark
