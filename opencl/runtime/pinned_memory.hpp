// Memory of the host that the device copies to and from directly, and in the background: pages that stay
// where they are.
#pragma once

#include <cstddef>

#include "opencl/runtime/api.hpp"
#include "opencl/runtime/session.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {

class PinnedMemory {
 public:
  /// The session must outlive it. Throws Error (unavailable).
  PinnedMemory(Session& session, std::size_t bytes);
  ~PinnedMemory();
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;

  void* data() const { return data_; }

 private:
  cl::CommandQueue queue_;
  cl::Buffer buffer_;
  void* data_ = nullptr;
};

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
