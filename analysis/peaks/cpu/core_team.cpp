#include "analysis/peaks/cpu/core_team.hpp"

#include <sched.h>

#include <algorithm>

#include "common/base/error.hpp"

namespace boltzmark {
namespace {

/// A batch follows the last one at once, and to wake a thread can take longer than the batch (in a virtual
/// machine); without one for so long the thread goes to sleep.
constexpr std::chrono::milliseconds patience{2};

bool bind_to(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  return sched_setaffinity(0, sizeof set, &set) == 0;
}

}  // namespace

CoreTeam::CoreTeam(const std::vector<int>& processors) {
  const int size = static_cast<int>(processors.size());
  for (int i = 0; i < size; ++i) members_.push_back(std::make_unique<Member>());
  working_ = size;
  for (int i = 1; i < size; ++i)
    members_[static_cast<std::size_t>(i)]->thread = std::thread([this, i, &processors] {
      serve(*members_[static_cast<std::size_t>(i)], i, processors[static_cast<std::size_t>(i)]);
    });
  if (!bind_to(processors.front())) unbound_processor_ = processors.front();
  for (--working_; working_ > 0;) std::this_thread::yield();
  if (unbound_processor_ < 0) return;
  dismiss();
  throw unavailable("expected to bind a thread to processor {}, found that the system refuses it",
                    unbound_processor_.load());
}

CoreTeam::~CoreTeam() { dismiss(); }

void CoreTeam::dismiss() {
  work_ = nullptr;
  for (const auto& member : members_) {
    ++member->calls;
    member->calls.notify_one();
    if (member->thread.joinable()) member->thread.join();
  }
}

double CoreTeam::run(int cores, const Work& work) {
  work_ = &work;
  absent_ = working_ = cores;
  const auto first = members_.begin(), last = first + cores;
  for (auto member = first + 1; member != last; ++member) {
    ++(*member)->calls;
    (*member)->calls.notify_one();
  }
  take_part(**first, 0);
  while (working_ > 0) {
  }
  auto begin = (*first)->begin, end = (*first)->end;
  for (auto member = first; member != last; ++member) {
    begin = std::min(begin, (*member)->begin);
    end = std::max(end, (*member)->end);
  }
  return std::chrono::duration<double>(end - begin).count();
}

void CoreTeam::serve(Member& member, int number, int processor) {
  if (!bind_to(processor)) unbound_processor_ = processor;
  --working_;
  for (long answered = 0;; ++answered) {
    const auto give_up = Clock::now() + patience;
    while (member.calls == answered && Clock::now() < give_up) {
    }
    member.calls.wait(answered);
    if (!work_) return;
    take_part(member, number);
  }
}

void CoreTeam::take_part(Member& member, int number) {
  for (--absent_; absent_ > 0;) {
  }
  member.begin = Clock::now();
  member.end = (*work_)(number);
  --working_;
}

}  // namespace boltzmark
