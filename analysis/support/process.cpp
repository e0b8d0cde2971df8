#include "analysis/support/process.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <sstream>

#include "common/base/clock.hpp"
#include "common/base/error.hpp"

namespace boltzmark {
namespace {

namespace fs = std::filesystem;

constexpr double grace_seconds = 2.0;

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }
  int number() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

 private:
  int number_;
};

int open_for_output(const fs::path& file) {
  const fs::path target = file.empty() ? "/dev/null" : file;
  const int descriptor = open(target.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0)
    throw bad_input("{}: expected a file to write to, found: {}", target.string(), std::strerror(errno));
  return descriptor;
}

/// In a new child: a process group of its own, signals let through again, and an end with its parent.
void prepare_child(pid_t parent, const sigset_t& mask, [[maybe_unused]] int death_signal) {
  setpgid(0, 0);
#if defined(__linux__)
  prctl(PR_SET_PDEATHSIG, death_signal);
#endif
  if (getppid() != parent) _exit(127);  // it died before we asked to be told
  sigprocmask(SIG_SETMASK, &mask, nullptr);
}

/// The environment of the child: ours, and the request's variables where we have none of that name.
std::vector<std::string> child_environment(const Environment& defaults) {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry; ++entry) entries.emplace_back(*entry);
  for (const auto& [name, value] : defaults)
    if (!std::getenv(name.c_str())) entries.push_back(name + '=' + value);
  return entries;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (auto& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

struct Spawned {
  pid_t pid = -1;
  int error = 0;  ///< errno of what failed, 0 when the program runs
};

/// Starts the program. Everything that allocates happens before the fork.
Spawned spawn(const ProcessRequest& request, const SignalWatch& signals) {
  const Descriptor in(open("/dev/null", O_RDONLY | O_CLOEXEC));
  const Descriptor out(open_for_output(request.stdout_file)), err(open_for_output(request.stderr_file));
  auto words = request.command;
  auto environment = child_environment(request.environment);
  const auto arguments = pointers_to(words), variables = pointers_to(environment);
  const std::string program = find_program(words.front()).string();
  if (program.empty()) return {.pid = -1, .error = ENOENT};

  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) return {.pid = -1, .error = errno};
  Descriptor report_read(report[0]), report_write(report[1]);
  const pid_t parent = getpid(), pid = fork();
  if (pid < 0) return {.pid = -1, .error = errno};
  if (pid == 0) {
    prepare_child(parent, signals.child_mask(), SIGTERM);
    dup2(in.number(), STDIN_FILENO);
    dup2(out.number(), STDOUT_FILENO);
    dup2(err.number(), STDERR_FILENO);
    execve(program.c_str(), arguments.data(), variables.data());
    const int error = errno;
    [[maybe_unused]] const auto written = write(report_write.number(), &error, sizeof error);
    _exit(127);
  }
  setpgid(pid, pid);  // in both, so that it holds whoever runs first
  report_write.close();
  int error = 0;
  ssize_t got = 0;
  while ((got = read(report_read.number(), &error, sizeof error)) < 0 && errno == EINTR) {
  }
  if (got != sizeof error) return {.pid = pid, .error = 0};
  waitpid(pid, nullptr, 0);
  return {.pid = -1, .error = error};
}

/// Whether the child has ended; it is not reaped, so that its number stays ours.
bool has_ended(pid_t child) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid == child;
}

/// Waits for the child's end up to `seconds`; false when it still runs then, or when a stop signal came and
/// `until_stopped` says to come back for it.
bool wait_for_end(pid_t child, double seconds, SignalWatch& signals, bool until_stopped,
                  const std::function<void(double)>& on_tick) {
  const auto start = Clock::now();
  for (;;) {
    if (has_ended(child)) return true;
    const double elapsed = seconds_since(start);
    if (elapsed >= seconds || (until_stopped && signals.stopped_by() != 0)) return false;
    if (on_tick) on_tick(elapsed);
    signals.wait(std::min(1.0, seconds - elapsed));
  }
}

/// Reaps the child and kills what it left behind in its group.
int reap(pid_t leader) {
  kill(-leader, SIGKILL);
  int status = 0;
  while (waitpid(leader, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

std::string read_and_close(std::FILE* file) {
  std::rewind(file);
  std::string text;
  char buffer[4096];
  for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;) text.append(buffer, n);
  std::fclose(file);
  return text;
}

}  // namespace

void end_group(pid_t leader, SignalWatch& signals) {
  kill(-leader, SIGTERM);
  wait_for_end(leader, grace_seconds, signals, false, {});
  reap(leader);
}

ProcessResult run_process(const ProcessRequest& request, SignalWatch& signals,
                          const std::function<void(double)>& on_tick) {
  ProcessResult result;
  const Spawned child = spawn(request, signals);
  if (child.error != 0) {
    result.start_error = request.command.front() + ": " + std::strerror(child.error);
    return result;
  }
  return await_worker(child.pid, request.time_limit_seconds, signals, on_tick);
}

ProcessResult await_worker(pid_t leader, double time_limit_seconds, SignalWatch& signals,
                           const std::function<void(double)>& on_tick) {
  ProcessResult result;
  const auto start = Clock::now();
  if (wait_for_end(leader, time_limit_seconds, signals, true, on_tick)) {
    result.seconds = seconds_since(start);
    const int status = reap(leader);
    if (WIFEXITED(status)) result.exit_status = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
    return result;
  }
  result.stopped_by = signals.stopped_by();
  result.timed_out = result.stopped_by == 0;
  end_group(leader, signals);
  result.seconds = seconds_since(start);
  return result;
}

CapturedProcess capture_process(ProcessRequest request, SignalWatch& signals) {
  std::FILE *const out = std::tmpfile(), *const err = std::tmpfile();
  if (!out || !err)
    throw bad_input("temporary files: expected to create one, found: {}", std::strerror(errno));
  request.stdout_file = "/proc/self/fd/" + std::to_string(fileno(out));
  request.stderr_file = "/proc/self/fd/" + std::to_string(fileno(err));
  CapturedProcess captured;
  captured.result = run_process(request, signals);
  captured.output = read_and_close(out);
  captured.errors = read_and_close(err);
  return captured;
}

pid_t fork_worker(const SignalWatch& signals, const std::function<int()>& work) {
  std::fflush(nullptr);  // or the child would write our buffered output a second time
  const pid_t parent = getpid(), pid = fork();
  if (pid < 0) throw unavailable("expected to start a process, found: {}", std::strerror(errno));
  if (pid == 0) {
    prepare_child(parent, signals.child_mask(), SIGKILL);
    _exit(work());
  }
  setpgid(pid, pid);
  return pid;
}

std::string shell_line(const std::vector<std::string>& command) {
  constexpr const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
  std::string line;
  for (const std::string& word : command) {
    if (!line.empty()) line += ' ';
    if (!word.empty() && word.find_first_not_of(plain) == word.npos) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

fs::path find_program(const std::string& name) {
  const auto runs = [](const fs::path& file) {
    std::error_code error;
    return access(file.c_str(), X_OK) == 0 && !fs::is_directory(file, error);
  };
  if (name.find('/') != name.npos) return runs(name) ? fs::path(name) : fs::path();
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const fs::path file = fs::path(folder.empty() ? "." : folder) / name; runs(file)) return file;
  return {};
}

}  // namespace boltzmark
