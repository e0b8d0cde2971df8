// Isolation is bubblewrap's, limits of a process are prlimit's; the driver watches memory, processes and output of all:
//
//   driver -- bwrap -- sh -- prlimit, env, sh -- program -- whatever it starts
//
// The outer sh reports on descriptor 3 how many processes are left when the program has ended; without isolation the
// driver counts them itself.
#include "analysis/support/confined.hpp"

#include <fmt/core.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>

#include "common/base/clock.hpp"
#include "common/base/error.hpp"
#include "common/base/text.hpp"

namespace boltzmark {
namespace {

using Words = std::vector<std::string>;

constexpr std::size_t most_kept = 65536;
/// init of the namespace, the outer shell and grep itself are three.
constexpr const char* reporting_shell =
    R"("$@" 3>&-; s=$?; set -- $(grep -Ls '^State:.Z' /proc/[0-9]*/status); echo $(($# - 3)) >&3; exit $s)";

/// Files of the view that the program gets: all read-only but its own folders, without hidden folders and network.
Words sandbox_words(const ConfinedRequest& request) {
  // The last: shared memory of MPI ranks.
  constexpr std::uint64_t most_shared = std::uint64_t{512} << 20;
  const std::uint64_t memory = request.limits.memory_bytes;
  Words words = words_in(fmt::format(
      "bwrap --unshare-all --die-with-parent --new-session --cap-drop ALL --ro-bind / / --dev /dev --proc /proc "
      "--perms 1777 --size {} --tmpfs /dev/shm",
      memory > 0 ? std::min(memory, most_shared) : most_shared));
  std::error_code error;
  for (fs::directory_iterator entry("/dev", error), end; !error && entry != end; entry.increment(error))
    if (const std::string name = entry->path().filename().string();
        name.starts_with("nvidia") || name == "dri" || name == "kfd")
      words.insert(words.end(), {"--dev-bind", entry->path().string(), entry->path().string()});
  for (const fs::path& one : request.hidden) words.insert(words.end(), {"--tmpfs", one.string()});
  for (const fs::path& one : request.writable) words.insert(words.end(), {"--bind", one.string(), one.string()});
  for (const fs::path& one : request.hidden) words.insert(words.end(), {"--remount-ro", one.string()});
  return words;
}

Words command_of(const ConfinedRequest& request) {
  const bool is_isolated = !request.writable.empty();
  Words words = is_isolated ? sandbox_words(request) : Words();
  if (is_isolated) words.insert(words.end(), {"sh", "-c", reporting_shell, "sh"});
  words.insert(words.end(), {"prlimit", "--core=0"});
  if (request.limits.memory_bytes > 0) words.push_back(fmt::format("--as={}", request.limits.memory_bytes));
  if (request.limits.file_bytes > 0) words.push_back(fmt::format("--fsize={}", request.limits.file_bytes));
  words.insert(words.end(), {"env", "--default-signal", "--chdir=" + request.start.string(), "--",
                             "HOME=" + request.home.string(), "TMPDIR=" + request.home.string()});
  for (const auto& [name, value] : request.environment) words.push_back(name + '=' + value);
  words.insert(words.end(), {"sh", "-c", request.line});
  return words;
}

/// All below a process that still run, and their resident memory; what several share counts for each.
struct Descendants {
  std::vector<pid_t> running;
  std::uint64_t bytes = 0;
};

void add_below(pid_t process, Descendants& found) {
  static const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  std::error_code error;
  for (fs::directory_iterator task(fmt::format("/proc/{}/task", process), error), end; !error && task != end;
       task.increment(error)) {
    std::ifstream children(task->path() / "children");
    for (pid_t child = 0; children >> child; add_below(child, found)) {
      std::ifstream in(fmt::format("/proc/{}/statm", child));
      std::uint64_t size = 0, resident = 0;
      if (!(in >> size >> resident) || size == 0) continue;  // it has ended
      found.running.push_back(child);
      found.bytes += page * resident;
    }
  }
}

Descendants descendants() {
  Descendants found;
  add_below(getpid(), found);
  return found;
}

/// Ends everything below the driver, which must be the reaper of its orphans: stops all first, so that none starts
/// another meanwhile. Gives up after ten seconds.
void end_descendants() {
  for (const auto start = Clock::now(); seconds_since(start) < 10.0;) {
    for (const pid_t process : descendants().running) kill(process, SIGSTOP);
    for (const pid_t process : descendants().running) kill(process, SIGKILL);
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    siginfo_t info{};
    if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0) return;  // no child is left
    const timespec pause{.tv_sec = 0, .tv_nsec = 2'000'000};
    nanosleep(&pause, nullptr);
  }
}

/// Adds the permissions to delete: programs may leave folders without them.
void make_deletable(const fs::path& folder) {
  std::error_code error;
  fs::permissions(folder, fs::perms::owner_all, fs::perm_options::add | fs::perm_options::nofollow, error);
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (std::error_code ignored; fs::is_directory(fs::symlink_status(entry->path(), ignored)))
      make_deletable(entry->path());
}

void remove_folder(const fs::path& folder) {
  std::error_code error;
  fs::remove_all(folder, error);
  if (!error) return;
  make_deletable(folder);
  fs::remove_all(folder, error);
}

constexpr std::string_view private_prefix = "boltzmark-own-";

/// Private folders of this user whose drivers are gone.
void remove_abandoned(const fs::path& temporary) {
  std::error_code error;
  for (fs::directory_iterator entry(temporary, error), end; !error && entry != end; entry.increment(error)) {
    const fs::path folder = entry->path(), lock_file = folder / "lock";
    struct stat status {};
    if (!folder.filename().string().starts_with(private_prefix) || lstat(folder.c_str(), &status) != 0 ||
        !S_ISDIR(status.st_mode) || status.st_uid != geteuid() || lstat(lock_file.c_str(), &status) != 0 ||
        !S_ISREG(status.st_mode))
      continue;
    try {
      if (const FileLock lock(lock_file, FileLock::IfTaken::give_up); lock.is_held()) remove_folder(folder);
    } catch (const Error&) {  // it cannot be entered
    }
  }
}

}  // namespace

