// The subset of OpenCL C used by the kernels, as CUDA C++. It precedes every kernel file, for NVRTC, which compiles it
// on the user's machine, and for clang, which checks it in the tests without a CUDA header.
//
// Constructs that macros here cannot translate are macros in the kernels (opencl/runtime/kernels/pack.h): VECTOR,
// LOCAL_VARIABLE, LOCAL_PARAMETER, LARGE_LOCAL_ARRAY.
//
// HIP's compiler uses it, too, after a header with the differences (hip/runtime/kernels/language.h), which defines
// OPENCL_C_IN_HIP.
#define OPENCL_C_IN_CUDA

// ---- Functions, kernels, address spaces.
#if defined OPENCL_C_IN_HIP
#elif defined __clang__
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define FN static inline __device__ __attribute__((always_inline))
typedef __SIZE_TYPE__ size_t;
#else
#define FN static __device__ __forceinline__
#endif
#define KERNEL_FN FN
#define FN_OF_TYPE inline __device__ __attribute__((always_inline)) /* the same within a type */

// The work-group of a kernel's launches. NVRTC 13 accepts its exact shape, with which kernels that walk along rows take
// fewer registers; those of GROUP_OF were slower with it, by 8 to 12 % in persistent, and get only a bound. With
// RESIDENT_GROUPS the host requests this many groups of them per unit.
#if defined OPENCL_C_IN_HIP
#elif !defined __clang__ && __CUDACC_VER_MAJOR__ >= 13
#define reqd_work_group_size(x, y, z) block_size((x, y, z))
#else
#define reqd_work_group_size(x, y, z) launch_bounds((x) * (y) * (z))
#endif
#if defined OPENCL_C_IN_HIP
#elif defined RESIDENT_GROUPS
#define GROUP_OF(items) __attribute__((launch_bounds(items, RESIDENT_GROUPS)))
#else
#define GROUP_OF(items) __attribute__((launch_bounds(items)))
#endif
#undef __global__ /* which says "global", a word of the kernels */
#define kernel extern "C" __attribute__((__global__))
#define global
#define local
#define private
#define restrict __restrict__
#define constant static constexpr __device__
#define __constant static constexpr __device__

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef ushort half; /* as it lies in memory */

// ---- Local memory. Variables of a kernel are static shared memory, of which CUDA allows 48 KiB. Arrays sized by the
// host are dynamic, and so is a kernel's one large array, whose size the host reads from the module.
extern __shared__ __align__(16) uchar dynamic_local[];

/// The host's argument for local memory: its offset in the dynamic shared memory.
template <class T>
struct LocalParameter {
  ulong first_byte;
  FN_OF_TYPE operator T*() const { return (T*)(dynamic_local + first_byte); }
};

#define LOCAL_VARIABLE __shared__
#define LOCAL_PARAMETER(type) LocalParameter<type>
#define LARGE_LOCAL_ARRAY(type, name, extents) type(&name) extents = *(type(*) extents)dynamic_local
#define LARGE_LOCAL_BYTES(name_of_kernel, bytes) \
  extern "C" __device__ const uint name_of_kernel##_local_bytes = (uint)(bytes);

// A pointer does not state its memory; the compiler infers it except where an assembler statement hides it.
#if defined OPENCL_C_IN_HIP
#elif defined __clang__
#define SHARED_SPACE __attribute__((address_space(3)))
#define GLOBAL_SPACE __attribute__((address_space(1)))
template <class T>
FN ulong LOCAL_ADDRESS(T* pointer) {
  return (ulong)(SHARED_SPACE T*)pointer;
}
template <class T>
FN T* known_local(uint address) {
  return (T*)(SHARED_SPACE T*)(ulong)address;
}
template <class T>
FN T* KNOWN_GLOBAL(T* pointer) {
  return (T*)(GLOBAL_SPACE T*)pointer;
}
#else
template <class T>
FN ulong LOCAL_ADDRESS(T* pointer) {
  return __cvta_generic_to_shared(pointer);
}
template <class T>
FN T* known_local(uint address) {
  T* const pointer = (T*)__cvta_shared_to_generic(address);
  __builtin_assume(__isShared(pointer));
  return pointer;
}
template <class T>
FN T* KNOWN_GLOBAL(T* pointer) {
  return (T*)__cvta_global_to_generic((ulong)pointer);
}
#endif
#ifndef OPENCL_C_IN_HIP
template <class T>
FN void OPAQUE_LOCAL(T*& pointer) {
  uint address = (uint)LOCAL_ADDRESS(pointer);
  asm volatile("" : "+r"(address));
  pointer = known_local<T>(address);
}
#endif

