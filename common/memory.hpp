// What this machine's memory has, and what lies in front of it.
#pragma once

#include <sched.h>

#include <cstdint>
#include <string>

namespace boltzmark {

/// Processors that this process may use; all when the system does not tell.
cpu_set_t usable_processors();

/// Bytes of the last-level caches behind these processors, each cache once; 0 when the system does not tell.
std::uint64_t last_level_cache_bytes(const cpu_set_t& processors);

/// Bytes that a process can still have without anything being swapped out, and without its control group's
/// limit being passed.
std::uint64_t available_memory_bytes();

/// "21.3 GiB free in this machine" when `bytes` are more than can be had here, else "". Leaves a tenth to
/// others.
std::string memory_shortage(std::uint64_t bytes);

}  // namespace boltzmark
