// Device memory that processes of one machine share (CUDA IPC): each can write to what the others have on their devices,
// without the host in between.
#pragma once

#include <cstddef>
#include <memory>

#include "cuda/runtime/api.hpp"

namespace boltzmark::cuda {

/// What the driver lacks for it, by name; null: nothing.
const char* missing_for_peers();

/// Bytes of a buffer for others that has room for so many: whole pages of the device, for what shares a page with it would be
/// shared too.
constexpr std::size_t peer_bytes(std::size_t bytes) {
  constexpr std::size_t page = std::size_t{2} << 20;
  return (bytes + page - 1) / page * page;
}

/// What another process opens the buffer with. Throws cl::Error.
IpcHandle handle_of(const cl::Buffer& buffer);

/// Memory of another process, on this one's device or on one that it reaches. Its owner must keep it for as long.
class PeerMemory {
 public:
  PeerMemory() = default;
  /// For the context that is current. Throws cl::Error.
  explicit PeerMemory(const IpcHandle& handle);
  CUdeviceptr operator()() const { return mapped_ ? *mapped_ : 0; }

 private:
  std::shared_ptr<CUdeviceptr> mapped_;
};

}  // namespace boltzmark::cuda