// ---- Work-items.
#if defined OPENCL_C_IN_HIP
#elif defined __clang__
#define OF_AXIS(axis, what)                               \
  (int)((axis) == 0   ? __nvvm_read_ptx_sreg_##what##_x() \
        : (axis) == 1 ? __nvvm_read_ptx_sreg_##what##_y() \
                      : __nvvm_read_ptx_sreg_##what##_z())
FN int get_local_id(int axis) { return OF_AXIS(axis, tid); }
FN int get_group_id(int axis) { return OF_AXIS(axis, ctaid); }
FN int get_local_size(int axis) { return OF_AXIS(axis, ntid); }
FN int get_num_groups(int axis) { return OF_AXIS(axis, nctaid); }
#else
#define OF_AXIS(axis, what) (int)((axis) == 0 ? what.x : (axis) == 1 ? what.y : what.z)
FN int get_local_id(int axis) { return OF_AXIS(axis, threadIdx); }
FN int get_group_id(int axis) { return OF_AXIS(axis, blockIdx); }
FN int get_local_size(int axis) { return OF_AXIS(axis, blockDim); }
FN int get_num_groups(int axis) { return OF_AXIS(axis, gridDim); }
#endif
FN int get_global_id(int axis) { return get_group_id(axis) * get_local_size(axis) + get_local_id(axis); }
FN int get_global_size(int axis) { return get_num_groups(axis) * get_local_size(axis); }

#ifndef OPENCL_C_IN_HIP
#define CLK_LOCAL_MEM_FENCE
#define barrier(fence) __syncthreads()
#endif

// ---- Vectors of 2, 4, 8 and 16 values, as in OpenCL C.
#define VECTOR(type) type
#define STRUCT(type) type

/// Result of a comparison of lanes: all bits set, or none.
template <class T>
struct MaskOf {
  typedef int Lane;
};
template <>
struct MaskOf<double> {
  typedef long Lane;
};
template <>
struct MaskOf<long> {
  typedef long Lane;
};

/// All bits of a lane if a comparison of values holds; the result for vectors is returned unchanged.
FN int lane_of(bool holds) { return -holds; }
template <class M>
FN M lane_of(M mask) {
  return mask;
}

/// Members of vectors of every length, built from their halves.
#define EACH_BINARY(define) define(+) define(-) define(*) define(/) define(&) define(|) define(^) define(<<) define(>>)
#define EACH_COMPARISON(define) define(==) define(!=) define(<) define(>) define(<=) define(>=)
#define BINARY(op) \
  friend FN_OF_TYPE Vector operator op(Vector a, Vector b) { return Vector(LOW(a) op LOW(b), HIGH(a) op HIGH(b)); }
#define COMPARISON(op)                                                   \
  friend FN_OF_TYPE Mask operator op(Vector a, Vector b) {               \
    return Mask(lane_of(LOW(a) op LOW(b)), lane_of(HIGH(a) op HIGH(b))); \
  }
#define VECTOR_OPERATORS                                                             \
  Vector() = default;                                                                \
  friend FN_OF_TYPE Vector operator~(Vector a) { return Vector(~LOW(a), ~HIGH(a)); } \
  EACH_BINARY(BINARY)                                                                \
  EACH_COMPARISON(COMPARISON)

template <class T, int N>
struct alignas(N * sizeof(T)) Vector {
  typedef Vector<T, N / 2> Half;
  typedef Vector<typename MaskOf<T>::Lane, N> Mask;
  Half low, high;

  FN_OF_TYPE Vector(T all) : low(all), high(all) {}
  FN_OF_TYPE Vector(Half lower, Half upper) : low(lower), high(upper) {}
  FN_OF_TYPE Vector(T a, T b, T c, T d, T e, T f, T g, T h) : low(a, b, c, d), high(e, f, g, h) {}
  FN_OF_TYPE Vector(T a, T b, T c, T d, T e, T f, T g, T h, T i, T j, T k, T l, T m, T n, T o, T p)
      : low(a, b, c, d, e, f, g, h), high(i, j, k, l, m, n, o, p) {}
  VECTOR_OPERATORS
  /// The lower half of the lanes, and the upper one; for two lanes a single value each.
  friend FN_OF_TYPE Half LOW(Vector v) { return v.low; }
  friend FN_OF_TYPE Half HIGH(Vector v) { return v.high; }
};

template <class T>
struct alignas(2 * sizeof(T)) Vector<T, 2> {
  typedef Vector<typename MaskOf<T>::Lane, 2> Mask;
  T x, y;

  FN_OF_TYPE Vector(T all) : x(all), y(all) {}
  FN_OF_TYPE Vector(T first, T second) : x(first), y(second) {}
  VECTOR_OPERATORS
  friend FN_OF_TYPE T LOW(Vector v) { return v.x; }
  friend FN_OF_TYPE T HIGH(Vector v) { return v.y; }
};

template <class T>
struct alignas(4 * sizeof(T)) Vector<T, 4> {
  typedef Vector<typename MaskOf<T>::Lane, 4> Mask;
  T x, y, z, w;

  FN_OF_TYPE Vector(T all) : x(all), y(all), z(all), w(all) {}
  FN_OF_TYPE Vector(T a, T b, T c, T d) : x(a), y(b), z(c), w(d) {}
  FN_OF_TYPE Vector(Vector<T, 2> lower, Vector<T, 2> upper) : x(lower.x), y(lower.y), z(upper.x), w(upper.y) {}
  VECTOR_OPERATORS
  friend FN_OF_TYPE Vector<T, 2> LOW(Vector v) { return Vector<T, 2>(v.x, v.y); }
  friend FN_OF_TYPE Vector<T, 2> HIGH(Vector v) { return Vector<T, 2>(v.z, v.w); }
};

template <class T, int N>
FN Vector<T, N>& operator+=(Vector<T, N>& sum, Vector<T, N> value) {
  return sum = sum + value;
}

/// Applies `with` to values, lane by lane.
template <class T, class With>
FN T each_lane(T value, With with) {
  return with(value);
}
template <class T, int N, class With>
FN Vector<T, N> each_lane(Vector<T, N> v, With with) {
  return Vector<T, N>(each_lane(LOW(v), with), each_lane(HIGH(v), with));
}

#define short2 Vector<short, 2>
#define ushort2 Vector<ushort, 2>
#define int2 Vector<int, 2>
#define int4 Vector<int, 4>
#define int8 Vector<int, 8>
#define int16 Vector<int, 16>
#define uint2 Vector<uint, 2>
#define uint4 Vector<uint, 4>
#define uint8 Vector<uint, 8>
#define uint16 Vector<uint, 16>
#define long2 Vector<long, 2>
#define long4 Vector<long, 4>
#define long8 Vector<long, 8>
#define long16 Vector<long, 16>
#define ulong2 Vector<ulong, 2>
#define ulong4 Vector<ulong, 4>
#define ulong8 Vector<ulong, 8>
#define ulong16 Vector<ulong, 16>
#define float2 Vector<float, 2>
#define float4 Vector<float, 4>
#define float8 Vector<float, 8>
#define float16 Vector<float, 16>
#define double2 Vector<double, 2>
#define double4 Vector<double, 4>
#define double8 Vector<double, 8>
#define double16 Vector<double, 16>

// ---- Choices, bits, numbers.
template <class T>
FN T chosen(int mask, T if_true, T if_false) {
  return mask ? if_true : if_false;
}
template <class M, class T, int N>
FN Vector<T, N> chosen(Vector<M, N> mask, Vector<T, N> a, Vector<T, N> b) {
  return Vector<T, N>(chosen(LOW(mask), LOW(a), LOW(b)), chosen(HIGH(mask), HIGH(a), HIGH(b)));
}
#define choose(mask, if_true, if_false) chosen(mask, if_true, if_false)

/// Whether all lanes of a mask are true, or any.
template <class T>
FN int all(T lane) {
  return lane != 0;
}
template <class T>
FN int any(T lane) {
  return lane != 0;
}
template <class T, int N>
FN int all(Vector<T, N> mask) {
  return all(LOW(mask) & HIGH(mask));
}
template <class T, int N>
FN int any(Vector<T, N> mask) {
  return any(LOW(mask) | HIGH(mask));
}

/// The same bits as another type.
template <class To, class From>
FN To same_bits(From from) {
  union Both {
    From from;
    To to;
    FN_OF_TYPE Both() {}
  } both;
  both.from = from;
  return both.to;
}
#define as_uint(...) same_bits<uint>(__VA_ARGS__)
#define as_float(...) same_bits<float>(__VA_ARGS__)
#define as_ulong(...) same_bits<ulong>(__VA_ARGS__)
#define as_double(...) same_bits<double>(__VA_ARGS__)
#define as_ushort2(...) same_bits<ushort2>(__VA_ARGS__)
#define as_uint2(...) same_bits<uint2>(__VA_ARGS__)
#define as_uint4(...) same_bits<uint4>(__VA_ARGS__)
#define as_uint8(...) same_bits<uint8>(__VA_ARGS__)
#define as_uint16(...) same_bits<uint16>(__VA_ARGS__)
#define as_float2(...) same_bits<float2>(__VA_ARGS__)
#define as_float4(...) same_bits<float4>(__VA_ARGS__)
#define as_float8(...) same_bits<float8>(__VA_ARGS__)
#define as_float16(...) same_bits<float16>(__VA_ARGS__)

template <class T>
FN T least(T a, T b) {
  return b < a ? b : a;
}
template <class T>
FN T greatest(T a, T b) {
  return a < b ? b : a;
}
#define min(a, b) least(a, b)
#define max(a, b) greatest(a, b)

#if defined __clang__ && !defined OPENCL_C_IN_HIP
FN float sqrt(float x) { return __builtin_sqrtf(x); }
FN double sqrt(double x) { return __builtin_sqrt(x); }
FN float fabs(float x) { return __builtin_fabsf(x); }
FN double fabs(double x) { return __builtin_fabs(x); }
FN float fmin(float a, float b) { return __builtin_fminf(a, b); }
FN double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
extern "C" __device__ float __nv_expf(float x); /* of CUDA's library; the backend has none itself */
extern "C" __device__ double __nv_exp(double x);
FN float exp(float x) { return __nv_expf(x); }
FN double exp(double x) { return __nv_exp(x); }
FN float rsqrt(float x) { return 1.0f / sqrt(x); }
FN double rsqrt(double x) { return 1.0 / sqrt(x); }
#endif
#ifndef OPENCL_C_IN_HIP
FN float native_sqrt(float x) {
  float root;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
  return root;
}
FN float native_recip(float x) {
  float inverse_of_x;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse_of_x) : "f"(x));
  return inverse_of_x;
}
#endif
#define LANE_BY_LANE(function)                            \
  template <class T, int N>                               \
  FN Vector<T, N> function(Vector<T, N> v) {              \
    return each_lane(v, [](T x) { return function(x); }); \
  }
