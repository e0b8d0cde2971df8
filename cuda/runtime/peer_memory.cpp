#include "cuda/runtime/peer_memory.hpp"

namespace boltzmark::cuda {
namespace {

void expect_success(CUresult status, const char* call) {
  if (status != success) throw cl::Error(status, call);
}

}  // namespace

const char* missing_for_peers() {
#define IS_THERE(name, ...) \
  if (!driver().name) return #name;
  BOLTZMARK_CUDA_OPTIONAL_FUNCTIONS(IS_THERE)
#undef IS_THERE
  return nullptr;
}

IpcHandle handle_of(const cl::Buffer& buffer) {
  IpcHandle handle{};
  expect_success(driver().cuIpcGetMemHandle(&handle, buffer()), "cuIpcGetMemHandle");
  return handle;
}

PeerMemory::PeerMemory(const IpcHandle& handle) {
  CUdeviceptr opened = 0;
  expect_success(driver().cuIpcOpenMemHandle_v2(&opened, handle, ipc_enable_peer_access),
                 "cuIpcOpenMemHandle");
  mapped_ = {new CUdeviceptr(opened), [](CUdeviceptr* old) {
               driver().cuIpcCloseMemHandle(*old);
               delete old;
             }};
}

}  // namespace boltzmark::cuda
