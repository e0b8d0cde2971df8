// Random numbers that are the same in every model, from a counter instead of a state: Philox2x32-10 (Salmon et al.
// 2011, "Parallel random numbers: as easy as 1, 2, 3").
#ifndef BOLTZMARK_COMMON_TARGET_RANDOM_H
#define BOLTZMARK_COMMON_TARGET_RANDOM_H

#include "common/target/target.h"

#define PHILOX_MULTIPLIER 0xD256D193u
#define PHILOX_KEY_STEP 0x9E3779B9u
#define PHILOX_ROUNDS 10

#ifdef REAL_IS_GENERIC

#include "common/cpu/simd_wide.hpp"

namespace boltzmark::target {

/// 64 random bits of draw number `draw`.
KERNEL_FN std::uint64_t philox(std::uint64_t draw, std::uint32_t key) {
  auto low = static_cast<std::uint32_t>(draw), high = static_cast<std::uint32_t>(draw >> 32);
  for (int round = 0; round < PHILOX_ROUNDS; ++round, key += PHILOX_KEY_STEP) {
#ifdef __NVPTX__ /* LLVM would have it of 64 bits, which takes an addition more */
    std::uint64_t product;
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(product) : "r"(low), "r"(PHILOX_MULTIPLIER));
#else
    const std::uint64_t product = std::uint64_t{PHILOX_MULTIPLIER} * low;
#endif
    low = static_cast<std::uint32_t>(product >> 32) ^ key ^ high;
    high = static_cast<std::uint32_t>(product);
  }
  return low | std::uint64_t{high} << 32;
}

#ifdef __NVPTX__
/// That draw in units of 2^-32, with a relative error of 2^-24: saves a wide multiplication and needs no doubles.
#define HAS_NEAR_UNIFORM
KERNEL_FN float near_uniform(std::int64_t draw, std::uint32_t key) {
  return static_cast<float>(static_cast<std::uint32_t>(philox(static_cast<std::uint64_t>(draw), key) >> 32));
}
#endif

/// g++ accepts vector types only if they depend on a template parameter.
template <class T, int N>
struct VectorOf {
  typedef T Type __attribute__((vector_size(N * sizeof(T))));
};

/// N draws side by side.
template <int N>
struct Draws {
  using Words = typename VectorOf<std::uint64_t, N>::Type;
  using Doubles = typename VectorOf<double, N>::Type;
  /// Not an object, which a target region would expect on the device.
  static KERNEL_FN constexpr std::uint64_t half() { return 0xffffffffu; }

  /// The lower half of each word times the multiplier: one instruction that g++ does not generate by itself.
  static KERNEL_FN Words times_multiplier(Words a) {
#if defined(__x86_64__) && !defined(__clang__)
    if constexpr (N == 2) {
      typedef int Ints __attribute__((vector_size(16)));
      return reinterpret_cast<Words>(__builtin_ia32_pmuludq128(
          reinterpret_cast<Ints>(a), reinterpret_cast<Ints>(Words{} + std::uint64_t{PHILOX_MULTIPLIER})));
    }
#if defined(__AVX2__)
    if constexpr (N == 4) {
      typedef int Ints __attribute__((vector_size(32)));
      return reinterpret_cast<Words>(__builtin_ia32_pmuludq256(
          reinterpret_cast<Ints>(a), reinterpret_cast<Ints>(Words{} + std::uint64_t{PHILOX_MULTIPLIER})));
    }
#endif
#if defined(__AVX512F__)
    if constexpr (N == 8) {
      typedef int Ints __attribute__((vector_size(64)));
      typedef long long Longs __attribute__((vector_size(64)));
      return reinterpret_cast<Words>(__builtin_ia32_pmuludq512_mask(
          reinterpret_cast<Ints>(a), reinterpret_cast<Ints>(Words{} + std::uint64_t{PHILOX_MULTIPLIER}), Longs{}, -1));
    }
#endif
#endif
    return (a & half()) * (Words{} + std::uint64_t{PHILOX_MULTIPLIER});
  }

  static KERNEL_FN Words lanes() {
    Words numbers;
    for (int lane = 0; lane < N; ++lane) numbers[lane] = static_cast<std::uint64_t>(lane);
    return numbers;
  }