LANE_BY_LANE(fabs)
LANE_BY_LANE(sqrt)
LANE_BY_LANE(rsqrt)
LANE_BY_LANE(exp)
LANE_BY_LANE(native_sqrt)
LANE_BY_LANE(native_recip)

/// The upper half of each product.
FN uint mul_hi(uint a, uint b) { return (uint)((ulong)a * b >> 32); }
template <int N>
FN Vector<uint, N> mul_hi(Vector<uint, N> a, Vector<uint, N> b) {
  return Vector<uint, N>(mul_hi(LOW(a), LOW(b)), mul_hi(HIGH(a), HIGH(b)));
}
/// Converts lane by lane to another type.
template <class To, class From>
FN To converted(From value, To*) {
  return (To)value;
}
template <class To, int N, class From>
FN Vector<To, N> converted(Vector<From, N> v, Vector<To, N>*) {
  typedef decltype(LOW(Vector<To, N>(To(0)))) Half;
  return Vector<To, N>(converted(LOW(v), (Half*)0), converted(HIGH(v), (Half*)0));
}
#define convert_float(x) ((float)(x))
#define convert_float2(x) converted(x, (float2*)0)
#define convert_float4(x) converted(x, (float4*)0)
#define convert_float8(x) converted(x, (float8*)0)
#define convert_float16(x) converted(x, (float16*)0)
#define convert_double(x) ((double)(x))
#define convert_double2(x) converted(x, (double2*)0)
#define convert_double4(x) converted(x, (double4*)0)
#define convert_double8(x) converted(x, (double8*)0)
#define convert_double16(x) converted(x, (double16*)0)

