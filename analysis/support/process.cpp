#include "analysis/support/process.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>

#include "analysis/support/locations.hpp"
#include "common/base/clock.hpp"
#include "common/base/error.hpp"
#include "common/base/ranges.hpp"

namespace boltzmark {
namespace {

/// A file descriptor that closes itself; none if the number is negative.
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

/// These become the child's descriptors 0, 1, ...; exec closes all others of the driver.
void give_descriptors(const std::array<int, 4>& descriptors) {
  int next = 0;
  for (const int one : descriptors)
    if (one >= 0) dup2(one, next++);
#if defined(SYS_close_range)
  constexpr unsigned on_exec = 1U << 2;  // CLOSE_RANGE_CLOEXEC, which not every C library names
  syscall(SYS_close_range, static_cast<unsigned>(next), ~0U, on_exec);
#endif
}

/// A new process with a separate group and unblocked signals, which gets `death_signal` when this process ends.
pid_t fork_child(const SignalWatch& signals, int death_signal, const std::function<int()>& work) {
  const pid_t parent = getpid(), pid = fork();
  if (pid != 0) {
    if (pid > 0) setpgid(pid, pid);  // in both processes: effective whichever runs first
    return pid;
  }
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, death_signal);
  if (getppid() != parent) _exit(127);  // the parent died before the line above
  sigprocmask(SIG_SETMASK, &signals.child_mask(), nullptr);
  _exit(work());
}

/// Starts the program; returns the errno of the failed call, 0 if it runs.
int spawn(const ProcessRequest& request, const SignalWatch& signals, pid_t& pid) {
  const Descriptor in(open("/dev/null", O_RDONLY | O_CLOEXEC));
  const Descriptor out(open_for_output(request.stdout_file)), err(open_for_output(request.stderr_file));
  const Descriptor report(request.report_file.empty() ? -1 : open_for_output(request.report_file));
  const fs::path program = find_program(request.command.front());
  int ends[2];
  if (program.empty()) return ENOENT;
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  const Descriptor failure_read(ends[0]);
  Descriptor failure_write(ends[1]);
  pid = fork_child(signals, SIGTERM, [&] {
    for (const auto& [name, value] : request.environment) setenv(name.c_str(), value.c_str(), 0);
    // Higher than the descriptors that the next call sets.
    const int failure = fcntl(failure_write.number(), F_DUPFD_CLOEXEC, 10);
    give_descriptors({in.number(), out.number(), err.number(), report.number()});
    become(program, request.command);
    const int error = errno;
    [[maybe_unused]] const auto written = write(failure, &error, sizeof error);
    return 127;
  });
  if (pid < 0) return errno;
  failure_write.close();
  int error = 0;
  ssize_t got = 0;
  while ((got = read(failure_read.number(), &error, sizeof error)) < 0 && errno == EINTR) {
  }
  if (got != sizeof error) return 0;
  waitpid(pid, nullptr, 0);
  return error;
}

/// Whether the child has ended; it is not reaped, so that its number is not reused.
bool has_ended(pid_t child) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == child;
}

