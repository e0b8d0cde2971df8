// CUDA's driver and its run-time compiler NVRTC, opened when first needed, so the build needs no header or library of
// CUDA. Types and constants are those of the CUDA driver API and of NVRTC, as far as used here.
#pragma once

#include <dlfcn.h>

#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <vector>

#include "common/base/error.hpp"

namespace boltzmark::cuda {

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct CUctx_st*;
using CUmodule = struct CUmod_st*;
using CUfunction = struct CUfunc_st*;
using CUstream = struct CUstream_st*;
using CUevent = struct CUevent_st*;
using CUgraph = struct CUgraph_st*;
using CUgraphExec = struct CUgraphExec_st*;
using NvrtcProgram = struct NvrtcProgram_st*;

inline constexpr CUresult success = 0, invalid_value = 1, out_of_memory = 2, invalid_configuration = 9 /* HIP */,
                          no_device = 100, not_ready = 600, illegal_address = 700, launch_out_of_resources = 701;

/// Numbers of enum CUdevice_attribute.
enum DeviceAttribute : int {
  max_threads_per_block = 1,
  max_block_x = 2,
  max_block_y = 3,
  max_block_z = 4,
  shared_memory_per_block = 8,
  warp_size = 10,
  multiprocessors = 16,
  is_integrated = 18,
  second_level_cache_bytes = 38,
  threads_per_multiprocessor = 39,
  capability_major = 75,
  capability_minor = 76,
  shared_memory_per_multiprocessor = 81,
};

/// Numbers of enum CUfunction_attribute.
enum FunctionAttribute : int {
  most_threads_of_function = 0,
  max_dynamic_shared_bytes = 8,
  preferred_shared_carveout = 9,
};

enum : unsigned {
  nonblocking_stream = 1,    ///< CU_STREAM_NON_BLOCKING
  event_without_timing = 2,  ///< CU_EVENT_DISABLE_TIMING
  capture_of_thread = 1,     ///< CU_STREAM_CAPTURE_MODE_THREAD_LOCAL
  jit_max_registers = 0,     ///< CU_JIT_MAX_REGISTERS
  map_host_memory = 2,       ///< CU_MEMHOSTREGISTER_DEVICEMAP
  launch_programmatic = 6,   ///< CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION
};

enum : unsigned {
  attach_globally = 1,         ///< CU_MEM_ATTACH_GLOBAL
  ipc_enable_peer_access = 1,  ///< CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS
  write_after_fence = 0,       ///< CU_STREAM_WRITE_VALUE_DEFAULT
  wait_for_at_least = 0,       ///< CU_STREAM_WAIT_VALUE_GEQ
};

/// CUipcMemHandle.
struct IpcHandle {
  char bytes[64];
};

/// CUDA_MEMCPY2D.
struct Copy2D {
  enum Memory : int { host = 1, device = 2, unified = 4 };
  struct Side {
    std::size_t x = 0, y = 0;
    Memory memory = host;
    const void* host_address = nullptr;
    CUdeviceptr device_address = 0;
    void* array = nullptr;
    std::size_t pitch = 0;
  } source, target;
  std::size_t width_bytes = 0, height = 0;
};

// Functions with their exported names; each is a field of the struct.
#define BOLTZMARK_CUDA_FUNCTIONS(F)                                                                                 \
  F(cuInit, unsigned flags)                                                                                         \
  F(cuDriverGetVersion, int* version)                                                                               \
  F(cuGetErrorName, CUresult status, const char** name)                                                             \
  F(cuDeviceGetCount, int* count)                                                                                   \
  F(cuDeviceGet, CUdevice* device, int number)                                                                      \
  F(cuDeviceGetName, char* name, int bytes, CUdevice device)                                                        \
  F(cuDeviceGetPCIBusId, char* address, int bytes, CUdevice device)                                                 \
  F(cuDeviceTotalMem_v2, std::size_t* bytes, CUdevice device)                                                       \
  F(cuDeviceGetAttribute, int* value, int attribute, CUdevice device)                                               \
  F(cuDevicePrimaryCtxRetain, CUcontext* context, CUdevice device)                                                  \
  F(cuDevicePrimaryCtxRelease_v2, CUdevice device)                                                                  \
  F(cuCtxSetCurrent, CUcontext context)                                                                             \
  F(cuStreamCreate, CUstream* stream, unsigned flags)                                                               \
  F(cuStreamCreateWithPriority, CUstream* stream, unsigned flags, int priority)                                     \
  F(cuCtxGetStreamPriorityRange, int* least, int* greatest)                                                         \
  F(cuStreamDestroy_v2, CUstream stream)                                                                            \
  F(cuStreamSynchronize, CUstream stream)                                                                           \
  F(cuStreamWaitEvent, CUstream stream, CUevent event, unsigned flags)                                              \
  F(cuEventCreate, CUevent* event, unsigned flags)                                                                  \
  F(cuEventDestroy_v2, CUevent event)                                                                               \
  F(cuEventRecord, CUevent event, CUstream stream)                                                                  \
  F(cuEventSynchronize, CUevent event)                                                                              \
  F(cuEventQuery, CUevent event)                                                                                    \
  F(cuEventElapsedTime, float* milliseconds, CUevent from, CUevent to)                                              \
  F(cuMemAlloc_v2, CUdeviceptr* pointer, std::size_t bytes)                                                         \
  F(cuMemAllocManaged, CUdeviceptr* pointer, std::size_t bytes, unsigned flags)                                     \
  F(cuMemFree_v2, CUdeviceptr pointer)                                                                              \
  F(cuMemHostAlloc, void** pointer, std::size_t bytes, unsigned flags)                                              \
  F(cuMemFreeHost, void* pointer)                                                                                   \
  F(cuMemHostRegister_v2, void* pointer, std::size_t bytes, unsigned flags)                                         \
  F(cuMemHostUnregister, void* pointer)                                                                             \
  F(cuMemHostGetDevicePointer_v2, CUdeviceptr* device, void* host, unsigned flags)                                  \
  F(cuMemcpyHtoDAsync_v2, CUdeviceptr to, const void* from, std::size_t bytes, CUstream stream)                     \
  F(cuMemcpyDtoHAsync_v2, void* to, CUdeviceptr from, std::size_t bytes, CUstream stream)                           \
  F(cuMemcpyDtoDAsync_v2, CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream)                     \
  F(cuMemcpyDtoH_v2, void* to, CUdeviceptr from, std::size_t bytes)                                                 \
  F(cuMemcpy2DAsync_v2, const Copy2D* copy, CUstream stream)                                                        \
  F(cuMemsetD32Async, CUdeviceptr to, unsigned word, std::size_t words, CUstream stream)                            \
  F(cuModuleLoadDataEx, CUmodule* loaded, const void* image, unsigned options, int* names, void** values)           \
  F(cuModuleUnload, CUmodule unloaded)                                                                              \
  F(cuModuleGetFunction, CUfunction* function, CUmodule of, const char* name)                                       \
  F(cuModuleGetGlobal_v2, CUdeviceptr* pointer, std::size_t* bytes, CUmodule of, const char* name)                  \
  F(cuFuncGetAttribute, int* value, int attribute, CUfunction function)                                             \
  F(cuFuncSetAttribute, CUfunction function, int attribute, int value)                                              \
  F(cuLaunchKernel, CUfunction function, unsigned groups_x, unsigned groups_y, unsigned groups_z, unsigned items_x, \
    unsigned items_y, unsigned items_z, unsigned shared_bytes, CUstream stream, void** arguments, void** extra)     \
  F(cuStreamBeginCapture_v2, CUstream stream, int mode)                                                             \
  F(cuStreamEndCapture, CUstream stream, CUgraph* graph)                                                            \
  F(cuGraphInstantiateWithFlags, CUgraphExec* made, CUgraph graph, unsigned long long flags)                        \
  F(cuGraphLaunch, CUgraphExec graph, CUstream stream)                                                              \
  F(cuGraphExecDestroy, CUgraphExec graph)                                                                          \
  F(cuGraphDestroy, CUgraph graph)

// Functions that a driver may lack; the field is then null.
#define BOLTZMARK_CUDA_OPTIONAL_FUNCTIONS(F)                                                  \
  F(cuIpcGetMemHandle, IpcHandle* handle, CUdeviceptr pointer)                                \
  F(cuIpcOpenMemHandle_v2, CUdeviceptr* pointer, IpcHandle handle, unsigned flags)            \
  F(cuIpcCloseMemHandle, CUdeviceptr pointer)                                                 \
  F(cuStreamWriteValue32_v2, CUstream stream, CUdeviceptr at, unsigned value, unsigned flags) \
  F(cuStreamWaitValue32_v2, CUstream stream, CUdeviceptr at, unsigned value, unsigned flags)

#define BOLTZMARK_NVRTC_FUNCTIONS(F)                                                              \
  F(nvrtcVersion, int* major, int* minor)                                                         \
  F(nvrtcGetNumSupportedArchs, int* count)                                                        \
  F(nvrtcGetSupportedArchs, int* numbers)                                                         \
  F(nvrtcCreateProgram, NvrtcProgram* program, const char* source, const char* name, int headers, \
    const char* const* texts, const char* const* names)                                           \
  F(nvrtcDestroyProgram, NvrtcProgram* program)                                                   \
  F(nvrtcCompileProgram, NvrtcProgram program, int count, const char* const* options)             \
  F(nvrtcGetProgramLogSize, NvrtcProgram program, std::size_t* bytes)                             \
  F(nvrtcGetProgramLog, NvrtcProgram program, char* log)                                          \
  F(nvrtcGetCUBINSize, NvrtcProgram program, std::size_t* bytes)                                  \
  F(nvrtcGetCUBIN, NvrtcProgram program, char* image)                                             \
  F(nvrtcGetPTXSize, NvrtcProgram program, std::size_t* bytes)                                    \
  F(nvrtcGetPTX, NvrtcProgram program, char* image)

#define BOLTZMARK_FIELD(name, ...) int (*name)(__VA_ARGS__) = nullptr;
struct Driver {
  BOLTZMARK_CUDA_FUNCTIONS(BOLTZMARK_FIELD)
  BOLTZMARK_CUDA_OPTIONAL_FUNCTIONS(BOLTZMARK_FIELD)
};
struct Nvrtc {
  BOLTZMARK_NVRTC_FUNCTIONS(BOLTZMARK_FIELD)
};
#undef BOLTZMARK_FIELD

/// Exported name of this function in the open library.
const char* own_name(const char* call);

/// Throws device::Failure unless it is `success`; its line: "CUDA_ERROR_X from cuLaunchKernel", and its meaning if
/// users can do something about it.
void check(CUresult status, const char* call);
#define CHECKED(call, ...) check(driver().call(__VA_ARGS__), #call)

/// An attribute of a device. Throws device::Failure.
int attribute(CUdevice number, DeviceAttribute what);

/// Opened at the first call. Both throw Error (unavailable), which names the missing library or says that there is no
/// device.
const Driver& driver();
const Nvrtc& nvrtc();

/// $CUDA_HOME, $CUDA_PATH, /usr/local/cuda: those that are set, even if they do not exist.
std::vector<std::filesystem::path> toolkit_folders();

/// Opens the first of these libraries that exists, in the loader's paths and then in the toolkit; nullptr if none
/// exists. It stays open to the end.
void* open_library(std::initializer_list<const char*> names);
/// Opens the first of these that exists, in the loader's paths and then in the folders.
inline void* open_library(std::initializer_list<const char*> names, const std::vector<std::filesystem::path>& folders) {
  for (const char* const name : names)
    if (void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
  for (const std::filesystem::path& folder : folders)
    for (const char* const name : names)
      if (void* const library = dlopen((folder / name).c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  return nullptr;
}

/// Throws Error (unavailable) if the library has no function of this name.
template <class Function>
void find_function(const char* of, void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
  if (!function) throw unavailable("{}: the installed library has no {}; it is too old", of, name);
}

}  // namespace boltzmark::cuda
