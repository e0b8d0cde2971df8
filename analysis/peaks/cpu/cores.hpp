// The cores that this process may use: their caches as hwloc reports them, threads bound to them, and their clock.
#pragma once

#include <hwloc.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <thread>
#include <type_traits>

#include "analysis/store/peaks.hpp"
#include "common/base/clock.hpp"
#include "common/base/error.hpp"
#include "common/cpu/memory.hpp"
#include "common/cpu/processors.hpp"
#include "common/run/provenance.hpp"

namespace boltzmark {

using TopologyHandle = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, decltype(&hwloc_topology_destroy)>;

inline TopologyHandle load_topology() {
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) throw unavailable("hwloc: cannot be started");
  TopologyHandle handle(topology, hwloc_topology_destroy);
  if (hwloc_topology_load(topology) != 0) throw unavailable("hwloc: cannot read this machine's topology");
  return handle;
}

/// The first hardware thread of every core that this process may run on.
inline std::vector<hwloc_obj_t> usable_threads(hwloc_topology_t topology) {
  const cpu_set_t allowed = usable_processors();
  std::vector<hwloc_obj_t> threads;
  std::set<hwloc_obj_t> cores;
  for (hwloc_obj_t thread = nullptr;
       (thread = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, thread)) != nullptr;) {
    if (thread->os_index >= CPU_SETSIZE || !CPU_ISSET(thread->os_index, &allowed)) continue;
    const hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, thread);
    if (cores.insert(core ? core : thread).second) threads.push_back(thread);
  }
  return threads;
}

/// Every cache above these hardware threads, with the number of them that share it; by level.
inline std::map<unsigned, std::map<hwloc_obj_t, int>> caches_above(const std::vector<hwloc_obj_t>& threads) {
  std::map<unsigned, std::map<hwloc_obj_t, int>> levels;
  for (const hwloc_obj_t thread : threads)
    for (hwloc_obj_t above = thread->parent; above != nullptr; above = above->parent)
      if (hwloc_obj_type_is_dcache(above->type) && above->attr->cache.size > 0)
        ++levels[above->attr->cache.depth][above];
  return levels;
}

struct Topology {
  std::vector<int> processors;  ///< one of each of usable_physical_cores(), by the system's number
  ProcessorPeaks described;     ///< without figures; caches: of data, or unified, that these cores reach
};

/// A level that reports no size (some virtual machines) is left out; one whose instances differ counts with its
/// smallest. Throws Error (unavailable) if hwloc does not know.
inline Topology read_topology() {
  const TopologyHandle handle = load_topology();
  std::vector<hwloc_obj_t> threads = usable_threads(handle.get());
  if (threads.empty()) throw unavailable("hwloc: expected a processor that this process may use, found none");
  threads.resize(std::min(threads.size(), static_cast<std::size_t>(usable_physical_cores())));
  Topology topology;
  std::map<hwloc_obj_t, int> packages;
  const auto package_of = [&](hwloc_obj_t thread) {
    return hwloc_get_ancestor_obj_by_type(handle.get(), HWLOC_OBJ_PACKAGE, thread);
  };
  for (const hwloc_obj_t thread : threads) {
    topology.processors.push_back(static_cast<int>(thread->os_index));
    ++packages[package_of(thread)];
  }
  ProcessorPeaks& processor = topology.described;
  processor.name = provenance_now().cpu;
  processor.cores = static_cast<int>(threads.size());
  processor.sockets = static_cast<int>(packages.size());
  processor.cores_of_socket = packages.at(package_of(threads.front()));
  processor.numa_nodes = usable_numa_nodes();
  processor.memory_bytes = static_cast<std::int64_t>(total_memory_bytes());
  for (const auto& [level, instances] : caches_above(threads)) {
    CacheLevel cache{.name = fmt::format("L{}", level), .instances = static_cast<int>(instances.size())};
    for (const auto& [object, cores] : instances) {
      const auto bytes = static_cast<std::int64_t>(object->attr->cache.size);
      cache.bytes = cache.bytes == 0 ? bytes : std::min(cache.bytes, bytes);
      cache.cores = std::max(cache.cores, cores);
    }
    processor.caches.push_back(cache);
  }
  return topology;
}

