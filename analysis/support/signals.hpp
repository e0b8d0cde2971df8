// Signals as events to wait for, so that no handler runs in the middle of something.
#pragma once

#include <csignal>

namespace boltzmark {

/// While one lives, SIGINT, SIGTERM, SIGHUP and SIGCHLD are blocked and only seen through wait(). A signal
/// that was ignored on entry (nohup, a background job) stays ignored. Only one at a time.
class SignalWatch {
 public:
  SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;
  ~SignalWatch();

  /// Sleeps until a child process changes, a stop signal comes or `seconds` have passed.
  void wait(double seconds);
  /// The first stop signal seen so far, 0 for none.
  int stopped_by() const { return stopped_by_; }
  /// The mask for child processes: the one from before, with the signals above let through.
  const sigset_t& child_mask() const { return child_mask_; }

 private:
  sigset_t watched_{}, before_{}, child_mask_{};
  struct sigaction child_action_before_ {};
  int stopped_by_ = 0;
};

}  // namespace boltzmark
