// The cores that this process may use: their caches as hwloc reports them, threads bound to them, and their clock.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "analysis/store/peaks.hpp"

namespace boltzmark {

struct Topology {
  /// One hardware thread of every usable physical core, by the system's number: as many as
  /// usable_physical_cores() says.
  std::vector<int> processors;
  int sockets = 1, cores_of_socket = 1;  ///< packages behind these, and how many of these the first one has
  std::int64_t memory_bytes = 0;         ///< of the machine
  std::vector<CacheLevel> caches;        ///< data and unified ones that these cores reach, from level 1 on
};

/// A level that reports no size (some virtual machines) is left out; one whose instances differ counts with
/// its smallest. Throws Error (unavailable) when hwloc cannot tell.
Topology read_topology();

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

/// Cycles a second, from a chain of dependent integer additions: each waits for the one before, and an addition of two
/// registers takes one cycle on every processor in use, however many units it has. Takes a fifth of a millisecond; of
/// several stretches the fastest counts, for an interrupt only ever makes one slower. What the core did just before
/// still sets the clock: processors that slow down for wide vectors need longer than this to speed up again.
double measure_clock_hz();

}  // namespace boltzmark