class CoreTeam {
 public:
  using Clock = std::chrono::steady_clock;
  using Work = std::function<Clock::time_point(int member)>;

  /// A member bound to each; member 0 is the calling thread. Throws Error (unavailable) if that is not allowed.
  explicit CoreTeam(const std::vector<int>& processors) {
    const int size = static_cast<int>(processors.size());
    for (int i = 0; i < size; ++i) members_.push_back(std::make_unique<Member>());
    working_ = size;
    for (int i = 1; i < size; ++i)
      members_[static_cast<std::size_t>(i)]->thread = std::thread([this, i, &processors] {
        serve(*members_[static_cast<std::size_t>(i)], i, processors[static_cast<std::size_t>(i)]);
      });
    if (!bind_thread(processors.front())) unbound_processor_ = processors.front();
    for (--working_; working_ > 0;) std::this_thread::yield();
    if (unbound_processor_ < 0) return;
    dismiss();
    throw unavailable("expected to bind a thread to processor {}, found that the system refuses it",
                      unbound_processor_.load());
  }
  CoreTeam(const CoreTeam&) = delete;
  CoreTeam& operator=(const CoreTeam&) = delete;
  ~CoreTeam() { dismiss(); }

  int size() const { return static_cast<int>(members_.size()); }
  /// Does work(0) .. work(cores - 1) at the same time, each on its own core. They begin when all are ready. Returns the
  /// seconds from the first begin to the last end; each work() returns when its measured part ended. `work` must not
  /// throw. Called by the thread that made the team.
  double run(int cores, const Work& work) {
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

 private:
  struct alignas(128) Member {
    std::atomic<long> calls{0};  ///< to work, or to end
    Clock::time_point begin, end;
    std::thread thread;
  };

  void serve(Member& member, int number, int processor) {
    // Batches follow one another immediately, and waking a thread can take longer than a batch (in a virtual machine),
    // so a thread sleeps only after a while without a batch.
    constexpr std::chrono::milliseconds patience{2};
    if (!bind_thread(processor)) unbound_processor_ = processor;
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

  void take_part(Member& member, int number) {
    for (--absent_; absent_ > 0;) {
    }
    member.begin = Clock::now();
    member.end = (*work_)(number);
    --working_;
  }

  void dismiss() {
    work_ = nullptr;
    for (const auto& member : members_) {
      ++member->calls;
      member->calls.notify_one();
      if (member->thread.joinable()) member->thread.join();
    }
  }

  std::vector<std::unique_ptr<Member>> members_;
  const Work* work_ = nullptr;  ///< none: the end
  std::atomic<int> absent_{0};  ///< members that have not reached the start line
  std::atomic<int> working_{0};
  std::atomic<int> unbound_processor_{-1};  ///< one that a thread could not be bound to
};

/// The empty asm statement hides the sum from the compiler, which would otherwise fold the additions. Both are in
/// registers: some processors add a small constant in no time while they rename registers.
template <std::size_t... I>
inline __attribute__((always_inline)) void add_in_turn(std::uint64_t& sum, std::uint64_t step,
                                                       std::index_sequence<I...>) {
  const auto add = [&](std::size_t) {
    sum += step;
    asm volatile("" : "+r"(sum));
  };
  (add(I), ...);
}

/// Cycles a second, from a chain of dependent integer additions: each waits for the one before, and an addition of two
/// registers takes one cycle on every processor in use, however many units it has. Takes a fifth of a millisecond; the
/// fastest of several stretches counts, because interrupts only slow them down. The preceding work still determines the
/// clock: processors that slow down for wide vectors need longer than this to speed up again.
inline double measure_clock_hz() {
  constexpr int stretches = 8, additions_a_round = 64, rounds = 1000;
  std::uint64_t sum = 1, step = 3;
  asm volatile("" : "+r"(sum), "+r"(step));
  double fastest = 1.0;
  for (int stretch = 0; stretch < stretches; ++stretch) {
    const auto start = Clock::now();
    for (int round = 0; round < rounds; ++round) add_in_turn(sum, step, std::make_index_sequence<additions_a_round>());
    fastest = std::min(fastest, seconds_since(start));
  }
  return additions_a_round * rounds / fastest;
}

}  // namespace boltzmark
