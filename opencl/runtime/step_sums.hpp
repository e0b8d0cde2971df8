// A sum per time step on its way from the kernels to the host: each step leaves one partial sum per work-group, the
// device adds those of a step to one number, and the host reads these numbers once in a while.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "opencl/runtime/session.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {

/// Sums of values of type T.
template <class T>
class StepSums {
 public:
  /// `groups` partial sums per step, read every `delay` steps, and up to `at_once` steps in a launch. is_repeated: what
  /// run() has enqueued for a step but the run's last ones is the same for one an even number of launches later.
  StepSums(std::size_t groups, int delay, int at_once = 1, bool is_repeated = false);

  std::vector<BufferRequest> buffers();
  /// Takes sum_steps from a program that has it (kernels/sum_steps.h).
  void set_up(const cl::Program& program, const ComputeDevice& device);
  const cl::Buffer& partial_sums() const { return partial_sums_; }

  /// Runs time steps and brings their sums to the host, each divided by `divisor`, into `means`.
  /// `enqueue_steps(step, count, first_sum)` enqueues steps number `step` to `step + count - 1` of the run, which leave
  /// their partial sums, step by step, from index `first_sum` on.
  /// `most_pending` bounds how many steps the queue is given before it is waited for.
  void run(cl::CommandQueue& queue, int steps, double divisor, int most_pending,
           const std::function<void(int step, int count, int first_sum)>& enqueue_steps,
           std::span<double> means);

  /// Enqueues the adding up of `count` steps, whose sums go to position `first_step` on.
  void enqueue_sums(cl::CommandQueue& queue, int first_step, int count);

 private:
  static constexpr std::size_t partial_sums_bytes = std::size_t{64} << 20;
  static constexpr int most_sums = 1 << 18;  ///< a longer run is read in between all the same

  std::size_t groups_;
  void enqueue_block(cl::CommandQueue& queue, int first_step, int count,
                     const std::function<void(int step, int count, int first_sum)>& enqueue_steps);

  int delay_, at_once_;
  bool is_repeated_;
  Repeated block_;   ///< the steps of a whole block
  int block_steps_;  ///< steps whose partial sums fit the buffer
  cl::Kernel kernel_;
  std::size_t items_ = 1;  ///< work-items that sum one step
  cl::Buffer partial_sums_, sums_;
};

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
