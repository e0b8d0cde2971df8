// To be loaded before the OpenCL library (LD_PRELOAD): answers a call as a device does that has failed.
// BOLTZMARK_TEST_FAULT="clFinish 3 -36" makes the third clFinish and all after it give status -36,
// "clBuildProgram 1 -11 1" one of them. A positive status is a signal that it raises.
#include <dlfcn.h>

#include <CL/cl.h>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

/// The status that this call of `name` returns instead of doing its work; CL_SUCCESS if it proceeds.
cl_int fault(const char* name) {
  static int calls = 0;
  char function[64];
  int first = 0, status = 0, many = INT_MAX;
  const char* const wanted = std::getenv("BOLTZMARK_TEST_FAULT");
  if (!wanted || std::sscanf(wanted, "%63s %d %d %d", function, &first, &status, &many) < 3) return CL_SUCCESS;
  if (std::strcmp(function, name) != 0) return CL_SUCCESS;
  if (++calls < first || calls - first >= many) return CL_SUCCESS;
  if (status > 0) std::raise(status);
  return status;
}

template <class Function>
Function next(const char* name, Function) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

cl_int clGetPlatformIDs(cl_uint entries, cl_platform_id* platforms, cl_uint* count) {
  if (const cl_int status = fault("clGetPlatformIDs")) return status;
  return next("clGetPlatformIDs", &clGetPlatformIDs)(entries, platforms, count);
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id* devices, const char* options,
                      void (*when_built)(cl_program, void*), void* its_data) {
  if (const cl_int status = fault("clBuildProgram")) return status;
  return next("clBuildProgram", &clBuildProgram)(program, count, devices, options, when_built, its_data);
}

cl_int clFinish(cl_command_queue queue) {
  if (const cl_int status = fault("clFinish")) return status;
  return next("clFinish", &clFinish)(queue);
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size,
                           void* to, cl_uint waits, const cl_event* wait_list, cl_event* event) {
  if (const cl_int status = fault("clEnqueueReadBuffer")) return status;
  return next("clEnqueueReadBuffer", &clEnqueueReadBuffer)(queue, buffer, blocking, offset, size, to, waits, wait_list,
                                                           event);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t* offset,
                              const size_t* global, const size_t* local, cl_uint waits, const cl_event* wait_list,
                              cl_event* event) {
  if (const cl_int status = fault("clEnqueueNDRangeKernel")) return status;
  return next("clEnqueueNDRangeKernel", &clEnqueueNDRangeKernel)(queue, kernel, dimensions, offset, global, local,
                                                                 waits, wait_list, event);
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void* host, cl_int* status) {
  if (const cl_int failure = fault("clCreateBuffer")) {
    if (status) *status = failure;
    return nullptr;
  }
  return next("clCreateBuffer", &clCreateBuffer)(context, flags, size, host, status);
}
}
