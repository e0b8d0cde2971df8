// A pack of N numbers that the compiler keeps in vector registers: the REAL of the CPU kernels.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "common/base/half.hpp"
#include "common/base/real.h"

#ifdef __CUDACC__
// nvcc accepts neither vectors whose length is a template parameter nor packs in calls of builtins. Declarations are
// enough for it, since it reads the kernels for processors without compiling them.
#define __builtin_shufflevector(a, ...) a
namespace boltzmark {
template <class T, int N>
struct Pack;
template <class T>
constexpr int native_lanes = 1;
inline void streamed() {}
}  // namespace boltzmark
#else

namespace boltzmark {

/// N values of T, operated on lane by lane. N is a power of two.
template <class T, int N>
struct Pack {
  using Scalar = T;
  static constexpr int lanes = N;
  using Lane = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  typedef T Raw __attribute__((vector_size(N * sizeof(T))));
  typedef Lane RawMask __attribute__((vector_size(N * sizeof(T))));

  /// One truth value per lane: all bits set or none.
  struct Mask {
    RawMask raw;
    KERNEL_FN friend Mask operator&(Mask a, Mask b) { return {a.raw & b.raw}; }
    KERNEL_FN friend Mask operator~(Mask a) { return {~a.raw}; }
    KERNEL_FN friend Mask inverse(Mask a) { return ~a; }
  };

  Raw raw;

  KERNEL_FN friend Pack operator+(Pack a, Pack b) { return {a.raw + b.raw}; }
  KERNEL_FN friend Pack operator-(Pack a, Pack b) { return {a.raw - b.raw}; }
  KERNEL_FN friend Pack operator*(Pack a, Pack b) { return {a.raw * b.raw}; }
  KERNEL_FN friend Pack operator/(Pack a, Pack b) { return {a.raw / b.raw}; }
  KERNEL_FN friend Pack operator+(Pack a, T b) { return {a.raw + b}; }
  KERNEL_FN friend Pack operator-(Pack a, T b) { return {a.raw - b}; }
  KERNEL_FN friend Pack operator*(Pack a, T b) { return {a.raw * b}; }
  KERNEL_FN friend Mask operator>(Pack a, T b) { return {a.raw > b}; }
  KERNEL_FN friend Pack choose(Mask mask, Pack if_true, Pack if_false) {
    return {mask.raw ? if_true.raw : if_false.raw};
  }

  static KERNEL_FN Pack zero() { return {Raw{}}; }
  /// Loads N values from any address.
  static KERNEL_FN Pack load(const T* from) {
    Pack p;
    __builtin_memcpy(&p.raw, from, sizeof(Raw));
    return p;
  }
  KERNEL_FN void store(T* to) const { __builtin_memcpy(to, &raw, sizeof(Raw)); }
  /// The same for halves, in units of half_units; a store truncates to the digits of a half.
  static KERNEL_FN Pack load(const Half* from) {
    Pack p;
    load_halves(from, p);
    return p;
  }
  KERNEL_FN void store(Half* to) const { store_halves(*this, to); }
  /// Lane i of the mask is bit i of `bits`.
  static KERNEL_FN Mask mask_from_bits(std::uint32_t bits) {
    RawMask lane_bit;
    for (int i = 0; i < N; ++i) lane_bit[i] = Lane{1} << i;
    return {((lane_bit & static_cast<Lane>(bits)) != 0)};
  }
  /// Moves every value one lane up, the last into lane 0.
  KERNEL_FN Pack rotated_up() const { return rotated_by<N - 1>(std::make_integer_sequence<int, N>{}); }
  /// Moves every value one lane down, the first into the last lane.
  KERNEL_FN Pack rotated_down() const { return rotated_by<1>(std::make_integer_sequence<int, N>{}); }
  /// Sum of the lanes, by halving.
  KERNEL_FN T sum() const {
    if constexpr (N == 1) {
      return raw[0];
    } else {
      return sum_of_halves(std::make_integer_sequence<int, N / 2>{});
    }
  }