  /// The lower and the upper halves of the words that philox() gives for first, first + stride ...; higher bits of a
  /// lane have no meaning.
  struct Halves {
    Words low, high;
  };
  static KERNEL_FN Halves at(std::int64_t first, std::int64_t stride, std::uint32_t key) {
    Words low = lanes() * static_cast<std::uint64_t>(stride) + static_cast<std::uint64_t>(first);
    Words high = low >> 32;
    for (int round = 0; round < PHILOX_ROUNDS; ++round, key += PHILOX_KEY_STEP) {
      const Words product = times_multiplier(low);
      low = (product >> 32) ^ high ^ std::uint64_t{key};
      high = product;
    }
    return {low, high};
  }

  /// The lower half of each lane as a number: the bits of 2^52 + x.
  static KERNEL_FN Doubles number(Words lanes) {
    constexpr std::uint64_t two_to_52 = 0x4330000000000000u;
    return reinterpret_cast<Doubles>((lanes & half()) | two_to_52) - 0x1p52;
  }
};

/// Two packs of half as many doubles, as one pack of floats.
template <int N>
KERNEL_FN Pack<float, N> as_floats(Pack<double, N / 2> low, Pack<double, N / 2> high) {
  Pack<float, N> all;
  for (int lane = 0; lane < N / 2; ++lane) {
    all.raw[lane] = static_cast<float>(low.raw[lane]);
    all.raw[lane + N / 2] = static_cast<float>(high.raw[lane]);
  }
  return all;
}

/// The doubles that `Of::of<N>(halves)` makes from each of N draws, for any REAL.
template <class REAL, class Of>
KERNEL_FN REAL from_draws(std::int64_t first, std::int64_t stride, std::uint32_t key) {
  using Scalar = typename RealTraits<REAL>::Scalar;
  constexpr int lanes = lanes_of<REAL>;
  if constexpr (lanes == 1) {
    return static_cast<Scalar>(Of::one(philox(static_cast<std::uint64_t>(first), key)));
  } else if constexpr (requires(REAL x) { x.low; }) {
    using Half = typename REAL::Half;
    return {from_draws<Half, Of>(first, stride, key), from_draws<Half, Of>(first + lanes / 2 * stride, stride, key)};
  } else if constexpr (sizeof(Scalar) == sizeof(double)) {
    return {Of::template each<lanes>(Draws<lanes>::at(first, stride, key))};
  } else if constexpr (lanes > 2) {
    using Half = Pack<double, lanes / 2>;
    return as_floats<lanes>(from_draws<Half, Of>(first, stride, key),
                            from_draws<Half, Of>(first + lanes / 2 * stride, stride, key));
  } else {
    REAL both;
    for (int lane = 0; lane < lanes; ++lane) both.raw[lane] = from_draws<Scalar, Of>(first + lane * stride, 0, key);
    return both;
  }
}

struct UniformOfDraw {
  static KERNEL_FN double one(std::uint64_t word) {
#ifdef __NVPTX__ /* as uniform_of_halves below, which says why */
    const std::uint64_t high = 0x4130000000000000u | word >> 32, low = 0x3f30000000000000u | std::uint32_t(word);
    return __builtin_bit_cast(double, high) - (0x1p20 + 0x1p-12) + __builtin_bit_cast(double, low);
#else
    return static_cast<double>(word) * 0x1p-64;
#endif
  }
  template <int N>
  static KERNEL_FN auto each(typename Draws<N>::Halves word) {  // one rounding, that of the sum
    return Draws<N>::number(word.high) * 0x1p-32 + Draws<N>::number(word.low) * 0x1p-64;
  }
};
struct HeadOfDraw {
  static KERNEL_FN double one(std::uint64_t word) { return word >> 63 ? 1.0 : 0.0; }
  template <int N>
  static KERNEL_FN auto each(typename Draws<N>::Halves word) {
    return Draws<N>::number((word.high >> 31) & 1);
  }
};

