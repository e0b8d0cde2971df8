// A sum per time step on its way from the kernels to the host: each step leaves one partial sum per work-group, the
// device adds those of a step to one number, and the host reads these numbers from time to time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "common/device/session.hpp"

namespace boltzmark::device {

class StepSums {
 public:
  /// Enqueues steps `step` .. `step + count - 1`; their partial sums go to index `first_sum` on, step by step.
  using EnqueueSteps = std::function<void(int step, int count, int first_sum)>;

  /// Values of this precision: `groups` partial sums per step, read every `delay` steps, and up to `at_once` steps per
  /// launch. is_repeated: except at the end of the run, run() enqueues the same commands for steps that are an even
  /// number of launches apart.
  StepSums(Precision precision, std::size_t groups, int delay, int at_once = 1, bool is_repeated = false);

  std::vector<BufferRequest> buffers();
  /// Takes the kernel sum_steps from a module (opencl/runtime/kernels/sum_steps.h).
  void set_up(const Module& module, const ComputeDevice& device);
  const Buffer& partial_sums() const { return partial_sums_; }
  /// Largest number of steps in a launch: more would leave partial sums beyond the buffer.
  int most_at_once() const { return std::min(at_once_, block_steps_); }

  /// Runs time steps and brings their sums to the host, each divided by `divisor`, into `means`. `most_pending` limits
  /// the number of steps in the queue before the host waits for it.
  void run(const Queue& queue, int steps, double divisor, int most_pending, const EnqueueSteps& enqueue_steps,
           std::span<double> means);

  /// Enqueues the adding up of `count` steps, whose sums go to position `first_step` on.
  void enqueue_sums(const Queue& queue, int first_step, int count) const;

 private:
  static constexpr std::size_t partial_sums_bytes = std::size_t{64} << 20;
  static constexpr int most_sums = 1 << 18;  ///< a longer run is read in between anyway

  void enqueue_block(const Queue& queue, int first_step, int count, const EnqueueSteps& enqueue_steps) const;
  void read_means(const Queue& queue, double divisor, std::span<double> means) const;

  Precision precision_;
  std::size_t value_bytes_, groups_;
  int delay_, at_once_;
  bool is_repeated_;
  Recording block_;  ///< the steps of a whole block
  int block_steps_;  ///< steps whose partial sums fit the buffer
  Kernel kernel_;
  std::size_t items_ = 1;  ///< work-items that sum one step
  Buffer partial_sums_, sums_;
};

}  // namespace boltzmark::device
