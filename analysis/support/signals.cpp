#include "analysis/support/signals.hpp"

#include <ctime>
#include <initializer_list>

namespace boltzmark {

SignalWatch::SignalWatch() {
  sigemptyset(&watched_);
  for (const int stop : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    sigaction(stop, nullptr, &action);
    if (action.sa_handler != SIG_IGN) sigaddset(&watched_, stop);
  }
  sigaddset(&watched_, SIGCHLD);
  // Whoever started us may have left SIGCHLD ignored; then the system would throw exit statuses away.
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

}  // namespace boltzmark
