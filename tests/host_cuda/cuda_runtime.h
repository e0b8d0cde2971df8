// CUDA's runtime on the host, as much of it as the textbooks of cuda/ use, for tests without a GPU. Compilers of
// two kinds read it:
//
//   a C++ compiler     runs kernels: tests/host_cuda/nvcc turns `kernel<<<grid, block>>>(...)` into on_host(...). The
//                      threads of a block are coroutines that take turns at __syncthreads(), in rising and in falling
//                      order, so that a missing barrier shows
//   clang as for CUDA  checks the syntax of launches, and that kernels call no host function
//
// Memory of the device is memory of the host, filled with NaN. Copies check that it is the device's, and its bounds.
#pragma once

#undef _FORTIFY_SOURCE  // whose longjmp stays on one stack
#include <cstddef>

enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInvalidConfiguration = 9
};
enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2 };

#ifdef __CUDA__

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
// The translation of a launch, by older and newer clang.
extern "C" unsigned cudaConfigureCall(dim3 grid, dim3 block, std::size_t shared = 0, void* stream = nullptr);
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t = 0, void* = nullptr);
extern "C" cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, std::size_t, void*);
extern __device__ const dim3 threadIdx, blockIdx, blockDim, gridDim;
__device__ void __syncthreads();
__device__ float sqrt(float), rsqrt(float);
__device__ double sqrt(double), rsqrt(double);

const char* cudaGetErrorString(cudaError_t);
cudaError_t cudaGetLastError(), cudaDeviceSynchronize(), cudaSetDevice(int), cudaFree(void*);
cudaError_t cudaDeviceGetByPCIBusId(int*, const char*), cudaMemcpy(void*, const void*, std::size_t, cudaMemcpyKind);
cudaError_t cudaMemset(void*, int, std::size_t);
template <class T>
cudaError_t cudaMalloc(T** memory, std::size_t bytes);

#else

#include <setjmp.h>
#include <ucontext.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

inline float rsqrt(float x) { return 1.0f / std::sqrt(x); }
inline double rsqrt(double x) { return 1.0 / std::sqrt(x); }

#define __global__ static
#define __device__
#define __constant__
#define __shared__ static  // one block runs at a time

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
static dim3 threadIdx, blockIdx, blockDim, gridDim;

namespace host_cuda {

inline std::map<char*, std::size_t> memory;  ///< of the device: where, and how many bytes
inline cudaError_t last_error = cudaSuccess;

inline bool is_device_memory(const void* at, std::size_t bytes) {
  const char* const first = static_cast<const char*>(at);
  for (const auto& [begin, size] : memory)
    if (first >= begin && first + bytes <= begin + size) return true;
  return false;
}

/// The threads of a block. Each has its stack for all blocks, and they take turns by jumps: swapcontext asks the kernel
/// for the signals each time, which took half of a test's time.
class Threads {
 public:
  template <class Work>
  void run(const Work& work) {
    work_ = [](const void* of) { (*static_cast<const Work*>(of))(); };
    argument_ = &work;
    const unsigned count = blockDim.x * blockDim.y * blockDim.z;
    is_done_.assign(count, false);
    if (threads_.size() < count) threads_.resize(count);
    for (unsigned done = 0; done < count;) {
      is_rising_ = !is_rising_;
      for (unsigned i = 0; i < count; ++i) resume(is_rising_ ? i : count - 1 - i);
      done = 0;
      for (const bool is_done : is_done_) done += is_done;
      if (done > 0 && done < count)
        std::fputs("host_cuda: some threads of a block ended before a barrier\n", stderr), std::abort();
    }
  }
  void wait() {
    if (_setjmp(threads_[current_].place) == 0) _longjmp(host_, 1);
  }

 private:
  static constexpr std::size_t stack_bytes = 1 << 16;
  struct Thread {
    jmp_buf place;
    std::vector<char> stack;
  };

