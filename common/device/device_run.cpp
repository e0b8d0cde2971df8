#include "common/device/device_run.hpp"

namespace boltzmark::device {

void DeviceRun::prepare(std::string_view source, const KernelShape& shape, std::optional<StepSums> sums,
                        const std::vector<BufferRequest>& buffers) {
  session_.emplace(device_, build_options_);
  module_ = session_->build(source, shape);
  sums_ = std::move(sums);
  auto requests = sums_ ? sums_->buffers() : std::vector<BufferRequest>{};
  requests.insert(requests.end(), buffers.begin(), buffers.end());
  session_->allocate(requests);
  attempt("set up the kernels", [&] {
    make_kernels();
    if (sums_) sums_->set_up(module_, device_);
  });
  session_->first_launches(shape.group, [&] {
    launch_first();
    if (sums_) sums_->enqueue_sums(session_->queue(), 0, 1);
  });
  // The sums of steps alone: groups of some kernels leave their partial sums as they are, zeros.
  if (sums_) session_->spoil({sums_->buffers().back()});
  session_->upload([&] { start(); });
}

void DeviceRun::run_steps(int steps, double divisor, const StepSums::EnqueueSteps& enqueue_steps,
                          std::span<double> means, int most_pending) {
  attempt("run the time steps",
          [&] { sums_->run(session_->queue(), steps, divisor, most_pending, enqueue_steps, means); });
}

}  // namespace boltzmark::device
