#include "opencl/lbm/waiting_groups.hpp"

#include <fmt/core.h>

#include <cstdlib>

namespace boltzmark::opencl {

using namespace device;
namespace {

constexpr const char* waits_name = "resident-wavefront";
/// Polls of a group that waits, each of some tenths of a microsecond: a minute, and for the first meeting some seconds.
constexpr const char *max_polls = "0x8000000ul", *meet_polls = "0x1000000ul";
constexpr int progress_words = 32;  ///< from one group's to the next's, see kernels/waits.h

}  // namespace

bool compiles_waiting_groups(const ComputeDevice& device) {
  const std::string pocl = "Portable Computing Language ";
  const std::size_t at = device.driver.find(pocl);
  return at == std::string::npos || std::atoi(device.driver.c_str() + at + pocl.size()) < 5;
}

WaitingGroups::WaitingGroups(const ComputeDevice& device, std::string alternative)
    : device_(device), alternative_(std::move(alternative)) {
  if (!compiles_waiting_groups(device_))
    throw unavailable("{}: the compiler of {} ends in an assertion on its kernels; {} has others", waits_name,
                      device_.driver, alternative_);
}

std::string WaitingGroups::defines() { return fmt::format(" -D MAX_POLLS={} -D MEET_POLLS={}", max_polls, meet_polls); }

std::size_t WaitingGroups::progress_bytes() const {
  return static_cast<std::size_t>(groups_) * progress_words * sizeof(std::int32_t);
}

std::vector<BufferRequest> WaitingGroups::buffers(int groups) {
  groups_ = groups;
  return {{&progress_, progress_bytes()}, {&failures_, sizeof(std::int32_t)}};
}

void WaitingGroups::start(const Session& session) const { session.zero(progress_, progress_bytes()); }

void WaitingGroups::meet(const Session& session, const Module& module) const {
  if (groups_ == 1) return;
  Kernel kernel = Kernel(module, "meet", progress_, failures_);
  session.queue().launch(kernel, Range(groups_), Range(1));
  if (has_failed(session))
    throw NotResident(fmt::format(
        "{}: {} has {} compute units and does not run {} work-groups at a time, which would wait for one another; {} "
        "needs no waiting",
        waits_name, device_.name, device_.units, groups_, alternative_));
}

void WaitingGroups::expect_no_failures(const Session& session) const {
  if (has_failed(session))
    throw NotResident(
        fmt::format("{}: a work-group of {} waited too long for another one on {}: not all were running all the "
                    "time; {} needs no waiting",
                    waits_name, groups_, device_.name, alternative_));
}

bool WaitingGroups::has_failed(const Session& session) const {
  std::int32_t failures = 0;
  session.queue().read(failures_, 0, sizeof failures, &failures);
  return failures != 0;
}

}  // namespace boltzmark::opencl
