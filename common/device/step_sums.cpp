#include "common/device/step_sums.hpp"

#include <algorithm>

#include "common/device/host_values.hpp"

namespace boltzmark::device {

StepSums::StepSums(Precision precision, std::size_t groups, int delay, int at_once, bool is_repeated)
    : precision_(precision),
      value_bytes_(static_cast<std::size_t>(bytes_of(precision))),
      groups_(groups),
      delay_(std::min(delay, most_sums)),
      at_once_(at_once),
      is_repeated_(is_repeated && api().records) {
  const int enough = api().most_recorded;  // launches of single steps between two additions
  const auto fit = partial_sums_bytes / (groups * value_bytes_);
  block_steps_ = static_cast<int>(std::clamp<std::size_t>(fit, 1, std::max(enough, at_once)));
  for (const int launches : {1, 2})
    if (block_steps_ / launches > at_once) block_steps_ -= block_steps_ % (launches * at_once);
  block_steps_ = std::min(block_steps_, delay_);
}

std::vector<BufferRequest> StepSums::buffers() {
  return {{&partial_sums_, block_steps_ * groups_ * value_bytes_}, {&sums_, delay_ * value_bytes_}};
}

void StepSums::set_up(const Module& module, const ComputeDevice& device) {
  // A processor runs the items of a group in turn and stops all of them at each barrier, so a single item adds up the
  // few sums of a step sooner than many items that find nothing to do.
  constexpr std::size_t most_items = 256, sums_an_item = 64;
  const std::size_t wanted =
      device.type == DeviceType::cpu ? std::clamp<std::size_t>(groups_ / sums_an_item, 1, most_items) : most_items;
  kernel_ = Kernel(module, "sum_steps");
  items_ = std::min(wanted, kernel_.most_items());
  kernel_.rebind(0, partial_sums_, static_cast<std::int32_t>(groups_), sums_, Local{value_bytes_ * items_});
}

void StepSums::enqueue_sums(const Queue& queue, int first_step, int count) const {
  kernel_.rebind(first_step);
  queue->launch(kernel_, Range(count * items_), Range(items_));
}

void StepSums::enqueue_block(const Queue& queue, int first_step, int count, const EnqueueSteps& enqueue_steps) const {
  constexpr int launches_a_flush = 64;
  for (int i = 0; i < count; i += at_once_) {
    enqueue_steps(first_step + i, std::min(at_once_, count - i), static_cast<int>(i * groups_));
    if (i / at_once_ % launches_a_flush == 0) queue->flush();
  }
}

void StepSums::read_means(const Queue& queue, double divisor, std::span<double> means) const {
  HostValues sums(precision_, static_cast<std::int64_t>(means.size()));
  queue->read(sums_, 0, sums.bytes(), sums.data());
  for (std::size_t step = 0; step < means.size(); ++step) means[step] = sums[step] / divisor;
}

void StepSums::run(const Queue& queue, int steps, double divisor, int most_pending, const EnqueueSteps& enqueue_steps,
                   std::span<double> means) {
  constexpr int worth_recording = 4;  // blocks
  const bool is_recorded = is_repeated_ && block_steps_ % (2 * at_once_) == 0 && steps / block_steps_ > worth_recording;
  for (int done = 0, pending = 0, launches = 0; done < steps;) {
    const int wanted = std::min(delay_, steps - done);  // steps until the host reads
    for (int summed = 0; summed < wanted;) {
      const int count = std::min(block_steps_, wanted - summed);
      const int step = done + summed;
      const auto enqueue = [&] { enqueue_block(queue, step, count, enqueue_steps); };
      if (is_recorded && count == block_steps_ && launches % 2 == 0 && step + count < steps)
        queue->repeat(block_, enqueue);
      else
        enqueue();
      launches += (count + at_once_ - 1) / at_once_;
      enqueue_sums(queue, summed, count);
      summed += count;
      pending += count;
      if (pending < most_pending) continue;
      queue->finish();
      pending = 0;
    }
    read_means(queue, divisor, means.subspan(done, wanted));
    done += wanted;
  }
  queue->finish();
}

}  // namespace boltzmark::device
