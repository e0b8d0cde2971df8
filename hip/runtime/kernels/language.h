// The subset of OpenCL C used by the kernels, as HIP C++ for AMD's GPUs: the differences from CUDA C++, in the
// compiler's own functions, so that hiprtc's headers are not needed and clang checks the kernels without them. Names
// that also occur in those headers are renamed. The host defines LANES_OF_WAVEFRONT, 64 or 32.
#define OPENCL_C_IN_HIP
#define sqrt own_sqrt
#define rsqrt own_rsqrt
#define fabs own_fabs
#define fmin own_fmin
#define exp own_exp
#define half own_half

#ifndef __device__ /* hiprtc has these */
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __align__(bytes) __attribute__((aligned(bytes)))
#endif
#define FN static inline __device__ __attribute__((always_inline))
typedef __SIZE_TYPE__ size_t;

// A group may be as large as the kernel states, by default 1024 items.
#define reqd_work_group_size(x, y, z) amdgpu_flat_work_group_size(1, (x) * (y) * (z))
#define GROUP_OF(items) __attribute__((amdgpu_flat_work_group_size(1, items)))

#define OPAQUE_LOCAL(pointer)
#define KNOWN_GLOBAL(pointer) (pointer)

// ---- Work-items, and exchange between them.
#define OF_AXIS(axis, what)                           \
  (int)((axis) == 0   ? __builtin_amdgcn_##what##_x() \
        : (axis) == 1 ? __builtin_amdgcn_##what##_y() \
                      : __builtin_amdgcn_##what##_z())
FN int get_local_id(int axis) { return OF_AXIS(axis, workitem_id); }
FN int get_group_id(int axis) { return OF_AXIS(axis, workgroup_id); }
FN int get_local_size(int axis) { return OF_AXIS(axis, workgroup_size); }
FN int get_num_groups(int axis) {
  return OF_AXIS(axis, grid_size) / get_local_size(axis);
} /* launches are of whole ones */

#define CLK_LOCAL_MEM_FENCE
#define CLK_GLOBAL_MEM_FENCE
FN void barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
FN void mem_fence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
#define OF_DEVICE __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT
#define atomic_inc(word) __hip_atomic_fetch_add(word, 1u, OF_DEVICE)
#define atomic_or(word, bits) __hip_atomic_fetch_or(word, bits, OF_DEVICE)
#define atomic_xchg(word, value) __hip_atomic_exchange(word, value, OF_DEVICE)

// ---- Sub-groups: wavefronts, of which the last of a group may be smaller.
FN int item_of_group() {
  return get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
}
FN int items_of_group() { return get_local_size(0) * get_local_size(1) * get_local_size(2); }
FN int get_max_sub_group_size() { return LANES_OF_WAVEFRONT; }
FN int get_sub_group_id() { return item_of_group() / get_max_sub_group_size(); }
FN int get_sub_group_local_id() { return item_of_group() % get_max_sub_group_size(); }
FN int get_num_sub_groups() { return (items_of_group() + get_max_sub_group_size() - 1) / get_max_sub_group_size(); }
FN int get_sub_group_size() {
  const int rest = items_of_group() - get_sub_group_id() * get_max_sub_group_size();
  return rest < get_max_sub_group_size() ? rest : get_max_sub_group_size();
}
FN void sub_group_barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

/// The value of a lane, word by word. That lane must call it, too.
template <class T>
FN T sub_group_broadcast(T value, int lane) {
  union {
    T value;
    int words[sizeof(T) / 4];
  } one;
  one.value = value;
  for (int i = 0; i < (int)(sizeof(T) / 4); ++i) one.words[i] = __builtin_amdgcn_ds_bpermute(4 * lane, one.words[i]);
  return one.value;
}
/// Combines the values of all lanes by `with`, in rounds that halve the distance; every lane has the result.
template <class T, class With>
FN T sub_group_reduced(T value, With with) {
  const int lane = get_sub_group_local_id(), lanes = get_sub_group_size();
  for (int distance = get_max_sub_group_size() / 2; distance > 0; distance /= 2) {
    const T other = sub_group_broadcast(value, lane + distance < lanes ? lane + distance : lane);
    if (lane + distance < lanes) value = with(value, other);
  }
  return sub_group_broadcast(value, 0);
}
#define sub_group_reduce_add(value) sub_group_reduced(value, [](auto a, auto b) { return a + b; })
#define sub_group_reduce_min(value) sub_group_reduced(value, [](auto a, auto b) { return b < a ? b : a; })
#define sub_group_reduce_max(value) sub_group_reduced(value, [](auto a, auto b) { return a < b ? b : a; })

// ---- Mathematical functions of ROCm's device library, which hiprtc links.
extern "C" __device__ float __ocml_sqrt_f32(float x);
extern "C" __device__ double __ocml_sqrt_f64(double x);
extern "C" __device__ float __ocml_exp_f32(float x);
extern "C" __device__ double __ocml_exp_f64(double x);
FN float sqrt(float x) { return __ocml_sqrt_f32(x); }
FN double sqrt(double x) { return __ocml_sqrt_f64(x); }
FN float exp(float x) { return __ocml_exp_f32(x); }
FN double exp(double x) { return __ocml_exp_f64(x); }
FN float rsqrt(float x) { return 1.0f / sqrt(x); }
FN double rsqrt(double x) { return 1.0 / sqrt(x); }
FN float fabs(float x) { return __builtin_fabsf(x); }
FN double fabs(double x) { return __builtin_fabs(x); }
FN float fmin(float a, float b) { return __builtin_fminf(a, b); }
FN float native_sqrt(float x) { return __builtin_amdgcn_sqrtf(x); }
FN float native_recip(float x) { return __builtin_amdgcn_rcpf(x); }

// ---- Halves in memory.
FN float of_half(unsigned short bits) { return (float)__builtin_bit_cast(_Float16, bits); }
FN unsigned short nearest_half(float value) { return __builtin_bit_cast(unsigned short, (_Float16)value); }
FN unsigned short half_towards_zero(float value) {
  return (unsigned short)__builtin_bit_cast(unsigned, __builtin_amdgcn_cvt_pkrtz(value, 0.0f));
}

#include "cuda/runtime/kernels/language.h"
