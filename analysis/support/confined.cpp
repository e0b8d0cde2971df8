// A process of ours stands between, with its orphans for children:
//
//   driver -- supervisor          reads what is printed, looks at time, memory and processes, ends all
//               '-- guardian      process 1 of its namespace where there is one; tells how the program ended
//                     '-- shell -- program -- whatever it starts
#include "analysis/support/confined.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>

#include "analysis/support/isolation.hpp"
#include "analysis/support/json_reader.hpp"
#include "analysis/support/process_tree.hpp"
#include "common/base/clock.hpp"
#include "common/base/error.hpp"

namespace boltzmark {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

volatile std::sig_atomic_t told_to_stop = 0;

/// What is kept of a stream: its first and its last bytes.
class Kept {
 public:
  void add(const char* bytes, std::size_t count) {
    const std::size_t first = std::min(count, most - head_.size());
    head_.append(bytes, first);
    tail_.append(bytes + first, count - first);
    if (tail_.size() <= 2 * most) return;
    tail_.erase(0, tail_.size() - most);
    is_cut_ = true;
  }
  std::string text() const {
    if (!is_cut_ && tail_.size() <= most) return head_ + tail_;
    return head_ + "\n[...]\n" + tail_.substr(tail_.size() - std::min(tail_.size(), most));
  }

 private:
  static constexpr std::size_t most = 65536;
  std::string head_, tail_;
  bool is_cut_ = false;
};

/// A pipe whose two ends close themselves.
struct Pipe {
  int read_end = -1, write_end = -1;

  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
      throw unavailable("expected to make a pipe, found: {}", std::strerror(errno));
    read_end = ends[0];
    write_end = ends[1];
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_end(read_end);
    close_end(write_end);
  }
  static void close_end(int& end) {
    if (end >= 0) close(std::exchange(end, -1));
  }
};

/// Ours, with the request's variables in place of those of the same name.
std::vector<std::string> environment_of(const ConfinedRequest& request) {
  std::map<std::string, std::string> all;
  for (char** entry = environ; *entry; ++entry) {
    const std::string variable = *entry;
    const auto at = variable.find('=');
    all[variable.substr(0, at)] = at == variable.npos ? "" : variable.substr(at + 1);
  }
  all["HOME"] = all["TMPDIR"] = request.home.string();
  for (const auto& [name, value] : request.environment) all[name] = value;
  std::vector<std::string> entries;
  for (const auto& [name, value] : all) entries.push_back(name + '=' + value);
  return entries;
}

void limit(decltype(RLIMIT_AS) what, std::uint64_t most) {
  const rlimit both{static_cast<rlim_t>(most), static_cast<rlim_t>(most)};
  setrlimit(what, &both);
}

/// All but standard input, output and error: nothing that the driver has open is the program's.
void close_other_files() {
  constexpr int first = 3;
#if defined(SYS_close_range)
  if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
#endif
  for (int descriptor = first; descriptor < sysconf(_SC_OPEN_MAX); ++descriptor) close(descriptor);
}

/// In the process that becomes the program's shell.
[[noreturn]] void become_program(const ConfinedRequest& request, int out, int err) {
  setsid();  // no terminal of ours
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  close_other_files();
  if (!request.only_writable.empty()) prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  std::signal(SIGXFSZ, SIG_DFL);
  std::signal(SIGPIPE, SIG_DFL);
  for (const int stop : {SIGTERM, SIGINT, SIGHUP}) std::signal(stop, SIG_DFL);
  limit(RLIMIT_CORE, 0);
  if (request.limits.memory_bytes > 0) limit(RLIMIT_AS, request.limits.memory_bytes);
  if (request.limits.file_bytes > 0) limit(RLIMIT_FSIZE, request.limits.file_bytes);
  if (chdir(request.start.c_str()) == 0) {
    auto variables = environment_of(request);
    std::vector<char*> pointers;
    for (auto& variable : variables) pointers.push_back(variable.data());
    pointers.push_back(nullptr);
    const char* const words[] = {"sh", "-c", request.line.c_str(), nullptr};
    execve("/bin/sh", const_cast<char**>(words), pointers.data());
  }
  std::perror("sh");
  _exit(127);
}

