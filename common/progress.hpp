// How far a thread has come, for its neighbours to see.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace boltzmark {

/// A count that one thread raises and others wait for; on a cache line of its own.
struct alignas(128) Progress {
  std::atomic<std::int64_t> done{0};

  void wait_for(std::int64_t wanted) const {
    // A neighbour that takes longer than this many spins may have lost its core: leave ours to someone else.
    constexpr int patience = 2000;
    for (int spins = 0; done.load(std::memory_order_acquire) < wanted; ++spins) {
      if (spins >= patience) std::this_thread::yield();
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
  }
  void reach(std::int64_t count) { done.store(count, std::memory_order_release); }
};

}  // namespace boltzmark
