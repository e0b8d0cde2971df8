// Limits that a batch system, a container or systemd puts on a process: Linux control groups, versions 1 and 2.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace boltzmark {

inline constexpr std::uint64_t no_group_limit = std::numeric_limits<std::uint64_t>::max();

/// Bytes that the groups this process is in, and all above them, still leave it; no_group_limit where none does.
std::uint64_t memory_left_in_groups();

/// Processors' worth of time that they leave it, which need not be a whole number; infinite where none limits it.
/// `machine`: a folder with the /proc and /sys of another machine; "": this one's.
double processor_quota(const std::string& machine = "");
/// The same, rounded up; no_group_limit where none does.
std::uint64_t processors_left_in_groups();
/// Of so many processors as many as they leave.
int left_in_groups(int processors);

}  // namespace boltzmark
