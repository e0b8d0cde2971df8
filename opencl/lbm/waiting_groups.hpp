// Work-groups of resident_wavefront, which wait for one another: what the host does about it. See kernels/waits.h.
#pragma once

#include <string>
#include <vector>

#include "opencl/lbm/options.hpp"
#include "opencl/runtime/device.hpp"
#include "opencl/runtime/session.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {

inline constexpr const char *resident_wavefront = "resident-wavefront",
                            *overlapped_wavefront = "overlapped-wavefront";

/// Whether the device's compiler gets through the kernels of resident_wavefront. That of PoCL 3.1 does, that of 5.0 (Ubuntu 24.04)
/// ends the process by an assertion of LLVM's.
bool compiles_waiting_groups(const ComputeDevice& device);
/// Throws Error (unavailable) where it does not; `alternative`: the variant that needs no waiting.
void expect_waiting_groups_compile(const ComputeDevice& device, const char* alternative);

/// The vector length asked for, or without one that of the device. Throws Error (bad_input) for one that there is not.
int lanes_of(const ComputeDevice& device, const LbmOptions& options);

/// --groups, or one for each compute unit. Throws Error (bad_input) for more than `most`, which `limit` names, and where
/// they wait for one another Error (unavailable) for more than compute units.
int groups_of(const ComputeDevice& device, const LbmOptions& options, int most, const std::string& limit,
              bool is_resident);

class WaitingGroups {
 public:
  WaitingGroups(const ComputeDevice& device, const char* alternative)
      : device_(device), alternative_(alternative) {}

  /// What waits.h wants.
  static std::string defines();
  std::vector<BufferRequest> buffers(int groups);
  const cl::Buffer& progress() const { return progress_; }
  const cl::Buffer& failures() const { return failures_; }

  /// Before a launch: no group has done anything.
  void start(Session& session) const;
  /// Throws NotResident unless all groups are on the device at a time.
  void meet(Session& session, const cl::Program& program) const;
  /// Throws NotResident when a wait has run out.
  void expect_no_failures(Session& session) const;

 private:
  bool has_failed(Session& session) const;
  std::size_t progress_bytes() const;

  ComputeDevice device_;
  const char* alternative_;
  int groups_ = 1;
  cl::Buffer progress_, failures_;
};

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