std::string megabytes(std::uint64_t bytes) { return fmt::format("{} MB", bytes >> 20); }

std::uint64_t bytes_below(const std::vector<fs::path>& folders) {
  std::uint64_t bytes = 0;
  std::error_code error;
  for (const fs::path& folder : folders)
    for (fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error), end;
         !error && entry != end; entry.increment(error))
      if (struct stat status{}; lstat(entry->path().c_str(), &status) == 0)
        bytes += 512 * static_cast<std::uint64_t>(status.st_blocks);
  return bytes;
}

PrivateFolder::PrivateFolder() {
  const fs::path temporary = fs::temp_directory_path();
  remove_abandoned(temporary);
  do {
    std::string name = (temporary / fmt::format("{}XXXXXX", private_prefix)).string();
    if (!mkdtemp(name.data()))
      throw bad_input("{}: expected to create a folder, found: {}", name, std::strerror(errno));
    path_ = fs::canonical(name);
    lock_ = std::make_unique<FileLock>(path_ / "lock", FileLock::IfTaken::give_up);
  } while (!lock_->is_held());  // taken by another driver for an abandoned one, before it was locked
  fs::create_directory(work());
  fs::create_directory(home());
}

PrivateFolder::~PrivateFolder() { remove_folder(path_); }

ConfinedResult run_confined(const ConfinedRequest& request, SignalWatch& signals, const Tick& on_tick) {
  ConfinedResult result;
  const auto end = [&result](const char* verdict, const std::string& reason) {
    result.verdict = verdict;
    result.reason = reason;
  };
  if (find_program("prlimit").empty())
    result.start_error = "expected the command prlimit (of util-linux), found none";
  else if (!std::ifstream("/proc/thread-self/children"))
    result.start_error = "expected /proc/thread-self/children (CONFIG_PROC_CHILDREN of the kernel), found none";
  if (!result.start_error.empty()) {
    end(verdict::failed, "it could not be started: " + result.start_error);
    return result;
  }
  const TemporaryFile out, err, report;
  const ProcessLimits& limits = request.limits;
  const auto start = Clock::now();
  double next_look = 0.0;
  const auto exceeds = [&](std::uint64_t value, std::uint64_t limit, const char* verdict, const std::string& reason) {
    if (limit == 0 || value <= limit) return false;
    end(verdict, reason);
    return true;
  };
  const auto is_filled = [&] {
    return limits.folder_bytes > 0 &&
           exceeds(bytes_below({request.start, request.home}), limits.folder_bytes, verdict::too_large,
                   fmt::format("ended with more than {} in its folder", megabytes(limits.folder_bytes)));
  };
  const auto within_limits = [&] {
    if (exceeds(out.size() + err.size(), limits.output_bytes, verdict::output,
                fmt::format("ended after it had printed {}", megabytes(limits.output_bytes))))
      return false;
    const double elapsed = seconds_since(start);
    if (elapsed < next_look) return true;
    next_look = elapsed + (elapsed < 1.0 ? 0.05 : 0.2);
    const Descendants all = descendants();
    return !exceeds(all.running.size(), static_cast<std::uint64_t>(limits.processes), verdict::processes,
                    fmt::format("ended with more than {} processes", limits.processes)) &&
           !exceeds(all.bytes, limits.memory_bytes, verdict::memory,
                    fmt::format("ended with more than {} in use", megabytes(limits.memory_bytes))) &&
           !is_filled();
  };
  const bool is_isolated = !request.writable.empty();
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  static_cast<ProcessResult&>(result) = run_process(
      {.command = command_of(request),
       .stdout_file = out.path(),
       .stderr_file = err.path(),
       .report_file = is_isolated ? report.path() : fs::path(),
       .time_limit_seconds = limits.seconds,
       .grace_seconds = 0.0,
       .look_seconds = 0.02,
       .goes_on = within_limits,
       .before_reaped =
           [&] {
             result.left_behind = is_isolated ? parse_number<int>(split(report.text(), '\n').front()).value_or(0)
                                              : static_cast<int>(descendants().running.size());
           }},
      signals, on_tick);
  end_descendants();
  prctl(PR_SET_CHILD_SUBREAPER, 0);
  if (result.verdict.empty()) is_filled();  // since the last look
  constexpr int by_signal = 128;            // how a shell reports it
  if (result.exit_status > by_signal && result.exit_status <= by_signal + SIGRTMAX)
    result.signal = std::exchange(result.exit_status, 0) - by_signal;
  if (!result.start_error.empty()) end(verdict::failed, "it could not be started: " + result.start_error);
  if (result.timed_out) end(verdict::timeout, fmt::format("ended at the time limit of {} s", limits.seconds));
  if (result.stopped_by != 0) end(verdict::stopped, "stopped");
  result.output = out.text(most_kept);
  result.errors = err.text(most_kept);
  result.printed = out.size() + err.size();
  return result;
}

std::string isolation_missing(SignalWatch& signals) {
  const PrivateFolder folder;
  const auto tried = run_confined({.line = "true",
                                   .start = folder.work(),
                                   .home = folder.home(),
                                   .limits = {.seconds = 10.0},
                                   .writable = {folder.work(), folder.home()}},
                                  signals);
  if (!tried.start_error.empty()) return tried.start_error;
  if (!tried.verdict.empty()) return "bwrap does not answer";
  if (tried.exit_status == 0 && tried.signal == 0) return "";
  const std::string said = reason_in(tried.errors, "bwrap");
  return said.empty() ? fmt::format("bwrap ended with status {}", tried.exit_status) : said;
}

}  // namespace boltzmark
