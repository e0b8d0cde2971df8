// Child processes with a time limit, each in a separate process group; signals as events to wait for.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace boltzmark {

namespace fs = std::filesystem;

/// Thrown after a stop signal.
struct Stopped {};

/// While one exists, SIGINT, SIGTERM, SIGHUP and SIGCHLD are blocked and reported only by wait(). A signal that was
/// ignored on entry (nohup, a background job) stays ignored. Only one at a time.
class SignalWatch {
 public:
  SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;
  ~SignalWatch();

  /// Sleeps until a child process changes state, a stop signal arrives or `seconds` have passed.
  void wait(double seconds);
  /// The first stop signal seen so far, 0 for none.
  int stopped_by() const { return stopped_by_; }
  /// Throws Stopped if there was one.
  void expect_none() const {
    if (stopped_by_ != 0) throw Stopped();
  }
  /// The mask for child processes: the original one, with the signals above unblocked.
  const sigset_t& child_mask() const { return child_mask_; }

 private:
  sigset_t watched_{}, before_{}, child_mask_{};
  struct sigaction child_action_before_ {};
  int stopped_by_ = 0;
};

/// A file for a child's output, without a name.
class TemporaryFile {
 public:
  TemporaryFile();  ///< throws Error (bad_input)
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::fclose(file_); }

  fs::path path() const;  ///< by which this process can open it
  std::size_t size() const;
  /// All of it, or if it is longer than 2 * `most` its first and last `most` bytes.
  std::string text(std::size_t most = SIZE_MAX / 2) const;

 private:
  std::FILE* file_;
};

/// Called about once a second with the elapsed seconds.
using Tick = std::function<void(double)>;

/// Variables and values for a child process.
using Environment = std::vector<std::pair<std::string, std::string>>;

struct ProcessRequest {
  std::vector<std::string> command;             ///< the program is looked up in PATH if it has no slash
  Environment environment = {};                 ///< set in the child unless the user has set them
  fs::path stdout_file = {}, stderr_file = {};  ///< overwritten; "" = discarded
  fs::path report_file = {};                    ///< overwritten: the child's descriptor 3
  double time_limit_seconds = 60.0;
  double grace_seconds = 2.0;                ///< between SIGTERM and SIGKILL
  double look_seconds = 1.0;                 ///< between two calls of `goes_on` and on_tick
  std::function<bool()> goes_on = {};        ///< if false, the child is killed
  std::function<void()> before_reaped = {};  ///< called after it ended by itself, while its orphans still run
};

/// How a process ended; at most one of the causes below is set besides `exit_status`.
struct ProcessResult {
  int exit_status = 0;      ///< when it ended by itself
  int signal = 0;           ///< that ended it, not sent by the driver
  bool timed_out = false;   ///< reached the time limit and was killed
  bool cut_short = false;   ///< killed because `goes_on` returned false
  int stopped_by = 0;       ///< stop signal of the driver, which then killed it
  std::string start_error;  ///< why it could not be started, "" if it was
  double seconds = 0.0;     ///< from start to end
};

/// On the time limit or a stop signal its whole process group gets SIGTERM (a launcher then ends its ranks) and after
/// the grace SIGKILL. Throws Error (bad_input) when an output file cannot be written.
ProcessResult run_process(const ProcessRequest& request, SignalWatch& signals, const Tick& on_tick = {});

struct CapturedProcess {
  ProcessResult result;
  std::string output, errors;
};
CapturedProcess capture_process(ProcessRequest request, SignalWatch& signals);

/// "ended by signal 11 (Segmentation fault)", "ended with status 3".
std::string end_words(const ProcessResult& result);

/// Why a program with --describe or a measuring program failed, in one line; "" if it did not.
std::string failure_of(const ProcessResult& result, const std::string& errors, const std::string& program,
                       double time_limit_seconds);

/// The line of standard error with the reason of a failure: the program's last error, or else the cause according to
/// its launcher, or the last line; "" if there is none.
std::string reason_in(const std::string& errors, const std::string& program);

/// Replaces the program of this process; returns only if that fails, with the reason in errno.
void become(const fs::path& program, std::vector<std::string> command);

/// Forks the leader of a process group, which does `work`, ends with its return value, and dies with this process.
pid_t fork_worker(const SignalWatch& signals, const std::function<int()>& work);

/// Ends and reaps a process group whose leader is a child: SIGTERM, and SIGKILL after the grace.
void end_group(pid_t leader, SignalWatch& signals, double grace_seconds = 2.0);

/// The last bytes of a file, "" if there is none.
std::string tail_of(const fs::path& file, std::size_t most = 65536);

/// A command for a shell: words with unusual characters are quoted.
std::string shell_line(const std::vector<std::string>& command);

/// Words in braces in a command ("{ranks}") and their replacements, in order.
using Marks = std::vector<std::pair<std::string, std::string>>;
std::string replaced(std::string text, const Marks& marks);

/// Throws Error (bad_input) if the text has braces with another word. `where` names the option or plan key.
void check_marks(const std::string& text, const std::vector<std::string>& marks, const std::string& where);

/// Such a line without a flag, for a repeated call.
std::string without_option(std::string line, const std::string& flag);

/// The text with underscores for the characters of ASCII that are unusual in a file name.
std::string file_name_of(std::string text);

/// The program's file, looked up in PATH if the name has no slash; "" if there is none.
fs::path find_program(const std::string& name);

}  // namespace boltzmark