  static void begin();
  void resume(unsigned number) {
    current_ = number;
    threadIdx = dim3(number % blockDim.x, number / blockDim.x % blockDim.y, number / blockDim.x / blockDim.y);
    if (_setjmp(host_) != 0) return;
    Thread& thread = threads_[number];
    if (!thread.stack.empty()) _longjmp(thread.place, 1);
    thread.stack.resize(stack_bytes);
    ucontext_t context;
    getcontext(&context);
    context.uc_stack.ss_sp = thread.stack.data();
    context.uc_stack.ss_size = stack_bytes;
    makecontext(&context, begin, 0);
    setcontext(&context);
  }

  std::vector<Thread> threads_;
  std::vector<bool> is_done_;
  jmp_buf host_;
  unsigned current_ = 0;
  bool is_rising_ = false;
  void (*work_)(const void*) = nullptr;
  const void* argument_ = nullptr;
};
inline Threads threads;

inline void Threads::begin() {
  for (;; threads.wait()) {
    threads.work_(threads.argument_);
    threads.is_done_[threads.current_] = true;
  }
}

/// With BOLTZMARK_TEST_LOSE="FIRST COUNT" in the environment: whether this launch, counted from 0 on, does nothing.
inline bool is_lost() {
  static long launches = 0, first = 0, count = 0;
  if (launches == 0)
    if (const char* const text = std::getenv("BOLTZMARK_TEST_LOSE")) std::sscanf(text, "%ld %ld", &first, &count);
  const long number = launches++;
  return number >= first && number < first + count;
}

/// A launch's kernel for all threads of all blocks.
template <class Kernel>
auto on_host(dim3 grid, dim3 block, Kernel kernel) {
  return [=](auto... arguments) {
    if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.y > 65535 || grid.z > 65535 ||
        block.x * block.y * block.z > 1024) {
      last_error = cudaErrorInvalidConfiguration;
      return;
    }
    if (is_lost()) return;
    gridDim = grid;
    blockDim = block;
    const auto work = [&] { kernel(arguments...); };
    for (unsigned z = 0; z < grid.z; ++z)
      for (unsigned y = 0; y < grid.y; ++y)
        for (unsigned x = 0; x < grid.x; ++x) {
          blockIdx = dim3(x, y, z);
          threads.run(work);
        }
  };
}

}  // namespace host_cuda

static inline void __syncthreads() { host_cuda::threads.wait(); }

inline const char* cudaGetErrorString(cudaError_t status) {
  switch (status) {
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorInvalidConfiguration:
      return "invalid configuration argument";
    default:
      return "invalid argument";
  }
}
inline cudaError_t cudaGetLastError() {
  const cudaError_t last = host_cuda::last_error;
  host_cuda::last_error = cudaSuccess;
  return last;
}
inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
inline cudaError_t cudaSetDevice(int) { return cudaSuccess; }
inline cudaError_t cudaDeviceGetByPCIBusId(int* number, const char*) { return *number = 0, cudaSuccess; }

template <class T>
cudaError_t cudaMalloc(T** memory, std::size_t bytes) {
  if (std::getenv("BOLTZMARK_TEST_NO_MEMORY")) return cudaErrorMemoryAllocation;
  char* const made = static_cast<char*>(std::malloc(bytes));
  std::memset(made, 0xff, bytes);
  host_cuda::memory[made] = bytes;
  *memory = reinterpret_cast<T*>(made);
  return cudaSuccess;
}
inline cudaError_t cudaFree(void* memory) {
  if (memory && host_cuda::memory.erase(static_cast<char*>(memory)) == 0) return cudaErrorInvalidValue;
  std::free(memory);
  return cudaSuccess;
}
inline cudaError_t cudaMemset(void* at, int byte, std::size_t bytes) {
  if (!host_cuda::is_device_memory(at, bytes)) return cudaErrorInvalidValue;
  std::memset(at, byte, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  if (!host_cuda::is_device_memory(kind == cudaMemcpyHostToDevice ? to : from, bytes)) return cudaErrorInvalidValue;
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}

#endif
