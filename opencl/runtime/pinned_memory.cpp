#include "opencl/runtime/pinned_memory.hpp"

#include "opencl/runtime/error.hpp"

namespace boltzmark::BOLTZMARK_DEVICE_API {

/// There is no call for such memory itself. Drivers give it to buffers that are asked for in the host's
/// memory, and mapping one says where it is (NVIDIA, "OpenCL Best Practices Guide", on pinned memory).
PinnedMemory::PinnedMemory(Session& session, std::size_t bytes) : queue_(session.queue()) {
  attempt("allocate memory for transfers", [&] {
    buffer_ = cl::Buffer(session.context(), CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes);
    data_ = queue_.enqueueMapBuffer(buffer_, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes);
  });
}

PinnedMemory::~PinnedMemory() {
  try {
    queue_.enqueueUnmapMemObject(buffer_, data_);
    queue_.finish();
  } catch (const cl::Error&) {  // the buffer goes all the same
  }
}

}  // namespace boltzmark::BOLTZMARK_DEVICE_API
