// Free memory of this machine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace boltzmark {

/// Bytes of memory of this machine.
std::uint64_t total_memory_bytes();

/// Bytes that a process can still allocate without swapping, within the limits of its control group and its address
/// space.
std::uint64_t available_memory_bytes();

/// "21.3 GiB free in this machine, a tenth of them in reserve" if `bytes` exceed the rest, else "".
std::string memory_shortage(std::uint64_t bytes);

/// Throws Error (unavailable), in one line, if `what` ("two grids") takes more than is available here. The system
/// promises memory that it does not have, and kills a process that uses it.
void require_memory(std::string_view what, double bytes);

}  // namespace boltzmark
