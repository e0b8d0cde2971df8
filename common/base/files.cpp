#include "common/base/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
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

/// ".NAME.HOST-PID.tmp": unique among processes that write to a shared disk.
std::string temporary_name(const fs::path& target) {
  return fmt::format(".{}.{}-{}.tmp", target.filename().string(), this_host(), getpid());
}

/// Target of a file's content: links are followed. Devices, FIFOs and files that are open under a name in /proc, such
/// as /dev/stdout, are written to directly and never replaced.
struct Destination {
  fs::path path;
  bool is_direct = false;
};

Destination destination_of(const fs::path& target) {
  constexpr int most_links = 40;
  std::error_code error;
  if (fs::is_other(target, error)) return {target, true};
  fs::path path = target;
  for (int links = 0; links < most_links; ++links) {
    if (fs::weakly_canonical(fs::absolute(path).parent_path(), error).string().starts_with("/proc/"))
      return {target, true};
    if (!fs::is_symlink(path, error)) return {path, false};
    path = path.parent_path() / fs::read_symlink(path, error);
  }
  return {target, true};  // which cannot be opened
}

/// Opens a new file: never follows a link of that name, and replaces a leftover file.
int create_new(const fs::path& file) {
  for (const bool again : {true, false}) {
    const int descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST || !again || unlink(file.c_str()) != 0) return descriptor;
  }
  return -1;
}

/// Opens a device or FIFO without waiting for a FIFO's reader, which may never appear.
int open_direct(const fs::path& file) {
  const int descriptor = open(file.c_str(), O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor >= 0) fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
  return descriptor;
}

/// Whether an open regular file ends in an incomplete line.
bool ends_in_half_a_line(int descriptor, const struct stat& status) {
  char last = '\n';
  return S_ISREG(status.st_mode) && status.st_size > 0 && pread(descriptor, &last, 1, status.st_size - 1) == 1 &&
         last != '\n';
}

}  // namespace

AtomicFile::AtomicFile(fs::path target) : target_(std::move(target)) {
  auto [path, is_direct] = destination_of(target_);
  if (!is_direct) {
    final_ = std::move(path);
    temporary_ = final_.parent_path() / temporary_name(final_);
  }
  const int descriptor = is_direct ? open_direct(path) : create_new(temporary_);
  if (descriptor < 0) temporary_.clear();
  if (descriptor < 0 || !(stream_ = fdopen(descriptor, "wb"))) fail(is_direct ? "open" : "create");
}

AtomicFile::~AtomicFile() {
  if (stream_) std::fclose(stream_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void AtomicFile::write(std::string_view text) {
  if (text.empty()) return;  // whose data may be no address
  if (std::fwrite(text.data(), 1, text.size(), stream_) != text.size()) fail("write");
}

void AtomicFile::finish() {
  if (!stream_) return;
  // Some file systems report a full disk only at fsync or close.
  if (std::fflush(stream_) != 0 || (fsync(fileno(stream_)) != 0 && errno != EINVAL && errno != ENOTSUP)) fail("write");
  if (std::fclose(std::exchange(stream_, nullptr)) != 0) fail("write");
}

void AtomicFile::commit() {
  finish();
  if (temporary_.empty()) return;  // written in place
  if (std::rename(temporary_.c_str(), final_.c_str()) != 0) fail("rename the finished file to");
  temporary_.clear();
}

void AtomicFile::fail(const char* doing) {
  throw bad_input("{}: expected to {} this file, found: {}", target_.string(), doing, std::strerror(errno));
}

void write_whole(const fs::path& target, std::string_view text) {
  AtomicFile file(target);
  file.write(text);
  file.commit();
}

void remove_leftovers(const fs::path& folder) {
  const std::string ending = ".tmp", of_host = '.' + this_host() + '-';
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::string name = entry->path().filename().string();
    if (!name.starts_with('.') || !name.ends_with(ending)) continue;
    name.resize(name.size() - ending.size());
    const auto at = name.rfind(of_host);
    const auto pid =
        at == name.npos ? std::nullopt : parse_number<pid_t>(std::string_view(name).substr(at + of_host.size()));
    if (pid && *pid > 0 && kill(*pid, 0) != 0 && errno == ESRCH) unlink(entry->path().c_str());
  }
}

FileLock::FileLock(const fs::path& file, IfTaken if_taken) {
  file_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) throw bad_input("{}: expected to create this file, found: {}", file.string(), std::strerror(errno));
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
  if (fs::is_directory(file, error)) throw bad_input("{}: expected a file to write to, found a folder", file.string());
  const auto [path, is_direct] = destination_of(file);
  const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const bool is_closed = access(path.c_str(), W_OK) != 0 && errno != ENOENT;
  if (is_closed || (!is_direct && access(folder.c_str(), W_OK | X_OK) != 0))
    throw bad_input("{}: expected a file to write to, found: {}", file.string(), std::strerror(errno));
}

void expect_regular(const fs::path& file, const std::string& expected) {
  std::error_code error;
  const fs::file_status found = fs::status(file, error);
  if (!fs::exists(found) || fs::is_regular_file(found)) return;
  throw bad_input("{}: expected {}, found {}", file.string(), expected,
                  fs::is_directory(found) ? "a folder" : (fs::is_fifo(found) ? "a pipe" : "a device"));
}

std::string read_regular(const fs::path& file, const std::string& expected, std::size_t most_bytes) {
  expect_regular(file, expected);
  std::ifstream in(file, std::ios::binary);
  std::error_code error;
  if (!in)
    throw bad_input("{}: expected {}, found {}", file.string(), expected,
                    fs::exists(file, error) ? "one that cannot be read" : "no such file");
  std::string text;
  for (char piece[1 << 16]; in.read(piece, sizeof piece), in.gcount() > 0;) {
    text.append(piece, static_cast<std::size_t>(in.gcount()));
    if (text.size() > most_bytes)
      throw bad_input("{}: expected {} of at most {} MiB, found more", file.string(), expected, most_bytes >> 20);
  }
  return text;
}

void append_line(const fs::path& file, const std::string& line) {
  const auto fail = [&file](int error) {
    return bad_input("{}: expected to append to this file, found: {}", file.string(), std::strerror(error));
  };
  const bool is_direct = destination_of(file).is_direct;
  int descriptor = is_direct ? open_direct(file) : open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  // Some files can only be written to; their last byte stays unknown.
  if (descriptor < 0 && !is_direct) descriptor = open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
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

// The link alone: a build may have replaced the file since this process started.
fs::path program_folder() { return from_here(fs::read_symlink("/proc/self/exe").parent_path()); }

fs::path user_folder(const char* variable, const char* usual) {
  const char *const named = std::getenv(variable), *const home = std::getenv("HOME");
  if (named && fs::path(named).is_absolute()) return fs::path(named) / "boltzmark";
  return home && *home ? fs::path(home) / usual / "boltzmark" : fs::path();
}

fs::path data_path(const std::string& name, const fs::path& programs) {
  return from_here(fs::weakly_canonical(fs::absolute(programs).lexically_normal() / "../share/boltzmark" / name));
}

fs::path from_here(const fs::path& path) {
  const fs::path relative = path.lexically_relative(fs::current_path());
  return relative.empty() || relative.begin()->string() == ".." ? path : relative;
}

std::string first_line_of(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
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

}  // namespace boltzmark
