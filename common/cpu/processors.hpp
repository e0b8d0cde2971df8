// The processors of this machine that this process may use, their caches, and limits on them.
#pragma once

#include <sched.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace boltzmark {

/// As at the first call, so that binding a thread later does not reduce them. All processors if the system does not
/// report them.
cpu_set_t usable_processors();

/// Their numbers in rising order; and in an order with one of every core before any core's second hardware thread.
std::vector<int> usable_processor_numbers();
std::vector<int> usable_processors_by_core();

/// Number of threads that run on them at a time: at most as many as a control group leaves time for.
int usable_cores();

/// The same for their cores, with the hardware threads of a core counted once.
int usable_physical_cores();

/// Number of NUMA nodes of these processors; at least 1.
int usable_numa_nodes();

/// Binds the calling thread to a processor, because a thread that the system moves leaves its rows behind in another
/// cache or memory; false if the system refuses, and the thread stays unbound.
inline bool bind_thread(int processor) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(processor, &one);
  return sched_setaffinity(0, sizeof one, &one) == 0;
}

/// Makes the calling thread, and every thread that it starts later, treat denormal operands and results as zero. Does
/// nothing on other processors than x86-64 and 64-bit ARM. While the flow spreads from the driven row, whole rows at
/// its front hold values below the smallest normal number, and processors that handle these in microcode slow down many
/// times: on a 16-core Xeon the wavefront variant is 17 times as fast at 1024x1024 without denormals. Values flushed to
/// zero are below 1e-30 of the smallest speed that any check can detect.
inline void flush_denormals() {
#if defined(__x86_64__)
  constexpr unsigned flush_to_zero = 0x8000, denormals_are_zero = 0x0040;
  __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | flush_to_zero | denormals_are_zero);
#elif defined(__aarch64__)
  constexpr std::uint64_t flush_to_zero = std::uint64_t{1} << 24;
  std::uint64_t control = 0;
  asm volatile("mrs %0, fpcr" : "=r"(control));
  asm volatile("msr fpcr, %0" : : "r"(control | flush_to_zero));
#endif
}

// Limits that a batch system, a container or systemd imposes on a process: Linux control groups, versions 1 and 2.

inline constexpr std::uint64_t no_group_limit = std::numeric_limits<std::uint64_t>::max();

/// Bytes that this process's groups, and all groups above them, still leave it; no_group_limit without a limit.
std::uint64_t memory_left_in_groups();

/// Processor time that they leave it, in processors, not always a whole number; infinite without a limit. `machine`: a
/// folder with the /proc and /sys of another machine; "": this one's.
double processor_quota(const std::string& machine = "");
/// The same, rounded up; no_group_limit if there is none.
std::uint64_t processors_left_in_groups();
/// At most that many of these processors.
int left_in_groups(int processors);

/// Bytes of data cache that one core has for itself, from which depths of tiles are chosen. Defaults if the system does
/// not report them.
struct CoreCaches {
  std::size_t l1 = std::size_t{32} << 10;
  std::size_t l2 = std::size_t{1} << 20;
};

/// The smallest among the cores that this process may use, by hwloc; looked up once.
const CoreCaches& core_caches();

/// Bytes of the last-level caches behind these processors, each cache once; 0 if the system does not report them.
std::uint64_t last_level_cache_bytes(const cpu_set_t& processors);

}  // namespace boltzmark
