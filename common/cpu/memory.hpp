// What this machine's memory has left.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace boltzmark {

/// Bytes of memory of this machine.
std::uint64_t total_memory_bytes();

/// Bytes that a process can still have without anything being swapped out, and within the limits of its control group
/// and of its address space.
std::uint64_t available_memory_bytes();

/// "21.3 GiB free in this machine, a tenth of them in reserve" when `bytes` are more than the rest of them, else "".
std::string memory_shortage(std::uint64_t bytes);

/// Throws Error (unavailable), in one line, when `what` ("two grids") takes more than can be had here. The
/// system gives memory out before it has it and ends the process when that is used.
void require_memory(std::string_view what, double bytes);

}  // namespace boltzmark
