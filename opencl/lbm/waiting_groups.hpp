// Work-groups of resident-wavefront, which wait for one another: what the host does about it. See kernels/waits.h.
#pragma once

#include <string>
#include <vector>

#include "common/device/session.hpp"

namespace boltzmark::opencl {

/// Thrown if work-groups that wait for each other are not all resident.
class NotResident : public Error {
 public:
  explicit NotResident(const std::string& line) : Error(ExitStatus::unavailable, line) {}
};

/// Whether the device's compiler gets through the kernels of such groups. That of PoCL 3.1 does, that of 5.0 (Ubuntu
/// 24.04) ends the process by an assertion of LLVM's.
bool compiles_waiting_groups(const device::ComputeDevice& device);

class WaitingGroups {
 public:
  /// alternative: the variant that needs no waiting. Throws Error (unavailable) where their kernels do not compile.
  WaitingGroups(const device::ComputeDevice& device, std::string alternative);

  /// What waits.h wants.
  static std::string defines();
  std::vector<device::BufferRequest> buffers(int groups);
  const device::Buffer& progress() const { return progress_; }
  const device::Buffer& failures() const { return failures_; }

  /// Before a launch: no group has done anything.
  void start(const device::Session& session) const;
  /// Throws NotResident unless all groups are on the device at a time.
  void meet(const device::Session& session, const device::Module& module) const;
  /// Throws NotResident when a wait has run out.
  void expect_no_failures(const device::Session& session) const;

 private:
  bool has_failed(const device::Session& session) const;
  std::size_t progress_bytes() const;

  device::ComputeDevice device_;
  std::string alternative_;
  int groups_ = 1;
  device::Buffer progress_, failures_;
};

}  // namespace boltzmark::opencl
