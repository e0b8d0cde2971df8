// Precedes a file of kernels (cuda/runtime/kernels/language.h) when tests/host_cuda/nvrtc compiles them as host
// functions: the words of CUDA that NVRTC has built in, and access to a kernel's arguments for launches.
#pragma once

#include "std.h"

#undef __shared__
#define __shared__ thread_local  // as a word before a declaration `extern` too
#define __forceinline__ inline
#define __align__(bytes) __attribute__((aligned(bytes)))

// Functions of language.h that only kernels with PTX call.
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
#ifdef LANES_OF_WAVEFRONT
constexpr unsigned warp = LANES_OF_WAVEFRONT;  // of HIP
#else
constexpr unsigned warp = 32;
#endif
/// Shuffles of a warp, as PTX names them. All threads of a block have to call them together.
inline unsigned word_of(unsigned word, unsigned lane) {
  static unsigned words[1024];
  const unsigned me = own_number();
  words[me] = word;
  threads.wait();
  const unsigned other = lane < warp ? words[me / warp * warp + lane] : word;
  threads.wait();
  return other;
}
inline unsigned own_lane() { return own_number() % warp; }
inline unsigned down(unsigned word, int distance) { return word_of(word, own_lane() + distance); }
inline unsigned up(unsigned word, int distance) { return word_of(word, own_lane() - distance); }
inline unsigned bfly(unsigned word, int distance) { return word_of(word, own_lane() ^ distance); }
inline unsigned idx(unsigned word, int lane) { return word_of(word, lane); }
inline bool any(unsigned word) {
  for (int distance = 1; distance < 32; distance *= 2) word |= bfly(word, distance);
  return word != 0;
}

/// Halves, as PTX converts them: a half's value, and halves to nearest and towards zero.
inline float of_half(unsigned short bits) { return static_cast<float>(__builtin_bit_cast(_Float16, bits)); }
inline unsigned short nearest_half(float value) {
  return __builtin_bit_cast(unsigned short, static_cast<_Float16>(value));
}
inline unsigned short half_towards_zero(float value) {
  const unsigned short nearest = nearest_half(value);
  return nearest - (std::fabs(of_half(nearest)) > std::fabs(value));
}
inline unsigned half_pair(float low, float high) { return half_towards_zero(low) | half_towards_zero(high) << 16; }

}  // namespace host_cuda

// Built-in names of AMD's compiler that HIP's kernels use (hip/runtime/kernels/language.h).
#ifdef LANES_OF_WAVEFRONT
#define amdgpu_flat_work_group_size(least, most)
#define OF_AXES(what, value)                                         \
  inline unsigned __builtin_amdgcn_##what##_x() { return value(x); } \
  inline unsigned __builtin_amdgcn_##what##_y() { return value(y); } \
  inline unsigned __builtin_amdgcn_##what##_z() { return value(z); }
#define ITEM_OF(axis) threadIdx.axis
#define GROUP_OF_ALL(axis) blockIdx.axis
#define ITEMS_OF(axis) blockDim.axis
#define ALL_ITEMS(axis) (gridDim.axis * blockDim.axis)
OF_AXES(workitem_id, ITEM_OF)
OF_AXES(workgroup_id, GROUP_OF_ALL)
OF_AXES(workgroup_size, ITEMS_OF)
OF_AXES(grid_size, ALL_ITEMS)
inline void __builtin_amdgcn_fence(int, const char*) {}
inline void __builtin_amdgcn_s_barrier() { host_cuda::threads.wait(); }
inline void __builtin_amdgcn_wave_barrier() { host_cuda::threads.wait(); }
inline int __builtin_amdgcn_ds_bpermute(int byte, int word) {
  return host_cuda::word_of(word, byte / 4 % host_cuda::warp);
}
inline float __builtin_amdgcn_sqrtf(float x) { return std::sqrt(x); }
inline float __builtin_amdgcn_rcpf(float x) { return 1 / x; }
/// Two halves towards zero, of which the kernels use the lower one.
inline unsigned __builtin_amdgcn_cvt_pkrtz(float value, float) { return host_cuda::half_towards_zero(value); }
extern "C" inline float __ocml_sqrt_f32(float x) { return std::sqrt(x); }
extern "C" inline double __ocml_sqrt_f64(double x) { return std::sqrt(x); }
extern "C" inline float __ocml_exp_f32(float x) { return std::exp(x); }
extern "C" inline double __ocml_exp_f64(double x) { return std::exp(x); }
#define __HIP_MEMORY_SCOPE_AGENT 0
#define __hip_atomic_fetch_add(word, value, ...) __atomic_fetch_add(word, value, __ATOMIC_RELAXED)
#define __hip_atomic_fetch_or(word, value, ...) __atomic_fetch_or(word, value, __ATOMIC_RELAXED)
#define __hip_atomic_exchange(word, value, ...) __atomic_exchange_n(word, value, __ATOMIC_RELAXED)
#endif

#ifdef STEP_DEPTH
#include "tensor.h"
#endif

#define HOST_KERNEL(name)                                                                    \
  extern "C" std::function<void()>* launch_##name(const unsigned* sizes, void** arguments) { \
    return host_cuda::launch_of(name, sizes, arguments);                                     \
  }
