// Runs another program under a time limit, in a process group of its own, with its output in files.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/support/signals.hpp"

namespace boltzmark {

/// Variables and values for a child process.
using Environment = std::vector<std::pair<std::string, std::string>>;

struct ProcessRequest {
  std::vector<std::string> command;  ///< the program is looked up in PATH when it has no slash
  Environment environment = {};      ///< set in the child unless the user has set them
  std::filesystem::path stdout_file = {}, stderr_file = {};  ///< written anew; "" = thrown away
  double time_limit_seconds = 60.0;
};

/// How a process ended; at most one of the causes below is set besides `exit_status`.
struct ProcessResult {
  int exit_status = 0;      ///< when it ended by itself
  int signal = 0;           ///< that ended it, not sent by us
  bool timed_out = false;   ///< reached the time limit and was killed
  int stopped_by = 0;       ///< stop signal we were sent, whereupon it was killed
  std::string start_error;  ///< why it could not be started, "" if it was
  double seconds = 0.0;     ///< from start to end
};

/// Runs a program to its end. On the time limit or a stop signal its whole process group is told to end
/// (SIGTERM: a launcher then ends its ranks) and two seconds later killed. `on_tick` gets the elapsed seconds
/// about once a second. Throws Error (bad_input) when an output file cannot be written.
ProcessResult run_process(const ProcessRequest& request, SignalWatch& signals,
                          const std::function<void(double)>& on_tick = {});

/// What a short-lived program prints.
struct CapturedProcess {
  ProcessResult result;
  std::string output, errors;  ///< standard output and standard error
};
CapturedProcess capture_process(ProcessRequest request, SignalWatch& signals);

/// Forks a process that does `work` and ends with what it returns. It dies with this process, and leads a
/// process group of its own.
pid_t fork_worker(const SignalWatch& signals, const std::function<int()>& work);

/// Waits for such a process, and ends it with its group, as run_process() does.
ProcessResult await_worker(pid_t leader, double time_limit_seconds, SignalWatch& signals,
                           const std::function<void(double)>& on_tick = {});

/// Ends a process group whose leader is our child: SIGTERM, after two seconds SIGKILL. Returns once the
/// leader is reaped.
void end_group(pid_t leader, SignalWatch& signals);

/// A command as a shell takes it: words with anything unusual in them are quoted.
std::string shell_line(const std::vector<std::string>& command);

/// The program's file, looked up in PATH when the name has no slash; "" if there is none.
std::filesystem::path find_program(const std::string& name);

}  // namespace boltzmark
