// What a program finds in place of CUDA in some of the tests: a driver whose device's memory is the host's, and
// libraries that compute there. One file under all their names; fake_cuda_rest.cpp has the calls that no such test
// needs. Of kernels it knows `fill`, of floats whose sum is taken.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <numeric>

#include "common/base/eighths.h"
#include "cuda/runtime/driver.hpp"

using namespace boltzmark::cuda;

namespace {

/// Handles that only must not be null.
template <class Handle>
int give(Handle* handle) {
  static char something;
  *handle = reinterpret_cast<Handle>(&something);
  return 0;
}

template <class T>
T* at(CUdeviceptr pointer) {
  return reinterpret_cast<T*>(pointer);
}

/// The device's memory, in places of one size. As with CUDA all of it goes with the context, and the next one has the
/// same addresses: who frees or uses what was another context's is found out.
constexpr std::size_t place_bytes = std::size_t{1} << 20;
alignas(16) std::byte places[16][place_bytes];
bool is_taken[std::size(places)];
int contexts = 0;

constexpr CUresult invalid_value_of_test = 1, out_of_memory_of_test = 2;

bool* place_of(CUdeviceptr pointer) {
  const auto first = reinterpret_cast<CUdeviceptr>(&places[0][0]);
  const std::size_t number = (pointer - first) / place_bytes;
  return pointer >= first && number < std::size(places) ? &is_taken[number] : nullptr;
}
bool is_memory(CUdeviceptr pointer) { return place_of(pointer) && *place_of(pointer); }

/// With BOLTZMARK_TEST_LOSE="FIRST COUNT" in the environment: whether this call of a library, counted from 0 on, does
/// nothing.
bool is_lost() {
  static long calls = 0;
  long first = 0, count = 0;
  if (const char* const text = std::getenv("BOLTZMARK_TEST_LOSE")) std::sscanf(text, "%ld %ld", &first, &count);
  const long number = calls++;
  return number >= first && number < first + count;
}

/// Column by column, as BLAS has it; with the strides that it is given.
template <class T>
int multiply(int m, int n, int k, T alpha, const T* a, int a_stride, const T* b, int b_stride, T beta, T* c,
             int c_stride) {
  if (is_lost()) return 0;
  for (int column = 0; column < n; ++column)
    for (int row = 0; row < m; ++row) {
      T sum = 0;
      for (int i = 0; i < k; ++i) sum += a[row + i * a_stride] * b[i + column * b_stride];
      T& of_c = c[row + column * c_stride];
      of_c = alpha * sum + (beta == 0 ? 0 : beta * of_c);
    }
  return 0;
}

}  // namespace

