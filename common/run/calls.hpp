// Calls of a model's runtime, counted where they are made: queues of OpenCL and CUDA, target regions of OpenMP. Models
// on threads and ranks count nothing.
#pragma once

#include <cstdint>
#include <functional>

namespace boltzmark {

struct Calls {
  std::int64_t launches = 0;  ///< kernels, recorded graphs or target regions that the host started
  std::int64_t waits = 0;     ///< number of times that the host waited for the device
};

/// Of this process since its start, by the thread that runs the workload.
inline Calls calls;

/// Sends the open device a small command and waits, or has all of a library's threads come; set by whoever opens the
/// device or starts the threads. Called untimed before every timed run: an idle GPU starts its next command 3 to 28
/// microseconds later, threads that sleep 20 to 30 (docs/develop/lessons.md).
inline std::function<void()> wake_device;

/// Calls since an earlier count.
inline Calls operator-(const Calls& now, const Calls& before) {
  return {now.launches - before.launches, now.waits - before.waits};
}

}  // namespace boltzmark
