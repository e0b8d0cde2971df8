#include "analysis/support/isolation.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "analysis/support/process.hpp"

namespace boltzmark {
namespace {

namespace fs = std::filesystem;

std::string why(const char* what) { return fmt::format("{}: {}", what, std::strerror(errno)); }

bool write_line(const char* file, const std::string& line) {
  const int descriptor = open(file, O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool whole = write(descriptor, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  return close(descriptor) == 0 && whole;
}

/// Everything mounted at or below this path, read-only or not any longer: mount_setattr(2) of Linux 5.12, for which not
/// every C library has words.
bool set_read_only([[maybe_unused]] const char* path, [[maybe_unused]] bool read_only) {
#if defined(SYS_mount_setattr)
  constexpr unsigned recursive = 0x8000;
  constexpr std::uint64_t read_only_bit = 1;
  const struct {
    std::uint64_t set, clear, propagation, user_namespace;
  } attributes = {read_only ? read_only_bit : 0, read_only ? 0 : read_only_bit, 0, 0};
  return syscall(SYS_mount_setattr, AT_FDCWD, path, recursive, &attributes, sizeof attributes) == 0;
#else
  errno = ENOSYS;
  return false;
#endif
}

}  // namespace

std::string isolate(const fs::path& folder, const std::vector<fs::path>& hidden) {
  const auto user = getuid();
  const auto group = getgid();
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC) != 0) return why("unshare");
  // Users stay who they are; what a mount needs is theirs only here.
  if (!write_line("/proc/self/setgroups", "deny") ||
      !write_line("/proc/self/uid_map", fmt::format("{} {} 1", user, user)) ||
      !write_line("/proc/self/gid_map", fmt::format("{} {} 1", group, group)))
    return why("user namespace");
  if (mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return why("private mounts");
  for (const fs::path& one : hidden)
    if (mount("none", one.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, "size=4k") != 0) return why(one.c_str());
  if (mount(folder.c_str(), folder.c_str(), nullptr, MS_BIND, nullptr) != 0) return why("bind mount");
  if (!set_read_only("/", true) || !set_read_only(folder.c_str(), false)) return why("read-only mounts");
  // Shared memory of MPI ranks; without one the read-only one stays.
  mount("none", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "size=512m");
  return "";
}

std::string isolation_missing(SignalWatch& signals) {
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) return why("pipe");
  const pid_t worker = fork_worker(signals, [&report] {
    const std::string missing = isolate(fs::temp_directory_path(), {});
    return write(report[1], missing.data(), missing.size()) < 0 ? 1 : 0;
  });
  close(report[1]);
  const ProcessResult ended = await_worker(worker, 10.0, signals);
  char text[256];
  const ssize_t length = read(report[0], text, sizeof text);
  close(report[0]);
  if (ended.exit_status != 0 || ended.signal != 0 || ended.timed_out || length < 0)
    return "it cannot be tried";
  return {text, static_cast<std::size_t>(length)};
}

}  // namespace boltzmark