 private:
  template <int Lanes, int... I>
  KERNEL_FN Pack rotated_by(std::integer_sequence<int, I...>) const {
    return {__builtin_shufflevector(raw, raw, (I + Lanes) % N...)};
  }
  template <int... I>
  KERNEL_FN T sum_of_halves(std::integer_sequence<int, I...>) const {
    return Pack<T, N / 2>{__builtin_shufflevector(raw, raw, I...) + __builtin_shufflevector(raw, raw, I + N / 2 ...)}
        .sum();
  }
};

template <class T, int N>
struct RealTraits<Pack<T, N>> {
  using Scalar = T;
  using Mask = typename Pack<T, N>::Mask;
};

/// Portable versions; the header of an instruction set below has better ones for its width.
template <class T, int N>
KERNEL_FN Pack<T, N> square_root(Pack<T, N> x) {
  Pack<T, N> root;
  for (int i = 0; i < N; ++i) root.raw[i] = square_root(static_cast<T>(x.raw[i]));
  return root;
}
template <class T, int N>
KERNEL_FN Pack<T, N> exponential(Pack<T, N> x) {
  for (int i = 0; i < N; ++i) x.raw[i] = exponential(static_cast<T>(x.raw[i]));
  return x;
}
/// b if one of them is NaN.
template <class T, int N>
KERNEL_FN Pack<T, N> lesser_of(Pack<T, N> a, Pack<T, N> b) {
  return {a.raw < b.raw ? a.raw : b.raw};
}
template <class T, int N>
KERNEL_FN Pack<T, N> greater_of(Pack<T, N> a, Pack<T, N> b) {
  return {a.raw > b.raw ? a.raw : b.raw};
}
/// a / b, accurate to one or two units in the last place.
template <class T, int N>
KERNEL_FN Pack<T, N> ratio(T a, Pack<T, N> b) {
  return {a / b.raw};
}
/// a * b + c, as one instruction if the instruction set has it.
template <class T, int N>
KERNEL_FN Pack<T, N> multiply_add(Pack<T, N> a, T b, Pack<T, N> c) {
  return {a.raw * b + c.raw};
}
template <class T, int N>
KERNEL_FN Pack<T, N> multiply_add(Pack<T, N> a, Pack<T, N> b, Pack<T, N> c) {
  return {a.raw * b.raw + c.raw};
}

/// Absolute values.
template <class T, int N>
KERNEL_FN Pack<T, N> absolute(Pack<T, N> x) {
  using RawMask = typename Pack<T, N>::RawMask;
  constexpr auto sign = std::numeric_limits<typename Pack<T, N>::Lane>::min();
  return {reinterpret_cast<typename Pack<T, N>::Raw>(reinterpret_cast<RawMask>(x.raw) & ~sign)};
}

template <int N>
using HalvesRaw __attribute__((vector_size(2 * N))) = HalfBits;

/// For processors without such instructions: a half has the digits of a float with another exponent.
template <int N>
KERNEL_FN void load_halves(const Half* from, Pack<float, N>& to) {
  using Raw = typename Pack<float, N>::Raw;
  using RawMask = typename Pack<float, N>::RawMask;
  HalvesRaw<N> halves;
  __builtin_memcpy(&halves, from, sizeof halves);
  const RawMask bits = __builtin_convertvector(halves, RawMask);
  const Raw size = reinterpret_cast<Raw>((bits & 0x7fff) << 13) * 0x1p112f;
  to.raw = reinterpret_cast<Raw>(reinterpret_cast<RawMask>(size) | (bits & 0x8000) << 16);
}
template <int N>
KERNEL_FN void store_halves(Pack<float, N> x, Half* to) {
  using Raw = typename Pack<float, N>::Raw;
  using RawMask = typename Pack<float, N>::RawMask;
  const auto bits = reinterpret_cast<RawMask>(x.raw);
  RawMask size = reinterpret_cast<RawMask>(reinterpret_cast<Raw>(bits & 0x7fffffff) * 0x1p-112f) >> 13;
  size = size > 0x7bff ? (x.raw == x.raw ? RawMask{} + 0x7bff : RawMask{} + 0x7e00) : size;
  const auto halves = __builtin_convertvector(size | (bits >> 16 & 0x8000), HalvesRaw<N>);
  __builtin_memcpy(to, &halves, sizeof halves);
}

/// Stores to an address that is a multiple of the vector's size, past the caches if the processor can; call streamed()
/// before other threads read it.
template <class T, int N>
KERNEL_FN void store_past_caches(Pack<T, N> x, T* to) {
  x.store(to);
}
/// The same for halves: those in memory, followed by those of x.
template <int N>
KERNEL_FN void store_past_caches(const Half* first, Pack<float, N> x, Half* to) {
  __builtin_memcpy(to, first, N * sizeof(Half));
  x.store(to + N);
}
KERNEL_FN void streamed() {
#if defined(__SSE2__) && !defined(__NVPTX__) && !defined(__AMDGCN__)
  __builtin_ia32_sfence();
#endif
}

/// The same value, kept in a register from here on, so that the compiler does not read it twice.
template <class T, int N>
KERNEL_FN Pack<T, N> in_register(Pack<T, N> x) {
#if defined(__x86_64__) && !defined(BOLTZMARK_WITHOUT_ASM) && !defined(__NVPTX__) && !defined(__AMDGCN__)
  asm("" : "+v"(x.raw));
#endif
  return x;
}

/// Lanes of the widest vectors this file is compiled for.
template <class T>
constexpr int native_lanes =
#if defined(__AVX512F__)
    64 / sizeof(T);
#elif defined(__AVX__)
    32 / sizeof(T);
#else
    16 / sizeof(T);
#endif

}  // namespace boltzmark

#if defined(__SSE2__) && !defined(__NVPTX__) && !defined(__AMDGCN__)  // they see the host's macros
#include "common/cpu/simd_x86.hpp"
#endif
#endif