/// Reaps the child and kills the rest of its group.
int reap(pid_t leader) {
  kill(-leader, SIGKILL);
  int status = 0;
  while (waitpid(leader, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

SignalWatch::SignalWatch() {
  sigemptyset(&watched_);
  for (const int stop : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    sigaction(stop, nullptr, &action);
    if (action.sa_handler != SIG_IGN) sigaddset(&watched_, stop);
  }
  sigaddset(&watched_, SIGCHLD);
  // The parent may have left SIGCHLD ignored; the system would then throw exit statuses away.
  struct sigaction plain {};
  plain.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &plain, &child_action_before_);
  sigprocmask(SIG_BLOCK, &watched_, &before_);
  child_mask_ = before_;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) sigdelset(&child_mask_, signal);
}

SignalWatch::~SignalWatch() {
  // A child that ended last has left its signal pending.
  const timespec now{};
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  while (sigtimedwait(&child, nullptr, &now) > 0) {
  }
  sigaction(SIGCHLD, &child_action_before_, nullptr);
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

void SignalWatch::wait(double seconds) {
  timespec limit{};
  limit.tv_sec = static_cast<std::time_t>(seconds);
  limit.tv_nsec = static_cast<long>((seconds - static_cast<double>(limit.tv_sec)) * 1e9);
  const int signal = sigtimedwait(&watched_, nullptr, &limit);
  if (signal > 0 && signal != SIGCHLD && stopped_by_ == 0) stopped_by_ = signal;
}

TemporaryFile::TemporaryFile() : file_(std::tmpfile()) {
  if (!file_) throw bad_input("temporary files: expected to create one, found: {}", std::strerror(errno));
}

fs::path TemporaryFile::path() const { return "/proc/self/fd/" + std::to_string(fileno(file_)); }

std::size_t TemporaryFile::size() const {
  struct stat status {};
  return fstat(fileno(file_), &status) == 0 ? static_cast<std::size_t>(status.st_size) : 0;
}

std::string TemporaryFile::text(std::size_t most) const {
  const auto bytes = [this](std::size_t from, std::size_t count) {
    std::string text(count, '\0');
    const ssize_t got = pread(fileno(file_), text.data(), count, static_cast<off_t>(from));
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, got)));
    return text;
  };
  const std::size_t all = size();
  return all / 2 <= most ? bytes(0, all) : bytes(0, most) + "\n[...]\n" + bytes(all - most, most);
}

void end_group(pid_t leader, SignalWatch& signals, double grace_seconds) {
  if (grace_seconds > 0.0) kill(-leader, SIGTERM);
  for (const auto start = Clock::now(); !has_ended(leader) && seconds_since(start) < grace_seconds;)
    signals.wait(grace_seconds - seconds_since(start));
  reap(leader);
}

ProcessResult run_process(const ProcessRequest& request, SignalWatch& signals, const Tick& on_tick) {
  ProcessResult result;
  pid_t child = -1;
  if (const int error = spawn(request, signals, child); error != 0) {
    result.start_error = request.command.front() + ": " + std::strerror(error);
    return result;
  }
  const auto start = Clock::now();
  for (double next_tick = 0.0; !has_ended(child);) {
    result.seconds = seconds_since(start);
    result.stopped_by = signals.stopped_by();
    result.timed_out = result.stopped_by == 0 && result.seconds >= request.time_limit_seconds;
    result.cut_short = result.stopped_by == 0 && !result.timed_out && request.goes_on && !request.goes_on();
    if (result.stopped_by != 0 || result.timed_out || result.cut_short) {
      end_group(child, signals, request.grace_seconds);
      result.seconds = seconds_since(start);
      return result;
    }
    if (on_tick && result.seconds >= next_tick) {
      on_tick(result.seconds);
      next_tick = result.seconds + 0.9;
    }
    signals.wait(std::min(request.look_seconds, request.time_limit_seconds - result.seconds));
  }
  result.seconds = seconds_since(start);
  if (request.before_reaped) request.before_reaped();
  const int status = reap(child);
  if (WIFEXITED(status)) result.exit_status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

CapturedProcess capture_process(ProcessRequest request, SignalWatch& signals) {
  const TemporaryFile out, err;
  request.stdout_file = out.path();
  request.stderr_file = err.path();
  const ProcessResult result = run_process(request, signals);
  return {result, out.text(), err.text()};
}

std::string reason_in(const std::string& errors, const std::string& program) {
  const std::string error = program + ": error: ", warning = program + ": warning: ";
  // The first sentence of Open MPI's text between two rules of dashes; the first line of srun, which reports every
  // task: the others follow from it.
  std::string last, own, of_srun, sentence, in_rules;
  bool is_between_rules = false, is_first_paragraph = false;
  for (auto line : split(errors, '\n')) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    const bool is_blank = line.find_first_not_of(" \t\r-*") == line.npos;
    if (is_blank && line.starts_with("----------")) {
      if (is_between_rules && !in_rules.starts_with("WARNING")) sentence = in_rules.substr(0, in_rules.find(". "));
      is_between_rules = is_first_paragraph = !is_between_rules;
      in_rules.clear();
    } else if (is_between_rules && is_first_paragraph) {
      is_first_paragraph = !is_blank || in_rules.empty();
      if (!is_blank) in_rules += (in_rules.empty() ? "" : " ") + line;
    }
    if (is_blank || line.starts_with(warning)) continue;
    if (line.starts_with("srun: ") || line.starts_with("slurmstepd")) {
      if (of_srun.empty() && line.starts_with("srun: error: ")) of_srun = line;
      if (!last.empty()) continue;
    }
    last = line;
    if (line.starts_with(error)) own = line.substr(error.size());
  }
  if (!own.empty()) return own;
  if (errors.find("OPAL ERROR: Unreachable in file ext3x_client.c") != errors.npos)
    return "Open MPI found no PMIx in its launcher; Slurm's has it by srun --mpi=pmix";
  if (!sentence.empty()) return sentence;
  return of_srun.empty() ? last : of_srun;
}

