// How long a device waits for halo rows, by the device's own clock.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "common/device/session.hpp"

namespace boltzmark::mpi {

using namespace device;

/// Timed are reads of one word, in queues of their own and not in every exchange: NVIDIA's driver puts
/// microseconds between the commands of a timed queue, and gives markers no time of their own.
class HaloClock {
 public:
  /// The session must outlive it. Throws Error (unavailable).
  explicit HaloClock(Session& session)
      : queues_{session.another_queue(QueueKind::timed), session.another_queue(QueueKind::timed)},
        copies_(session.pinned(queues_.size() * sizeof(std::uint32_t))) {
    session.allocate({{&word_, sizeof(std::uint32_t)}});
  }

  /// Of one exchange after the other: from the end of the last launch that needs no halo rows, if there is
  /// one, until they are there. Both have been flushed to the device. Throws Failure.
  void begin(const Event& last_work) {
    const bool is_first = exchanges_ < stride;
    is_timing_ = last_work && (is_first || exchanges_ % stride == 0);
    ++exchanges_;
    if (!is_timing_) return;
    waits_.push_back({{}, is_first ? 1 : stride});
    read_word(0, Events(&last_work, 1));
  }
  void end(const std::vector<Event>& written) {
    if (!is_timing_) return;
    read_word(1, written);
    while (waits_.size() > 1 && is_over(waits_.front())) add_oldest();  // events are memory of the driver
  }

  /// Seconds that the device waited since the last call, in all exchanges; returns when the last one is over.
  /// Throws Failure.
  double take_seconds() {
    for (const Queue& queue : queues_) queue->finish();
    if (!waits_.empty()) {  // fewer may have followed the last one than it represents
      const auto followed = static_cast<int>((exchanges_ - 1) % stride) + 1;
      waits_.back().exchanges = std::min(waits_.back().exchanges, followed);
    }
    while (!waits_.empty()) add_oldest();
    exchanges_ = 0;
    return std::exchange(seconds_, 0.0);
  }

 private:
  static constexpr int stride = 8;  ///< one exchange in so many is timed, and at first so many in a row

  struct Wait {
    std::array<Event, 2> ends;  ///< of the work, and of the wait
    int exchanges;              ///< that it represents
  };

  void read_word(int which, Events after) {
    queues_[which]->start_read(word_, {0, sizeof(std::uint32_t)}, static_cast<std::uint32_t*>(copies_.host()) + which,
                               after, &waits_.back().ends[which]);
    queues_[which]->flush();
  }
  static bool is_over(const Wait& wait) {
    return std::all_of(wait.ends.begin(), wait.ends.end(), [](const Event& event) { return event->is_complete(); });
  }
  /// Adds up the oldest one, which is over.
  void add_oldest() {
    const Wait& wait = waits_.front();
    const std::uint64_t from = wait.ends[0]->nanoseconds()[1], to = wait.ends[1]->nanoseconds()[1];
    if (to > from) seconds_ += 1e-9 * static_cast<double>(to - from) * wait.exchanges;
    waits_.pop_front();
  }

  std::array<Queue, 2> queues_;
  Buffer word_, copies_;
  std::int64_t exchanges_ = 0;
  bool is_timing_ = false;
  std::deque<Wait> waits_;
  double seconds_ = 0.0;
};

}  // namespace boltzmark::mpi
