// Calls of a model's runtime, counted where they are made: queues of OpenCL and CUDA, target regions of OpenMP. Models
// on threads and ranks count nothing.
#pragma once

#include <cstdint>
#include <functional>

namespace boltzmark {

struct Calls {
  std::int64_t launches = 0;  ///< kernels, recorded graphs or target regions that the host started
  std::int64_t waits = 0;     ///< number of times that the host waited for the device
  // Shortest times of small_kernels(), measured after the run; 0 in older records.
  double launch_seconds = 0.0;  ///< of a kernel in a sequence, start to start
  double wait_seconds = 0.0;    ///< of one kernel and the host's wait for it
};

/// Counts of this process since its start, by the thread that runs the workload.
inline Calls calls;

/// Sends the open device a small command and waits, or has all of a library's threads come; set by whoever opens the
/// device or starts the threads. Called untimed before every timed run: an idle GPU starts its next command 3 to 28
/// microseconds later, threads that sleep 20 to 30 (docs/develop/lessons.md).
inline std::function<void()> wake_device;

/// Starts this many kernels with almost no work, one by one, and waits for the last; set as wake_device is, by models
/// whose calls are counted.
inline std::function<void(int)> small_kernels;

/// Calls since an earlier count.
inline Calls operator-(const Calls& now, const Calls& before) {
  return {now.launches - before.launches, now.waits - before.waits};
}

}  // namespace boltzmark
