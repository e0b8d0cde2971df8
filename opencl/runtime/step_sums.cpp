#include "opencl/runtime/step_sums.hpp"

#include <algorithm>

#include "opencl/runtime/launch.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {

template <class T>
StepSums<T>::StepSums(std::size_t groups, int delay, int at_once, bool is_repeated)
    : groups_(groups), delay_(std::min(delay, most_sums)), at_once_(at_once), is_repeated_(is_repeated) {
  constexpr int enough = Repeated::most_commands;  // launches of single steps between two additions
  const auto fit = partial_sums_bytes / (groups * sizeof(T));
  block_steps_ = static_cast<int>(std::clamp<std::size_t>(fit, 1, std::max(enough, at_once)));
  for (const int launches : {1, 2})
    if (block_steps_ / launches > at_once) block_steps_ -= block_steps_ % (launches * at_once);
  block_steps_ = std::min(block_steps_, delay_);
}

template <class T>
std::vector<BufferRequest> StepSums<T>::buffers() {
  return {{&partial_sums_, block_steps_ * groups_ * sizeof(T)}, {&sums_, delay_ * sizeof(T)}};
}

template <class T>
void StepSums<T>::set_up(const cl::Program& program, const ComputeDevice& device) {
  kernel_ = cl::Kernel(program, "sum_steps");
  // A processor runs the items of a group one after the other and stops all of them at each barrier: a step's few sums
  // are added up sooner by one item than by many that find nothing.
  constexpr std::size_t most_items = 256, sums_an_item = 64;
  const std::size_t wanted = device.type == DeviceType::cpu
                                 ? std::clamp<std::size_t>(groups_ / sums_an_item, 1, most_items)
                                 : most_items;
  items_ = std::min<std::size_t>(wanted, kernel_.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device.handle));
  set_arguments(kernel_, 0, partial_sums_, static_cast<cl_int>(groups_), sums_,
                cl::Local(sizeof(T) * items_));
}

template <class T>
void StepSums<T>::enqueue_sums(cl::CommandQueue& queue, int first_step, int count) {
  set_arguments(kernel_, first_step);
  queue.enqueueNDRangeKernel(kernel_, cl::NullRange, cl::NDRange(count * items_), cl::NDRange(items_));
}

template <class T>
void StepSums<T>::enqueue_block(cl::CommandQueue& queue, int first_step, int count,
                                const std::function<void(int, int, int)>& enqueue_steps) {
  constexpr int launches_a_flush = 64;
  for (int i = 0; i < count; i += at_once_) {
    enqueue_steps(first_step + i, std::min(at_once_, count - i), static_cast<int>(i * groups_));
    if (i / at_once_ % launches_a_flush == 0) queue.flush();
  }
}

template <class T>
void StepSums<T>::run(cl::CommandQueue& queue, int steps, double divisor, int most_pending,
                      const std::function<void(int step, int count, int first_sum)>& enqueue_steps,
                      std::span<double> means) {
  constexpr int worth_recording = 4;  // blocks
  const bool is_recorded =
      is_repeated_ && block_steps_ % (2 * at_once_) == 0 && steps / block_steps_ > worth_recording;
  std::vector<T> sums(static_cast<std::size_t>(std::min(delay_, steps)));
  for (int done = 0, pending = 0, launches = 0; done < steps;) {
    const int wanted = std::min(delay_, steps - done);  // steps until the host reads
    for (int summed = 0; summed < wanted;) {
      const int count = std::min(block_steps_, wanted - summed);
      const int step = done + summed;
      const auto enqueue = [&] { enqueue_block(queue, step, count, enqueue_steps); };
      if (is_recorded && count == block_steps_ && launches % 2 == 0 && step + count < steps)
        block_.enqueue(queue, enqueue);
      else
        enqueue();
      launches += (count + at_once_ - 1) / at_once_;
      enqueue_sums(queue, summed, count);
      summed += count;
      pending += count;
      if (pending < most_pending) continue;
      queue.finish();
      pending = 0;
    }
    queue.enqueueReadBuffer(sums_, CL_TRUE, 0, wanted * sizeof(T), sums.data());
    for (int i = 0; i < wanted; ++i) means[done + i] = static_cast<double>(sums[i]) / divisor;
    done += wanted;
  }
  queue.finish();
}

template class StepSums<float>;
template class StepSums<double>;

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
