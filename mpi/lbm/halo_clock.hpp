// How long a device waits for halo rows, by the device's own clock.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "common/device/session.hpp"

namespace boltzmark::mpi {

/// Timed are reads of one word, in queues of their own and not in every exchange: NVIDIA's driver puts
/// microseconds between the commands of a timed queue, and gives markers no time of their own.
class HaloClock {
 public:
  /// The session must outlive it. Throws Error (unavailable).
  explicit HaloClock(device::Session& session);

  /// Of one exchange after the other: from the end of the last launch that needs no halo rows, if there is
  /// one, until they are there. Both have been flushed to the device. Throws Failure.
  void begin(const device::Event& last_work);
  void end(const std::vector<device::Event>& written);

  /// Seconds that the device waited since the last call, in all exchanges; returns when the last one is over.
  /// Throws Failure.
  double take_seconds();

 private:
  static constexpr int stride = 8;  ///< one exchange in so many is timed, and at first so many in a row

  struct Wait {
    std::array<device::Event, 2> ends;  ///< of the work, and of the wait
    int exchanges;                      ///< that it represents
  };

  void read_word(int which, device::Events after);
  static bool is_over(const Wait& wait);
  /// Adds up the oldest one, which is over.
  void add_oldest();

  std::array<device::Queue, 2> queues_;
  device::Buffer word_, copies_;
  std::int64_t exchanges_ = 0;
  bool is_timing_ = false;
  std::deque<Wait> waits_;
  double seconds_ = 0.0;
};

}  // namespace boltzmark::mpi
