// What stands before a file of kernels (cuda/runtime/kernels/language.h) where tests/host_cuda/nvrtc makes functions of
// the host of them: the words of CUDA that NVRTC knows by itself, and how a launch gets at a kernel's arguments.
#pragma once

#include "cuda_runtime.h"

#include <functional>
#include <tuple>
#include <utility>

#undef __shared__
#define __shared__ thread_local  // as a word before a declaration `extern` too
#define __forceinline__ inline
#define __align__(bytes) __attribute__((aligned(bytes)))

// Of language.h's functions that only kernels with PTX call.
std::size_t __cvta_generic_to_shared(const void*);
void *__cvta_shared_to_generic(std::size_t), *__cvta_global_to_generic(std::size_t);
bool __isShared(const void*);
#define __builtin_assume(condition)

namespace host_cuda {

/// A launch as cuLaunchKernel has it, to be run later: of groups and items of a group along each axis, with copies of
/// the arguments.
template <class... Arguments, std::size_t... i>
std::function<void()>* launch_of(void (*kernel)(Arguments...), const unsigned* sizes, void** arguments,
                                 std::index_sequence<i...>) {
  const dim3 grid(sizes[0], sizes[1], sizes[2]), block(sizes[3], sizes[4], sizes[5]);
  return new std::function<void()>([=, copies = std::tuple<Arguments...>(*static_cast<Arguments*>(arguments[i])...)] {
    std::apply(on_host(grid, block, kernel), copies);
  });
}
template <class... Arguments>
std::function<void()>* launch_of(void (*kernel)(Arguments...), const unsigned* sizes, void** arguments) {
  return launch_of(kernel, sizes, arguments, std::index_sequence_for<Arguments...>());
}

inline unsigned own_number() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
/// Shuffles of a warp, as PTX names them. All threads of a block have to call them together.
inline unsigned word_of(unsigned word, unsigned lane) {
  static unsigned words[1024];
  const unsigned me = own_number();
  words[me] = word;
  threads.wait();
  const unsigned other = lane < 32 ? words[me / 32 * 32 + lane] : word;
  threads.wait();
  return other;
}
inline unsigned own_lane() { return own_number() % 32; }
inline unsigned down(unsigned word, int distance) { return word_of(word, own_lane() + distance); }
inline unsigned up(unsigned word, int distance) { return word_of(word, own_lane() - distance); }
inline unsigned bfly(unsigned word, int distance) { return word_of(word, own_lane() ^ distance); }
inline unsigned idx(unsigned word, int lane) { return word_of(word, lane); }

}  // namespace host_cuda

#ifdef STEP_DEPTH
#include "tensor.h"
#endif

#define HOST_KERNEL(name)                                                                    \
  extern "C" std::function<void()>* launch_##name(const unsigned* sizes, void** arguments) { \
    return host_cuda::launch_of(name, sizes, arguments);                                     \
  }
