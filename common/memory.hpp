// What this machine's memory has, and what lies in front of it.
#pragma once

#include <sched.h>

#include <cstdint>
#include <string>

#include "common/cpu/caches.hpp"

namespace boltzmark {

/// Processors that this process may use; all when the system does not tell.
cpu_set_t usable_processors();

/// Bytes that a process can still have without anything being swapped out, and without its control group's
/// limit being passed.
std::uint64_t available_memory_bytes();

/// "21.3 GiB free in this machine" when `bytes` are more than can be had here, else "". Leaves a tenth to
/// others.
std::string memory_shortage(std::uint64_t bytes);

}  // namespace boltzmark