std::string end_words(const ProcessResult& result) {
  if (result.signal == 0) return fmt::format("ended with status {}", result.exit_status);
  return fmt::format("ended by signal {} ({})", result.signal, strsignal(result.signal));
}

std::string failure_of(const ProcessResult& result, const std::string& errors, const std::string& program,
                       double time_limit_seconds) {
  if (!result.start_error.empty()) return result.start_error;
  if (result.timed_out) return fmt::format("killed at the time limit of {} s", time_limit_seconds);
  const std::string reason = reason_in(errors, program);
  if (result.signal != 0) return end_words(result) + (reason.empty() ? "" : ", having said: " + reason);
  if (result.exit_status == 0) return "";
  return reason.empty() ? end_words(result) : reason;
}

std::string tail_of(const fs::path& file, std::size_t most) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  in.seekg(std::max<std::streamoff>(0, static_cast<std::streamoff>(in.tellg()) - static_cast<std::streamoff>(most)));
  return {std::istreambuf_iterator<char>(in), {}};
}

void become(const fs::path& program, std::vector<std::string> command) {
  std::vector<char*> words;
  for (std::string& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  execv(program.c_str(), words.data());
}

pid_t fork_worker(const SignalWatch& signals, const std::function<int()>& work) {
  std::fflush(nullptr);  // or the child would write buffered output a second time
  const pid_t pid = fork_child(signals, SIGKILL, work);
  if (pid < 0) throw unavailable("expected to start a process, found: {}", std::strerror(errno));
  return pid;
}

std::string shell_line(const std::vector<std::string>& command) {
  constexpr const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
  return joined(command, " ", [](const std::string& word) {
    const bool is_plain = !word.empty() && word.find_first_not_of(plain) == word.npos;
    return is_plain ? word : '\'' + replaced(word, {{"'", "'\\''"}}) + '\'';
  });
}

std::string replaced(std::string text, const Marks& marks) {
  for (const auto& [mark, with] : marks)
    for (std::size_t at = 0; (at = text.find(mark, at)) != text.npos; at += with.size())
      text.replace(at, mark.size(), with);
  return text;
}

void check_marks(const std::string& text, const std::vector<std::string>& marks, const std::string& where) {
  for (std::size_t at = 0; (at = text.find('{', at)) != text.npos; ++at)
    if (const std::string mark = text.substr(at, text.find('}', at) - at + 1); !contains(marks, mark))
      throw bad_input("{}: expected {} or {} in braces, found \"{}\"", where,
                      join({marks.begin(), marks.end() - 1}, ", "), marks.back(), mark);
}

std::string without_option(std::string line, const std::string& flag) {
  if (const auto at = line.find(' ' + flag); at != line.npos) line.erase(at, 1 + flag.size());
  return line;
}

std::string file_name_of(std::string text) {
  for (char& c : text)
    if (const auto byte = static_cast<unsigned char>(c); byte < 0x80 && !std::isalnum(byte) && !std::strchr("._-+", c))
      c = '_';
  return text;
}

fs::path find_program(const std::string& name) {
  const auto runs = [](const fs::path& file) { return access(file.c_str(), X_OK) == 0 && !is_folder(file); };
  if (name.find('/') != name.npos) return runs(name) ? fs::path(name) : fs::path();
  const char* const path = std::getenv("PATH");
  for (const std::string& folder : split(path ? path : "/usr/bin:/bin", ':'))
    if (const fs::path file = fs::path(folder.empty() ? "." : folder) / name; runs(file)) return file;
  return {};
}

}  // namespace boltzmark