/// The guardian: starts the program, says how it ended, and stays until it is ended itself.
[[noreturn]] void guard(const ConfinedRequest& request, int out, int err, int report) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t program = fork();
  if (program == 0) become_program(request, out, err);
  close(out);
  close(err);
  int status = 127 << 8;
  if (program > 0)
    for (;;) {
      const pid_t ended = waitpid(-1, &status, 0);
      if (ended == program || (ended < 0 && errno != EINTR)) break;
    }
  [[maybe_unused]] const auto written = write(report, &status, sizeof status);
  for (;;) pause();
}

/// The life of one program, as the supervisor sees it.
class Supervisor {
 public:
  explicit Supervisor(const ConfinedRequest& request) : request_(request) {}

  ConfinedResult supervise() {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    struct sigaction action {};
    action.sa_handler = [](int) { told_to_stop = 1; };
    for (const int stop : {SIGTERM, SIGINT, SIGHUP}) sigaction(stop, &action, nullptr);
    if (!request_.only_writable.empty()) {
      result_.start_error = isolate(request_.only_writable, request_.hidden);
      if (!result_.start_error.empty()) return ended(ConfinedEnd::no_start);
    }
    const pid_t guardian = fork();
    if (guardian < 0) {
      result_.start_error = std::strerror(errno);
      return ended(ConfinedEnd::no_start);
    }
    if (guardian == 0) guard(request_, out_.write_end, err_.write_end, report_.write_end);
    for (Pipe* pipe : {&out_, &err_, &report_}) Pipe::close_end(pipe->write_end);
    start_ = Clock::now();
    const ConfinedEnd end = watch(guardian);
    result_.seconds = seconds_since(start_);
    // What is a zombie has ended: the guardian just has not looked.
    const int still = use_of(descendants_of(guardian)).running;
    if (end == ConfinedEnd::by_itself) result_.left_behind = still;
    kill(guardian, SIGKILL);  // and with it all of its namespace
    end_descendants();
    for (int i = 0; i < 64 && (out_.read_end >= 0 || err_.read_end >= 0); ++i)
      if (!read_for(10)) break;
    result_.output = kept_[0].text();
    result_.errors = kept_[1].text();
    return ended(end);
  }

 private:
  ConfinedResult ended(ConfinedEnd end) {
    result_.end = end;
    return result_;
  }

  /// Until the program ends, or has to.
  ConfinedEnd watch(pid_t guardian) {
    const Limits& limits = request_.limits;
    double next_look = 0.0;
    for (;;) {
      if (told_to_stop) return ConfinedEnd::stopped;
      read_for(20);
      if (has_ended_) return ConfinedEnd::by_itself;
      if (limits.output_bytes > 0 && result_.printed > limits.output_bytes) return ConfinedEnd::output;
      const double elapsed = seconds_since(start_);
      if (elapsed > limits.seconds) return ConfinedEnd::time;
      if (elapsed < next_look) continue;
      next_look = elapsed + (elapsed < 1.0 ? 0.05 : 0.2);
      const TreeUse use = use_of(descendants_of(guardian));
      if (limits.processes > 0 && use.running > limits.processes) return ConfinedEnd::processes;
      if (limits.memory_bytes > 0 && use.bytes > limits.memory_bytes) return ConfinedEnd::memory;
    }
  }

  /// Takes what is there, waiting at most so long for something; false when there was nothing.
  bool read_for(int milliseconds) {
    std::array<pollfd, 3> ends = {
        {{out_.read_end, POLLIN, 0}, {err_.read_end, POLLIN, 0}, {report_.read_end, POLLIN, 0}}};
    if (poll(ends.data(), ends.size(), milliseconds) <= 0) return false;
    if (ends[0].revents) take(out_.read_end, kept_[0]);
    if (ends[1].revents) take(err_.read_end, kept_[1]);
    if (ends[2].revents) take_report();
    return true;
  }

