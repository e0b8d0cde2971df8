// Threads that stay on a core each and start their work together.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace boltzmark {

class CoreTeam {
 public:
  using Clock = std::chrono::steady_clock;
  using Work = std::function<Clock::time_point(int member)>;

  /// A member for each of these processors (the system's numbers), bound to it; member 0 is the calling
  /// thread. Throws Error (unavailable) when that is not allowed.
  explicit CoreTeam(const std::vector<int>& processors);
  CoreTeam(const CoreTeam&) = delete;
  CoreTeam& operator=(const CoreTeam&) = delete;
  ~CoreTeam();

  int size() const { return static_cast<int>(members_.size()); }
  /// Does work(0) .. work(cores - 1) at the same time, each on its own core. They begin once all are there.
  /// Returns the seconds from the first begin to the last end; each work() returns when its measured part
  /// ended. `work` must not throw. Called by the thread that made the team.
  double run(int cores, const Work& work);

 private:
  struct alignas(128) Member {
    std::atomic<long> calls{0};  ///< to work, or to end
    Clock::time_point begin, end;
    std::thread thread;
  };

  void serve(Member& member, int number, int processor);
  void take_part(Member& member, int number);
  void dismiss();

  std::vector<std::unique_ptr<Member>> members_;
  const Work* work_ = nullptr;  ///< none: the end
  std::atomic<int> absent_{0};  ///< members that have not reached the start line
  std::atomic<int> working_{0};
  std::atomic<int> unbound_processor_{-1};  ///< one that a thread could not be bound to
};

}  // namespace boltzmark
