#include "mpi/lbm/halo_clock.hpp"

#include <algorithm>
#include <utility>

namespace boltzmark::mpi::BOLTZMARK_DEVICE_API {
using namespace boltzmark::BOLTZMARK_DEVICE_API;

HaloClock::HaloClock(Session& session)
    : queues_{session.another_queue(true), session.another_queue(true)},
      copies_(session, queues_.size() * sizeof(cl_uint)) {
  session.allocate({{&word_, sizeof(cl_uint)}});
}

void HaloClock::begin(const cl::Event& last_work) {
  const int stands_for = exchanges_ < stride ? 1 : exchanges_ % stride == 0 ? stride : 0;
  ++exchanges_;
  is_timing_ = stands_for > 0 && last_work();
  if (!is_timing_) return;
  waits_.push_back({{}, stands_for});
  read_word(0, {last_work});
}

void HaloClock::end(const std::vector<cl::Event>& written) {
  if (!is_timing_) return;
  read_word(1, written);
  while (waits_.size() > 1 && is_over(waits_.front())) add_oldest();  // events are memory of the driver
}

double HaloClock::take_seconds() {
  for (const cl::CommandQueue& queue : queues_) queue.finish();
  if (!waits_.empty()) {  // fewer may have followed the last one than it stands for
    const auto followed = static_cast<int>((exchanges_ - 1) % stride) + 1;
    waits_.back().exchanges = std::min(waits_.back().exchanges, followed);
  }
  while (!waits_.empty()) add_oldest();
  exchanges_ = 0;
  return std::exchange(seconds_, 0.0);
}

void HaloClock::read_word(int which, const std::vector<cl::Event>& after) {
  queues_[which].enqueueReadBuffer(word_, CL_FALSE, 0, sizeof(cl_uint),
                                   static_cast<cl_uint*>(copies_.data()) + which, &after,
                                   &waits_.back().ends[which]);
  queues_[which].flush();
}

bool HaloClock::is_over(const Wait& wait) {
  return std::all_of(wait.ends.begin(), wait.ends.end(), [](const cl::Event& event) {
    return event.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() == CL_COMPLETE;
  });
}

void HaloClock::add_oldest() {
  const Wait& wait = waits_.front();
  const cl_ulong from = wait.ends[0].getProfilingInfo<CL_PROFILING_COMMAND_END>(),
                 to = wait.ends[1].getProfilingInfo<CL_PROFILING_COMMAND_END>();
  if (to > from) seconds_ += 1e-9 * static_cast<double>(to - from) * wait.exchanges;
  waits_.pop_front();
}

}  // namespace boltzmark::mpi::BOLTZMARK_DEVICE_API