extern "C" {

int cuInit(unsigned) { return 0; }
int cuDriverGetVersion(int* version) { return *version = 13000, 0; }
int cuGetErrorName(CUresult, const char** name) { return *name = "CUDA_ERROR_OF_TEST", 0; }
int cuDeviceGetCount(int* count) { return *count = 1, 0; }
int cuDeviceGet(CUdevice* device, int number) { return *device = number, 0; }
int cuDeviceGetName(char* name, int bytes, CUdevice) { return std::snprintf(name, bytes, "a fake GPU"), 0; }
int cuDeviceGetPCIBusId(char* name, int bytes, CUdevice) { return std::snprintf(name, bytes, "0"), 0; }
int cuDeviceTotalMem_v2(std::size_t* bytes, CUdevice) { return *bytes = std::size_t{1} << 30, 0; }
int cuDeviceGetAttribute(int* value, int attribute, CUdevice) {
  switch (attribute) {
    case shared_memory_per_block:
    case shared_memory_per_multiprocessor:
      return *value = 49152, 0;
    case capability_major:
      return *value = 9, 0;
    case capability_minor:
    case is_integrated:
      return *value = 0, 0;
    default:
      return *value = 1024, 0;
  }
}
int cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) { return ++contexts, give(context); }
int cuDevicePrimaryCtxRelease_v2(CUdevice) {
  if (--contexts == 0) std::fill(std::begin(is_taken), std::end(is_taken), false);
  return 0;
}
int cuCtxSetCurrent(CUcontext) { return 0; }
int cuStreamCreate(CUstream* stream, unsigned) { return give(stream); }
int cuStreamDestroy_v2(CUstream) { return 0; }
int cuStreamSynchronize(CUstream) { return 0; }
int cuMemAlloc_v2(CUdeviceptr* pointer, std::size_t bytes) {
  bool* const place = std::find(std::begin(is_taken), std::end(is_taken), false);
  if (bytes > place_bytes || place == std::end(is_taken)) return out_of_memory_of_test;
  *place = true;
  return *pointer = reinterpret_cast<CUdeviceptr>(places[place - is_taken]), 0;
}
int cuMemFree_v2(CUdeviceptr pointer) {
  return is_memory(pointer) ? (*place_of(pointer) = false, 0) : invalid_value_of_test;
}
int cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, std::size_t bytes, CUstream) {
  return is_memory(to) ? (std::memcpy(at<void>(to), from, bytes), 0) : invalid_value_of_test;
}
int cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, std::size_t bytes, CUstream) {
  return is_memory(from) ? (std::memcpy(to, at<void>(from), bytes), 0) : invalid_value_of_test;
}
int cuMemsetD32Async(CUdeviceptr to, unsigned word, std::size_t words, CUstream) {
  return is_memory(to) ? (std::fill_n(at<unsigned>(to), words, word), 0) : invalid_value_of_test;
}
int cuModuleLoadDataEx(CUmodule* loaded, const void*, unsigned, int*, void**) { return give(loaded); }
int cuModuleUnload(CUmodule) { return 0; }
int cuModuleGetFunction(CUfunction* function, CUmodule, const char* name) {
  return std::strcmp(name, "fill") == 0 ? give(function) : 500;
}
int cuLaunchKernel(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream,
                   void** arguments, void**) {
  float* const values = at<float>(*static_cast<CUdeviceptr*>(arguments[0]));
  const auto count = *static_cast<unsigned long long*>(arguments[1]);
  for (unsigned long long i = 0; i < count; ++i)
    values[i] = 0.125f * static_cast<float>(eighths_at(static_cast<unsigned>(i)));
  return 0;
}

int nvrtcVersion(int* major, int* minor) { return *major = 13, *minor = 0, 0; }
int nvrtcGetNumSupportedArchs(int* count) { return *count = 1, 0; }
int nvrtcGetSupportedArchs(int* numbers) { return *numbers = 90, 0; }
int nvrtcCreateProgram(NvrtcProgram* program, const char*, const char*, int, const char* const*, const char* const*) {
  return give(program);
}
int nvrtcDestroyProgram(NvrtcProgram*) { return 0; }
int nvrtcCompileProgram(NvrtcProgram, int, const char* const*) { return 0; }
int nvrtcGetCUBINSize(NvrtcProgram, std::size_t* bytes) { return *bytes = 4, 0; }
int nvrtcGetCUBIN(NvrtcProgram, char* image) { return std::memcpy(image, "fake", 4), 0; }

int cublasCreate_v2(void** handle) { return give(handle); }
int cublasDestroy_v2(void*) { return 0; }
int cublasGetProperty(int which, int* value) { return *value = which + 1, 0; }
int cublasSetStream_v2(void*, CUstream) { return 0; }
int cublasSetMathMode(void*, int mode) { return mode; }
int cublasSgemm_v2(void*, int, int, int m, int n, int k, const float* alpha, const float* a, int a_stride,
                   const float* b, int b_stride, const float* beta, float* c, int c_stride) {
  return multiply(m, n, k, *alpha, a, a_stride, b, b_stride, *beta, c, c_stride);
}
int cublasDgemm_v2(void*, int, int, int m, int n, int k, const double* alpha, const double* a, int a_stride,
                   const double* b, int b_stride, const double* beta, double* c, int c_stride) {
  return multiply(m, n, k, *alpha, a, a_stride, b, b_stride, *beta, c, c_stride);
}

/// What a compiled source with CUB has, of sums or, with this in the environment, of prefix sums.
int run(void* scratch, std::size_t* scratch_bytes, const void* values, void* results, long long count, void*) {
  const float* const from = static_cast<const float*>(values);
  float* const to = static_cast<float*>(results);
  if (!scratch)
    *scratch_bytes = 1;
  else if (is_lost())
    return 0;
  else if (std::getenv("BOLTZMARK_TEST_SCANS"))
    std::inclusive_scan(from, from + count, to);
  else
    *to = std::accumulate(from, from + count, 0.0f);
  return 0;
}
const char* name_of(int) { return "cudaErrorOfTest"; }
int version() { return 300001; }
}
