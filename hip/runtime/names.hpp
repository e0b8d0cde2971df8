// HIP's functions under CUDA's names: those whose parameters and numbers are the same. The others are in driver.cpp.
#pragma once

#define BOLTZMARK_HIP_FUNCTIONS(F)                                \
  F(cuInit, hipInit)                                              \
  F(cuDriverGetVersion, hipRuntimeGetVersion)                     \
  F(cuDeviceGetCount, hipGetDeviceCount)                          \
  F(cuDeviceGet, hipDeviceGet)                                    \
  F(cuDeviceGetName, hipDeviceGetName)                            \
  F(cuDeviceGetPCIBusId, hipDeviceGetPCIBusId)                    \
  F(cuDeviceTotalMem_v2, hipDeviceTotalMem)                       \
  F(cuStreamCreate, hipStreamCreateWithFlags)                     \
  F(cuStreamCreateWithPriority, hipStreamCreateWithPriority)      \
  F(cuCtxGetStreamPriorityRange, hipDeviceGetStreamPriorityRange) \
  F(cuStreamDestroy_v2, hipStreamDestroy)                         \
  F(cuStreamSynchronize, hipStreamSynchronize)                    \
  F(cuStreamWaitEvent, hipStreamWaitEvent)                        \
  F(cuEventCreate, hipEventCreateWithFlags)                       \
  F(cuEventDestroy_v2, hipEventDestroy)                           \
  F(cuEventRecord, hipEventRecord)                                \
  F(cuEventSynchronize, hipEventSynchronize)                      \
  F(cuEventQuery, hipEventQuery)                                  \
  F(cuEventElapsedTime, hipEventElapsedTime)                      \
  F(cuMemAlloc_v2, hipMalloc)                                     \
  F(cuMemAllocManaged, hipMallocManaged)                          \
  F(cuMemFree_v2, hipFree)                                        \
  F(cuMemHostAlloc, hipHostMalloc)                                \
  F(cuMemFreeHost, hipHostFree)                                   \
  F(cuMemHostRegister_v2, hipHostRegister)                        \
  F(cuMemHostUnregister, hipHostUnregister)                       \
  F(cuMemHostGetDevicePointer_v2, hipHostGetDevicePointer)        \
  F(cuMemcpyHtoDAsync_v2, hipMemcpyHtoDAsync)                     \
  F(cuMemcpyDtoHAsync_v2, hipMemcpyDtoHAsync)                     \
  F(cuMemcpyDtoDAsync_v2, hipMemcpyDtoDAsync)                     \
  F(cuMemcpyDtoH_v2, hipMemcpyDtoH)                               \
  F(cuMemsetD32Async, hipMemsetD32Async)                          \
  F(cuModuleLoadDataEx, hipModuleLoadDataEx)                      \
  F(cuModuleUnload, hipModuleUnload)                              \
  F(cuModuleGetFunction, hipModuleGetFunction)                    \
  F(cuModuleGetGlobal_v2, hipModuleGetGlobal)                     \
  F(cuFuncGetAttribute, hipFuncGetAttribute)                      \
  F(cuLaunchKernel, hipModuleLaunchKernel)                        \
  F(cuStreamBeginCapture_v2, hipStreamBeginCapture)               \
  F(cuStreamEndCapture, hipStreamEndCapture)                      \
  F(cuGraphInstantiateWithFlags, hipGraphInstantiateWithFlags)    \
  F(cuGraphLaunch, hipGraphLaunch)                                \
  F(cuGraphExecDestroy, hipGraphExecDestroy)                      \
  F(cuGraphDestroy, hipGraphDestroy)

// Those of the compiler. NVRTC's other functions return products that hiprtc does not make.
#define BOLTZMARK_HIPRTC_FUNCTIONS(F)                \
  F(nvrtcVersion, hiprtcVersion)                     \
  F(nvrtcCreateProgram, hiprtcCreateProgram)         \
  F(nvrtcDestroyProgram, hiprtcDestroyProgram)       \
  F(nvrtcCompileProgram, hiprtcCompileProgram)       \
  F(nvrtcGetProgramLogSize, hiprtcGetProgramLogSize) \
  F(nvrtcGetProgramLog, hiprtcGetProgramLog)         \
  F(nvrtcGetCUBINSize, hiprtcGetCodeSize)            \
  F(nvrtcGetCUBIN, hiprtcGetCode)
