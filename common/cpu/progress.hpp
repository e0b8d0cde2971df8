// Progress of threads and rows, for which their neighbours wait.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>

namespace boltzmark {

/// Returns when `is_done()`. After `max_spins` polls it yields the core, since the awaited thread may have been
/// descheduled.
template <class IsDone>
void spin_until(IsDone&& is_done, int max_spins) {
  for (int spins = 0; !is_done();) {
    if (spins < max_spins)
      ++spins;
    else
      std::this_thread::yield();
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
}

/// A count that one thread raises and others wait for, on a separate cache line, or on two if processors fetch them in
/// pairs.
struct alignas(128) Progress {
  std::atomic<std::int64_t> done{0};

  void wait_for(std::int64_t wanted) const {
    spin_until([&] { return done.load(std::memory_order_acquire) >= wanted; }, 2000);
  }
  void reach(std::int64_t count) { done.store(count, std::memory_order_release); }
};

/// Counts, initially zero, in their own memory or in memory provided by the caller, which processes may share.
class ProgressArray {
 public:
  ProgressArray() = default;
  explicit ProgressArray(std::size_t size, Progress* shared = nullptr)
      : own_(shared ? nullptr : std::make_unique<Progress[]>(size)), all_(shared ? shared : own_.get()) {}
  explicit operator bool() const { return all_ != nullptr; }
  Progress& operator[](std::size_t i) const { return all_[i]; }

 private:
  std::unique_ptr<Progress[]> own_;
  Progress* all_ = nullptr;
};

/// The time steps done by each row of a strip, for the threads that share it. In a step a row reads, and may write,
/// only itself and its two neighbours. It may be updated as soon as these three have done the step before, by any
/// thread and in any order; threads wait for nothing else.
class RowClock {
 public:
  /// Rows -halo_rows .. rows-1+halo_rows, none of which has done a step; halo rows are not received yet, so that step 0
  /// waits for reach(y, 0). Without halo rows, row -1 is row rows-1. A single worker needs no counts and waits for
  /// nothing.
  RowClock(int rows, int halo_rows, int workers) : rows_(rows), halo_rows_(halo_rows) {
    if (workers == 1) return;
    steps_ = ProgressArray(static_cast<std::size_t>(rows + 2 * halo_rows));
    for (int beyond = 0; beyond < halo_rows; ++beyond) {
      reach(-1 - beyond, -1);
      reach(rows + beyond, -1);
    }
  }

  /// Returns when row y may do time step `step` (from 0).
  void wait_to_do(int y, int step) const {
    if (!steps_) return;
    row(y + 1).wait_for(step);
    row(y - 1).wait_for(step);
    row(y).wait_for(step);
  }
  /// Returns when row y has done that many steps.
  void wait_for(int y, int steps) const {
    if (steps_) row(y).wait_for(steps);
  }
  /// Row y has done that many steps.
  void reach(int y, int steps) {
    if (steps_) row(y).reach(steps);
  }

 private:
  Progress& row(int y) const {
    if (halo_rows_ > 0) return steps_[static_cast<std::size_t>(y + halo_rows_)];
    return steps_[static_cast<std::size_t>(y < 0 ? y + rows_ : y >= rows_ ? y - rows_ : y)];
  }

  int rows_, halo_rows_;
  ProgressArray steps_;
};

}  // namespace boltzmark
