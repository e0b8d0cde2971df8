// bubblewrap isolates, prlimit limits each process; the driver watches the memory, processes and output of all:
//
//   driver -- env, bwrap -- sh -- prlimit, env, sh -- program -- whatever it starts
//
// The first env clears the environment: a program can read those of the processes before it in /proc. The outer sh
// reports on descriptor 3 how many processes are left when the program has ended; without isolation the driver counts
// them itself.
//
// Address space is not limited: CUDA, NVIDIA's OpenCL and sanitizers reserve far more than they use.
#include "analysis/support/confined.hpp"

#include <pwd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <numeric>
#include <set>

#include "analysis/support/locations.hpp"
#include "common/base/clock.hpp"
#include "common/base/error.hpp"

namespace boltzmark {
namespace {

using Words = std::vector<std::string>;

constexpr std::size_t most_kept = 65536;
/// init of the namespace, the outer shell and grep itself are three.
constexpr const char* reporting_shell =
    R"("$@" 3>&-; s=$?; set -- $(grep -Ls '^State:.Z' /proc/[0-9]*/status); echo $(($# - 3)) >&3; exit $s)";

/// If memory runs out between two checks of the driver, the kernel kills these processes before any other.
constexpr const char* first_to_go = R"(echo 1000 2>/dev/null >/proc/self/oom_score_adj; exec "$@")";

/// The user's variables that compilers and models need (a name ending in "_" stands for all that begin with it), a
/// fixed locale, and the variables asked for.
Words environment_words(const ConfinedRequest& request) {
  static const Words kept = words_in(
      "PATH LD_LIBRARY_PATH LIBRARY_PATH CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH OPAL_PREFIX PKG_CONFIG_PATH "
      "CMAKE_PREFIX_PATH I_MPI_ROOT OMP_ GOMP_ KMP_ OMPI_MCA_ OCL_ POCL_ CUDA_ HIP_ HSA_ ROCM_ ROCR_");
  Words words = {"env"};
  if (!request.is_trusted) {
    words.push_back("-i");
    for (char** variable = environ; *variable; ++variable)
      if (std::ranges::any_of(kept, [set = std::string_view(*variable)](const std::string& name) {
            return set.starts_with(name) && (name.ends_with('_') || set.substr(name.size()).starts_with('='));
          }))
        words.emplace_back(*variable);
  }
  words.insert(words.end(), {"LANG=C", "LC_ALL=C", "HOME=" + request.home.string(), "TMPDIR=" + request.home.string()});
  for (const auto& [name, value] : request.environment) words.push_back(name + '=' + value);
  return words;
}

bool is_within(const fs::path& path, const fs::path& folder) {
  return std::ranges::mismatch(folder, path).in1 == folder.end();
}

bool is_within_any(const fs::path& path, const std::vector<fs::path>& folders) {
  return std::ranges::any_of(folders, [&path](const fs::path& folder) { return is_within(path, folder); });
}

/// Folders with sockets and secrets of sessions: for temporary files, and of the caller.
std::vector<fs::path> session_folders() {
  std::vector<fs::path> folders = {"/run", "/var/run", "/tmp", "/var/tmp"};
  std::error_code error;
  folders.push_back(fs::temp_directory_path(error));
  if (const char* const home = std::getenv("HOME")) folders.emplace_back(home);
  if (const passwd* const user = getpwuid(geteuid())) folders.emplace_back(user->pw_dir);
  return folders;
}

/// Folders and files that the program sees empty, none within another; never one that is needed to start anything, such
/// as the home of some system users.
std::vector<fs::path> hidden_folders(const ConfinedRequest& request) {
  std::error_code error;
  const std::array needed = {fs::path("/dev"), fs::path("/proc"), fs::canonical("/bin/sh", error)};
  std::vector<fs::path> all = request.hidden, hidden;
  for (const fs::path& folder : session_folders())
    if (const fs::path one = fs::canonical(folder, error); !error && is_folder(one)) all.push_back(one);
  std::ranges::sort(all);
  for (const fs::path& one : all)
    if (std::ranges::none_of(needed, [&](const fs::path& path) { return is_within(path, one); }) &&
        !is_within_any(one, hidden))
      hidden.push_back(one);
  return hidden;
}

/// Installations in hidden folders whose commands or libraries the user's variables name, as of a compiler in the home.
/// Only in /run (NixOS) is a folder of commands enough by itself: shims in the home would not find the programs that
/// they start.
std::set<fs::path> tools_within(const std::vector<fs::path>& hidden, const ConfinedRequest& request) {
  std::set<fs::path> tools;
  const auto may_be_seen = [&](const fs::path& folder) {  // hidden as part of a larger one, not named itself
    return is_within_any(folder, hidden) && std::ranges::count(hidden, folder) == 0 &&
           !is_within_any(folder, request.hidden) &&
           std::ranges::none_of(request.hidden, [&](const fs::path& one) { return is_within(one, folder); });
  };
  for (const char* variable : {"PATH", "LD_LIBRARY_PATH", "LIBRARY_PATH", "CPATH"}) {
    const char* const value = std::getenv(variable);
    for (const std::string& name : split(value ? value : "", ':')) {
      std::error_code error;
      const fs::path folder = fs::canonical(name, error), above = folder.parent_path();
      if (error || name.front() != '/' || !may_be_seen(folder)) continue;
      const bool is_installation =
          is_folder(above / "include") && (is_folder(above / "lib") || is_folder(above / "lib64"));
      const bool is_of_user = above.filename().string().starts_with('.');  // .local contains much else
      if (is_installation && !is_of_user && may_be_seen(above))
        tools.insert(above);
      else if (is_within(folder, "/run"))
        tools.insert(folder);
    }
  }
  return tools;
}

/// Sockets by path, which remain reachable in a read-only view and in a private network; not those in hidden folders.
std::vector<fs::path> sockets_outside(const std::vector<fs::path>& hidden) {
  std::vector<fs::path> sockets;
  std::ifstream in("/proc/net/unix");
  for (std::string line; std::getline(in, line);) {
    const auto at = line.find(" /");
    if (at == line.npos) continue;
    std::error_code error;
    const fs::path socket = fs::canonical(line.substr(at + 1), error);
    if (!error && fs::is_socket(socket, error) && !is_within_any(socket, hidden)) sockets.push_back(socket);
  }
  return sockets;
}

/// The program's view of all files: read-only except its own folders, without hidden folders, sockets and network.
Words sandbox_words(const ConfinedRequest& request) {
  // The last: shared memory of MPI ranks.
  constexpr std::uint64_t most_shared = std::uint64_t{512} << 20;
  const std::uint64_t memory = request.limits.memory_bytes;
  Words words = words_in(fmt::format(
      "bwrap --unshare-all --die-with-parent --new-session --cap-drop ALL --ro-bind / / --dev /dev --proc /proc "
      "--perms 1777 --size {} --tmpfs /dev/shm",
      memory > 0 ? std::min(memory, most_shared) : most_shared));
  const auto add = [&words](const char* option, const fs::path& from, const fs::path& to) {
    words.insert(words.end(), {option, from.string(), to.string()});
  };
  for (const fs::path& one : entries_of("/dev"))
    if (const std::string name = one.filename().string(); name.starts_with("nvidia") || name == "dri" || name == "kfd")
      add("--dev-bind", one, one);
  const std::vector<fs::path> hidden = hidden_folders(request);
  for (const fs::path& one : sockets_outside(hidden)) add("--ro-bind", "/dev/null", one);
  for (const fs::path& one : hidden)
    if (is_folder(one))
      words.insert(words.end(), {"--tmpfs", one.string()});
    else
      add("--ro-bind", "/dev/null", one);
  for (const fs::path& one : tools_within(hidden, request)) add("--ro-bind", one, one);
  for (const fs::path& one : {request.start, request.home}) add("--bind", one, one);
  for (const fs::path& one : hidden)
    if (is_folder(one)) words.insert(words.end(), {"--remount-ro", one.string()});
  return words;
}

Words command_of(const ConfinedRequest& request) {
  Words words = environment_words(request);
  const auto add = [&words](const Words& more) { words.insert(words.end(), more.begin(), more.end()); };
  if (request.is_isolated) {
    add(sandbox_words(request));
    add({"sh", "-c", reporting_shell, "sh"});
  }
  add({"sh", "-c", first_to_go, "sh", "prlimit", "--core=0"});
  if (request.limits.file_bytes > 0) words.push_back(fmt::format("--fsize={}", request.limits.file_bytes));
  add({"env", "--default-signal", "--chdir=" + request.start.string(), "--", "sh", "-c", request.line});
  return words;
}

/// All running descendants of a process, and their resident memory; shared memory counts for each.
struct Descendants {
  std::vector<pid_t> running;
  std::vector<std::uint64_t> resident;  ///< bytes of each
};

void add_below(pid_t process, Descendants& found) {
  static const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  for (const fs::path& task : entries_of(fmt::format("/proc/{}/task", process))) {
    std::ifstream children(task / "children");
    for (pid_t child = 0; children >> child; add_below(child, found)) {
      std::ifstream in(fmt::format("/proc/{}/statm", child));
      std::uint64_t size = 0, resident = 0;
      if (!(in >> size >> resident) || size == 0) continue;  // it has ended
      found.running.push_back(child);
      found.resident.push_back(page * resident);
    }
  }
}

Descendants descendants() {
  Descendants found;
  add_below(getpid(), found);
  return found;
}

/// Beyond the limit it is counted again in a slower way: of shared memory only each process's part.
std::uint64_t bytes_of(const Descendants& all, std::uint64_t limit) {
  const std::uint64_t quick = std::accumulate(all.resident.begin(), all.resident.end(), std::uint64_t{0});
  if (quick <= limit) return quick;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < all.running.size(); ++i) {
    std::ifstream in(fmt::format("/proc/{}/smaps_rollup", all.running[i]));
    std::string word;
    std::uint64_t kilobytes = 0;
    while (in >> word && word != "Pss:") {
    }
    bytes += in >> kilobytes ? kilobytes << 10 : all.resident[i];
  }
  return bytes;
}

/// Kills all descendants of the driver, which must be the reaper of its orphans: stops all of them first, so that none
/// starts another. Gives up after ten seconds.
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

/// Adds the permissions that deletion needs: programs may leave folders without them.
void make_deletable(const fs::path& folder) {
  std::error_code error;
  fs::permissions(folder, fs::perms::owner_all, fs::perm_options::add | fs::perm_options::nofollow, error);
  for (const fs::path& entry : entries_of(folder))
    if (fs::is_directory(fs::symlink_status(entry, error))) make_deletable(entry);
}

void remove_folder(const fs::path& folder) {
  std::error_code error;
  fs::remove_all(folder, error);
  if (!error) return;
  make_deletable(folder);
  fs::remove_all(folder, error);
}

constexpr std::string_view private_prefix = "boltzmark-own-";

/// Private folders of this user whose drivers have ended.
void remove_abandoned(const fs::path& temporary) {
  for (const fs::path& folder : entries_of(temporary)) {
    const fs::path lock_file = folder / "lock";
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

/// Whether a program exceeds its limits, which then are verdict and reason of its result.
class Watch {
 public:
  Watch(const ConfinedRequest& request, ConfinedResult& result) : request_(request), result_(result) {}

  const TemporaryFile out, err;
  std::uint64_t printed() const { return out.size() + err.size(); }

  bool is_within_limits() {
    if (exceeds(printed(), limits_.output_bytes, verdict::output, "printed", megabytes(limits_.output_bytes)))
      return false;
    const double elapsed = seconds_since(start_);
    if (elapsed < next_look_) return true;
    const Descendants all = descendants();
    const std::uint64_t limit = limits_.memory_bytes, bytes = limit > 0 ? bytes_of(all, limit) : 0;
    const std::uint64_t growth = bytes - std::min(bytes, std::exchange(last_bytes_, bytes));
    const bool is_soon_full = limit > 0 && bytes + 8 * growth > limit;
    next_look_ = elapsed + (is_soon_full ? 0.0 : elapsed < 1.0 ? 0.05 : 0.2);
    return !exceeds(all.running.size(), static_cast<std::uint64_t>(limits_.processes), verdict::processes, "more than",
                    fmt::format("{} processes", limits_.processes)) &&
           !exceeds(bytes, limit, verdict::memory, "more than", megabytes(limit) + " in use") && !is_folder_filled();
  }

  bool is_folder_filled() {
    return limits_.folder_bytes > 0 &&
           exceeds(bytes_below({request_.start, request_.home}), limits_.folder_bytes, verdict::too_large, "more than",
                   megabytes(limits_.folder_bytes) + " in its folder");
  }

 private:
  bool exceeds(std::uint64_t value, std::uint64_t limit, const char* verdict, const char* did,
               const std::string& most) {
    if (limit == 0 || value <= limit) return false;
    result_.end(verdict, fmt::format("killed: {} {}", did, most));
    return true;
  }

  const ConfinedRequest& request_;
  const ProcessLimits& limits_ = request_.limits;
  ConfinedResult& result_;
  const Clock::time_point start_ = Clock::now();
  double next_look_ = 0.0;
  std::uint64_t last_bytes_ = 0;
};

}  // namespace

std::string megabytes(std::uint64_t bytes) { return fmt::format("{} MB", bytes >> 20); }

std::uint64_t bytes_below(const std::vector<fs::path>& folders) {
  std::uint64_t bytes = 0;
  for (const fs::path& folder : folders)
    for (const fs::path& entry : entries_below(folder))
      if (struct stat status{}; lstat(entry.c_str(), &status) == 0)
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
  } while (!lock_->is_held());  // another driver took it for abandoned before it was locked
  fs::create_directory(work());
  fs::create_directory(home());
}

PrivateFolder::~PrivateFolder() { remove_folder(path_); }

ConfinedResult run_confined(const ConfinedRequest& request, SignalWatch& signals, const Tick& on_tick) {
  ConfinedResult result;
  const ProcessLimits& limits = request.limits;
  if (find_program("prlimit").empty())
    result.start_error = "expected the command prlimit (of util-linux), found none";
  else if (!std::ifstream("/proc/thread-self/children"))
    result.start_error = "expected /proc/thread-self/children (CONFIG_PROC_CHILDREN of the kernel), found none";
  if (!result.start_error.empty()) {
    result.end(verdict::failed, "it could not be started: " + result.start_error);
    return result;
  }
  const TemporaryFile report;
  Watch watch(request, result);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  static_cast<ProcessResult&>(result) =
      run_process({.command = command_of(request),
                   .stdout_file = watch.out.path(),
                   .stderr_file = watch.err.path(),
                   .report_file = request.is_isolated ? report.path() : fs::path(),
                   .time_limit_seconds = limits.seconds,
                   .grace_seconds = 0.0,
                   .look_seconds = 0.02,
                   .goes_on = [&] { return watch.is_within_limits(); },
                   .before_reaped =
                       [&] {
                         result.left_behind = request.is_isolated
                                                  ? parse_number<int>(split(report.text(), '\n').front()).value_or(0)
                                                  : static_cast<int>(descendants().running.size());
                       }},
                  signals, on_tick);
  end_descendants();
  prctl(PR_SET_CHILD_SUBREAPER, 0);
  if (result.verdict.empty()) watch.is_folder_filled();  // since the last check
  constexpr int by_signal = 128;                         // how a shell reports it
  if (result.exit_status > by_signal && result.exit_status <= by_signal + SIGRTMAX)
    result.signal = std::exchange(result.exit_status, 0) - by_signal;
  if (!result.start_error.empty()) result.end(verdict::failed, "it could not be started: " + result.start_error);
  if (result.timed_out) result.end(verdict::timeout, fmt::format("killed at the time limit of {} s", limits.seconds));
  if (result.stopped_by != 0) result.end(verdict::stopped, "stopped");
  result.output = watch.out.text(most_kept);
  result.errors = watch.err.text(most_kept);
  result.printed = watch.printed();
  return result;
}

std::string isolation_missing(SignalWatch& signals) {
  if (find_program("bwrap").empty()) return "expected the command bwrap (of bubblewrap), found none";
  const PrivateFolder folder;
  const auto tried = run_confined(
      {.line = "true", .start = folder.work(), .home = folder.home(), .limits = {.seconds = 10.0}, .is_isolated = true},
      signals);
  if (!tried.start_error.empty()) return tried.start_error;
  if (!tried.verdict.empty()) return "bwrap does not answer";
  if (tried.exit_status == 0 && tried.signal == 0) return "";
  const std::string said = reason_in(tried.errors, "bwrap");
  return said.empty() ? fmt::format("bwrap ended with status {}", tried.exit_status) : said;
}

}  // namespace boltzmark