  void take(int& end, Kept& kept) {
    char bytes[65536];
    const ssize_t count = read(end, bytes, sizeof bytes);
    if (count <= 0) return Pipe::close_end(end);
    result_.printed += static_cast<std::uint64_t>(count);
    kept.add(bytes, static_cast<std::size_t>(count));
  }

  void take_report() {
    int status = 127 << 8;
    [[maybe_unused]] const auto count = read(report_.read_end, &status, sizeof status);
    Pipe::close_end(report_.read_end);
    has_ended_ = true;
    constexpr int by_signal = 128;  // how a shell tells of it
    if (WIFSIGNALED(status)) result_.signal = WTERMSIG(status);
    if (WIFEXITED(status)) result_.exit_status = WEXITSTATUS(status);
    if (result_.exit_status > by_signal && result_.exit_status <= by_signal + SIGRTMAX)
      result_.signal = std::exchange(result_.exit_status, 0) - by_signal;
  }

  const ConfinedRequest& request_;
  Pipe out_, err_, report_;
  Clock::time_point start_;
  std::array<Kept, 2> kept_;
  bool has_ended_ = false;
  ConfinedResult result_;
};

/// From the supervisor to the driver.
json to_json(const ConfinedResult& r) {
  return {{"end", static_cast<int>(r.end)},
          {"exit_status", r.exit_status},
          {"signal", r.signal},
          {"seconds", r.seconds},
          {"start_error", r.start_error},
          {"output", r.output},
          {"errors", r.errors},
          {"printed", r.printed},
          {"left_behind", r.left_behind}};
}

ConfinedResult from_json(const json& all) {
  ConfinedResult r;
  r.end = static_cast<ConfinedEnd>(all.at("end").get<int>());
  all.at("exit_status").get_to(r.exit_status);
  all.at("signal").get_to(r.signal);
  all.at("seconds").get_to(r.seconds);
  all.at("start_error").get_to(r.start_error);
  all.at("output").get_to(r.output);
  all.at("errors").get_to(r.errors);
  all.at("printed").get_to(r.printed);
  all.at("left_behind").get_to(r.left_behind);
  return r;
}

std::string text_in(std::FILE* file) {
  std::rewind(file);
  std::string text;
  char bytes[4096];
  for (std::size_t n = 0; (n = std::fread(bytes, 1, sizeof bytes, file)) > 0;) text.append(bytes, n);
  return text;
}

}  // namespace

ConfinedResult run_confined(const ConfinedRequest& request, SignalWatch& signals,
                            const std::function<void(double)>& on_tick) {
  constexpr double to_end_all = 20.0;  // seconds beyond the limit
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> report(std::tmpfile(), std::fclose);
  if (!report) throw bad_input("temporary files: expected to create one, found: {}", std::strerror(errno));
  const pid_t supervisor = fork_worker(signals, [&] {
    told_to_stop = 0;
    try {
      const std::string line = json_line(to_json(Supervisor(request).supervise()));
      const bool whole = std::fwrite(line.data(), 1, line.size(), report.get()) == line.size();
      return whole && std::fflush(report.get()) == 0 ? 0 : 1;
    } catch (const std::exception&) {
      return 1;
    }
  });
  const ProcessResult ended = await_worker(supervisor, request.limits.seconds + to_end_all, signals, on_tick);
  ConfinedResult result;
  try {
    result = from_json(json::parse(text_in(report.get())));
  } catch (const std::exception&) {
    result.end = ConfinedEnd::no_start;
    result.start_error = ended.timed_out ? "it could not be ended" : "what watches it was ended";
  }
  if (ended.stopped_by != 0) result.end = ConfinedEnd::stopped;
  return result;
}

}  // namespace boltzmark