/// Uniform in [0, 1): draw number first + i * stride in lane i. Rounded to a SCALAR, so that it may be 1.
template <class REAL>
KERNEL_FN REAL uniform(std::int64_t first, std::int64_t stride, std::uint32_t key) {
  return from_draws<REAL, UniformOfDraw>(first, stride, key);
}
/// The highest bit of these draws, 1 or 0: whether the uniform number is at least 1/2.
template <class REAL>
KERNEL_FN REAL head(std::int64_t first, std::int64_t stride, std::uint32_t key) {
  return from_draws<REAL, HeadOfDraw>(first, stride, key);
}

}  // namespace boltzmark::target

#else

typedef struct Words {
#if LANES == 1
  uint low, high;
#else
  JOIN(ulong, LANES) low, high; /* of which the lower halves count: processors multiply those in one instruction */
#endif
} Words;
#if LANES == 1
#define NUMBER_OF(words) (JOIN(convert_, SCALAR)(words))
#else
#define NUMBER_OF(words) (JOIN(JOIN(convert_, SCALAR), LANES)(words))
#endif

#ifndef wide_product
#define wide_product(a, b) ((ulong)(a) * (b)) /* one instruction, where its halves may be two */
#endif

/// The results of the host's philox() for first, first + stride ...
#if LANES == 1
FN Words philox(long first, long stride, uint key) {
  Words word;
  word.low = (uint)(ulong)first;
  word.high = (uint)((ulong)first >> 32);
  UNROLLED for (int round = 0; round < PHILOX_ROUNDS; ++round) {
    const ulong product = wide_product(word.low, PHILOX_MULTIPLIER);
    word.low = (uint)(product >> 32) ^ (key + round * PHILOX_KEY_STEP) ^ word.high;
    word.high = (uint)product;
  }
  return word;
}
#define HAS_NEAR_UNIFORM
FN float near_uniform(long draw, uint key) { return (float)philox(draw, 0, key).high; }
#else
#define WORDS VECTOR(JOIN(ulong, LANES)) /* made of numbers */
FN Words philox(long first, long stride, uint key) {
  const JOIN(ulong, LANES) lower_bits = WORDS((ulong)0xffffffff), of_word = WORDS((ulong)32);
  Words word;
#if LANES == 2
  word.low = WORDS(0, 1);
#elif LANES == 4
  word.low = WORDS(0, 1, 2, 3);
#elif LANES == 8
  word.low = WORDS(0, 1, 2, 3, 4, 5, 6, 7);
#else
  word.low = WORDS(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#endif
  word.low = word.low * WORDS((ulong)stride) + WORDS((ulong)first);
  word.high = word.low >> of_word;
  UNROLLED for (int round = 0; round < PHILOX_ROUNDS; ++round) {
    const JOIN(ulong, LANES) product = (word.low & lower_bits) * WORDS((ulong)PHILOX_MULTIPLIER);
    word.low = (product >> of_word) ^ word.high ^ WORDS((ulong)(key + round * PHILOX_KEY_STEP));
    word.high = product;
  }
  word.low = word.low & lower_bits;
  word.high = word.high & lower_bits;
  return word;
}
#endif

#if defined DOUBLES && LANES == 1
/// (2^32 high + low) / 2^64: the bits of 2^20 + high / 2^32 and 2^-12 + low / 2^64 avoid conversions, which for doubles
/// run at a sixteenth of the rate of additions on NVIDIA's GPUs. The difference is exact; the sum is rounded.
FN double uniform_of_halves(ulong high, ulong low) {
  return as_double(0x4130000000000000ul | high) - (0x1p20 + 0x1p-12) + as_double(0x3f30000000000000ul | low);
}
#endif
FN REAL uniform(long first, long stride, uint key) {
  const Words word = philox(first, stride, key);
#if defined DOUBLES && LANES == 1
  return uniform_of_halves(word.high, word.low);
#elif defined DOUBLES
  return NUMBER_OF(word.high) * VECTOR(REAL)(0x1p-32) + NUMBER_OF(word.low) * VECTOR(REAL)(0x1p-64);
#else
  return NUMBER_OF(word.high) * VECTOR(REAL)(0x1p-32f);
#endif
}
FN REAL head(long first, long stride, uint key) {
  const Words word = philox(first, stride, key);
#if LANES == 1
  return word.high >> 31 ? (SCALAR)1 : (SCALAR)0;
#else
  const JOIN(ulong, LANES) bit = word.high >> WORDS((ulong)31);
  return NUMBER_OF(bit);
#endif
}

#endif

#endif
