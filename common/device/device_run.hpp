// What a run of time steps does on a device, whatever it computes: open, build, allocate, first launches, start state;
// then steps that leave a sum each.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "common/device/session.hpp"
#include "common/device/step_sums.hpp"

namespace boltzmark::device {

class DeviceRun {
 public:
  virtual ~DeviceRun() = default;
  Session& session() { return *session_; }

 protected:
  DeviceRun(const ComputeDevice& device, const BuildOptions& options) : device_(device), build_options_(options) {}

  /// Brings the run to where its first step can be launched. `buffers`: besides those of the sums. Throws Error as
  /// Session does.
  void prepare(std::string_view source, const KernelShape& shape, std::optional<StepSums> sums,
               const std::vector<BufferRequest>& buffers);

  /// Makes the kernels of module_ with their arguments.
  virtual void make_kernels() = 0;
  /// Enqueues every kernel once, on buffers of zeros, which they leave as they are.
  virtual void launch_first() = 0;
  /// Enqueues what makes the start state.
  virtual void start() = 0;

  /// The timed steps; see StepSums::run.
  void run_steps(int steps, double divisor, const StepSums::EnqueueSteps& enqueue_steps, std::span<double> means,
                 int most_pending = 4096);

  ComputeDevice device_;
  BuildOptions build_options_;
  std::optional<Session> session_;
  std::optional<StepSums> sums_;
  Module module_;
};

}  // namespace boltzmark::device
