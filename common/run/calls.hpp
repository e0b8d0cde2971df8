// What a program asks of its model's runtime, counted where the runtime is called: OpenCL's and CUDA's queues, OpenMP's
// target regions. Models on threads and ranks count nothing.
#pragma once

#include <cstdint>
#include <functional>

namespace boltzmark {

struct Calls {
  std::int64_t launches = 0;  ///< kernels, recorded graphs or target regions that the host started
  std::int64_t waits = 0;     ///< how often the host waited until the device was done
};

/// Of this process since it began; of one thread, that which runs the workload.
inline Calls calls;

/// Sends the open device a small command and waits; set by whoever opens it. Called untimed before every timed run: an
/// idle GPU starts its next command 3 to 28 microseconds later (docs/develop/lessons.md).
inline std::function<void()> wake_device;

/// Since an earlier moment.
inline Calls operator-(const Calls& now, const Calls& before) {
  return {now.launches - before.launches, now.waits - before.waits};
}

}  // namespace boltzmark