// ---- Vectors and halves in memory.
#ifndef OPENCL_C_IN_HIP
FN float of_half(half bits) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
}
FN half nearest_half(float value) {
  half bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
}
FN half half_towards_zero(float value) {
  half bits;
  asm("cvt.rz.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
}
#endif

/// Reads N values from `from` on, each converted by `with`, and writes them back.
template <int N>
struct Lanes {
  template <class To, class From, class With>
  static FN_OF_TYPE Vector<To, N> load(const From* from, With with) {
    return Vector<To, N>(Lanes<N / 2>::template load<To>(from, with),
                         Lanes<N / 2>::template load<To>(from + N / 2, with));
  }
  template <class From, class To, class With>
  static FN_OF_TYPE void store(Vector<From, N> v, To* to, With with) {
    Lanes<N / 2>::store(LOW(v), to, with);
    Lanes<N / 2>::store(HIGH(v), to + N / 2, with);
  }
};
template <>
struct Lanes<1> {
  template <class To, class From, class With>
  static FN_OF_TYPE To load(const From* from, With with) {
    return with(*from);
  }
  template <class From, class To, class With>
  static FN_OF_TYPE void store(From value, To* to, With with) {
    *to = with(value);
  }
};
template <int N, class T>
FN Vector<T, N> load_lanes(const T* from) {
  return Lanes<N>::template load<T>(from, [](T value) { return value; });
}
template <int N, class T>
FN void store_lanes(Vector<T, N> v, T* to) {
  Lanes<N>::store(v, to, [](T value) { return value; });
}
template <int N>
FN Vector<float, N> load_halves(const half* from) {
  return Lanes<N>::template load<float>(from, [](half bits) { return of_half(bits); });
}
template <int N>
FN void store_halves(Vector<float, N> v, half* to) {
  Lanes<N>::store(v, to, [](float value) { return half_towards_zero(value); });
}
#define vload2(offset, from) load_lanes<2>((from) + 2 * (offset))
#define vload4(offset, from) load_lanes<4>((from) + 4 * (offset))
#define vload8(offset, from) load_lanes<8>((from) + 8 * (offset))
#define vload16(offset, from) load_lanes<16>((from) + 16 * (offset))
#define vstore2(value, offset, to) store_lanes<2>(value, (to) + 2 * (offset))
#define vstore4(value, offset, to) store_lanes<4>(value, (to) + 4 * (offset))
#define vstore8(value, offset, to) store_lanes<8>(value, (to) + 8 * (offset))
#define vstore16(value, offset, to) store_lanes<16>(value, (to) + 16 * (offset))
#define vload_half(offset, from) of_half((from)[offset])
#define vload_half2(offset, from) load_halves<2>((from) + 2 * (offset))
#define vload_half4(offset, from) load_halves<4>((from) + 4 * (offset))
#define vload_half8(offset, from) load_halves<8>((from) + 8 * (offset))
#define vload_half16(offset, from) load_halves<16>((from) + 16 * (offset))
#define vstore_half(value, offset, to) ((to)[offset] = nearest_half(value))
#define vstore_half_rtz(value, offset, to) ((to)[offset] = half_towards_zero(value))
#define vstore_half2_rtz(value, offset, to) store_halves<2>(value, (to) + 2 * (offset))
#define vstore_half4_rtz(value, offset, to) store_halves<4>(value, (to) + 4 * (offset))
#define vstore_half8_rtz(value, offset, to) store_halves<8>(value, (to) + 8 * (offset))
#define vstore_half16_rtz(value, offset, to) store_halves<16>(value, (to) + 16 * (offset))
