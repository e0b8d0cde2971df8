#include "mpi/lbm/halo_clock.hpp"

#include <algorithm>
#include <utility>

namespace boltzmark::mpi {

using namespace device;

HaloClock::HaloClock(Session& session)
    : queues_{session.another_queue(QueueKind::timed), session.another_queue(QueueKind::timed)},
      copies_(session.pinned(queues_.size() * sizeof(std::uint32_t))) {
  session.allocate({{&word_, sizeof(std::uint32_t)}});
}

void HaloClock::begin(const Event& last_work) {
  const bool is_first = exchanges_ < stride;
  is_timing_ = last_work && (is_first || exchanges_ % stride == 0);
  ++exchanges_;
  if (!is_timing_) return;
  waits_.push_back({{}, is_first ? 1 : stride});
  read_word(0, Events(&last_work, 1));
}

void HaloClock::end(const std::vector<Event>& written) {
  if (!is_timing_) return;
  read_word(1, written);
  while (waits_.size() > 1 && is_over(waits_.front())) add_oldest();  // events are memory of the driver
}

double HaloClock::take_seconds() {
  for (const Queue& queue : queues_) queue.finish();
  if (!waits_.empty()) {  // fewer may have followed the last one than it represents
    const auto followed = static_cast<int>((exchanges_ - 1) % stride) + 1;
    waits_.back().exchanges = std::min(waits_.back().exchanges, followed);
  }
  while (!waits_.empty()) add_oldest();
  exchanges_ = 0;
  return std::exchange(seconds_, 0.0);
}

void HaloClock::read_word(int which, Events after) {
  queues_[which].start_read(word_, {0, sizeof(std::uint32_t)}, static_cast<std::uint32_t*>(copies_.host()) + which,
                            after, &waits_.back().ends[which]);
  queues_[which].flush();
}

bool HaloClock::is_over(const Wait& wait) {
  return std::all_of(wait.ends.begin(), wait.ends.end(), [](const Event& event) { return event.is_complete(); });
}

void HaloClock::add_oldest() {
  const Wait& wait = waits_.front();
  const std::uint64_t from = wait.ends[0].end_nanoseconds(), to = wait.ends[1].end_nanoseconds();
  if (to > from) seconds_ += 1e-9 * static_cast<double>(to - from) * wait.exchanges;
  waits_.pop_front();
}

}  // namespace boltzmark::mpi
