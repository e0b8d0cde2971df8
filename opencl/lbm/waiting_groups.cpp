#include "opencl/lbm/waiting_groups.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

#include "common/base/error.hpp"
#include "opencl/lbm/next_best.hpp"
#include "opencl/runtime/launch.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {
namespace {

/// Polls of a group that waits, each of some tenths of a microsecond: a minute, and for the first meeting some seconds.
constexpr const char *max_polls = "0x8000000ul", *meet_polls = "0x1000000ul";
constexpr int progress_words = 32;  ///< from one group's to the next's, see kernels/waits.h

}  // namespace

bool compiles_waiting_groups(const ComputeDevice& device) {
  const std::string pocl = "Portable Computing Language ";
  const std::size_t at = device.driver.find(pocl);
  return at == std::string::npos || std::atoi(device.driver.c_str() + at + pocl.size()) < 5;
}

void expect_waiting_groups_compile(const ComputeDevice& device, const char* alternative) {
  if (!compiles_waiting_groups(device))
    throw unavailable("{}: the compiler of {} ends in an assertion on its kernels; {} has others",
                      resident_wavefront, device.driver, alternative);
}

int lanes_of(const ComputeDevice& device, const LbmOptions& options) {
  if (!options.lanes) return device.native_lanes(options.precision);
  for (const int offered : {1, 2, 4, 8, 16})
    if (offered == *options.lanes) return offered;
  throw bad_input("--vvl: expected 1, 2, 4, 8 or 16, found {}", *options.lanes);
}

int groups_of(const ComputeDevice& device, const LbmOptions& options, int most, const std::string& limit,
              bool is_resident) {
  if (options.groups && *options.groups > most)
    throw bad_input("--groups: expected at most {}, {}, found {}", most, limit, *options.groups);
  if (is_resident && options.groups && *options.groups > device.units)
    throw unavailable(
        "--groups: expected at most one for each of {}'s {} compute units, as groups wait for one another, "
        "found {}",
        device.name, device.units, *options.groups);
  return std::clamp(options.groups.value_or(device.units), 1, most);
}

std::string WaitingGroups::defines() {
  return fmt::format(" -D MAX_POLLS={} -D MEET_POLLS={}", max_polls, meet_polls);
}

std::size_t WaitingGroups::progress_bytes() const {
  return static_cast<std::size_t>(groups_) * progress_words * sizeof(cl_int);
}

std::vector<BufferRequest> WaitingGroups::buffers(int groups) {
  groups_ = groups;
  return {{&progress_, progress_bytes()}, {&failures_, sizeof(cl_int)}};
}

void WaitingGroups::start(Session& session) const { session.zero(progress_, progress_bytes()); }

void WaitingGroups::meet(Session& session, const cl::Program& program) const {
  if (groups_ == 1) return;
  cl::Kernel kernel = call_of(program, "meet", progress_, failures_);
  session.queue().enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(groups_), cl::NDRange(1));
  if (has_failed(session))
    throw NotResident(fmt::format(
        "{}: {} has {} compute units and does not run {} work-groups at a time, which would wait for one another; {} needs "
        "no waiting",
        resident_wavefront, device_.name, device_.units, groups_, alternative_));
}

void WaitingGroups::expect_no_failures(Session& session) const {
  if (has_failed(session))
    throw NotResident(fmt::format(
        "{}: a work-group of {} waited too long for another one on {}: not all were running all the time; {} needs no waiting",
        resident_wavefront, groups_, device_.name, alternative_));
}

bool WaitingGroups::has_failed(Session& session) const {
  cl_int failures = 0;
  session.queue().enqueueReadBuffer(failures_, CL_TRUE, 0, sizeof failures, &failures);
  return failures != 0;
}

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
