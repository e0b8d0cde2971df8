// Limits that a batch system, a container or systemd imposes on a process: Linux control groups, versions 1 and 2.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace boltzmark {

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

}  // namespace boltzmark
