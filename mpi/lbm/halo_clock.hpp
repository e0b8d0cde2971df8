// How long a device waits for halo rows, by the device's own clock.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "opencl/runtime/api.hpp"
#include "opencl/runtime/pinned_memory.hpp"
#include "opencl/runtime/session.hpp"

namespace boltzmark::mpi::BOLTZMARK_DEVICE_API {
using namespace boltzmark::BOLTZMARK_DEVICE_API;

/// Timed are reads of one word, in queues of their own and not in every exchange: NVIDIA's driver puts
/// microseconds between the commands of a timed queue, and gives markers no time of their own.
class HaloClock {
 public:
  /// The session must outlive it. Throws Error (unavailable).
  explicit HaloClock(Session& session);

  /// Of one exchange after the other: from the end of the last launch that needs no halo rows, if there is
  /// one, until they are there. Both have been flushed to the device. Throws cl::Error.
  void begin(const cl::Event& last_work);
  void end(const std::vector<cl::Event>& written);

  /// Seconds that the device waited since the last call, in all exchanges; returns when the last one is over.
  /// Throws cl::Error.
  double take_seconds();

 private:
  static constexpr int stride = 8;  ///< one exchange in so many is timed, and at first so many in a row

  struct Wait {
    std::array<cl::Event, 2> ends;  ///< of the work, and of the wait
    int exchanges;                  ///< that it stands for
  };

  void read_word(int which, const std::vector<cl::Event>& after);
  static bool is_over(const Wait& wait);
  /// Adds up the oldest one, which is over.
  void add_oldest();

  std::array<cl::CommandQueue, 2> queues_;
  cl::Buffer word_;
  PinnedMemory copies_;
  std::int64_t exchanges_ = 0;
  bool is_timing_ = false;
  std::deque<Wait> waits_;
  double seconds_ = 0.0;
};

}  // namespace boltzmark::mpi::BOLTZMARK_DEVICE_API
