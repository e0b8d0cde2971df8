// The loops in vectors of BOLTZMARK_BITS bits, whatever processor the rest is compiled for, as the table
// BOLTZMARK_LOOPS. Whether x * a + b becomes one instruction or two is the compiler's to decide, by an option for a whole
// file: each width is compiled twice, with BOLTZMARK_FUSED true and -ffp-contract=fast, and with false and
// -ffp-contract=off. Nothing here runs before runs_here() said yes, and nothing is shared with code for other processors.
#include "analysis/peaks/cpu/vector_loops.hpp"

#include "common/cpu/instruction_set.hpp"
#include "common/cpu/simd.hpp"
#include "common/run/operations.hpp"
#include "common/target/random.h"

namespace boltzmark {
namespace {

template <class T>
constexpr int lanes_of = BOLTZMARK_BITS / (8 * sizeof(T));
constexpr int lanes = lanes_of<float>;
using Vector = Pack<float, lanes>;

/// Vectors at a time: as many sums as hide the latency of an addition, and few enough for the registers.
constexpr int vectors_in_chunk = 8;
constexpr std::size_t chunk = std::size_t{vectors_in_chunk} * lanes;
using Chunk = std::make_index_sequence<vectors_in_chunk>;

/// So that the compiler neither merges passes nor makes a loop a memcpy, which bypasses the caches for long arrays.
KERNEL_FN void forget_memory() { asm volatile("" ::: "memory"); }

template <std::size_t... V>
KERNEL_FN void read(float* a, std::size_t values, long passes, std::index_sequence<V...>) {
  Vector sums[vectors_in_chunk] = {};
  for (long pass = 0; pass < passes; ++pass) {
    for (std::size_t i = 0; i < values; i += chunk) {
      ((sums[V] = sums[V] + Vector::load(a + i + V * lanes)), ...);
    }
    forget_memory();
  }
  // Only to use the sums.
  float total = 0.0f;
  ((total += sums[V].sum()), ...);
  asm volatile("" : : "m"(total));
}

template <std::size_t... V>
KERNEL_FN void copy(float* a, std::size_t values, long passes, std::index_sequence<V...>) {
  const float* const b = a + array_spacing(values);
  for (long pass = 0; pass < passes; ++pass)
    for (std::size_t i = 0; i < values; i += chunk) {
      (Vector::load(b + i + V * lanes).store(a + i + V * lanes), ...);
      forget_memory();
    }
}

template <std::size_t... V>
KERNEL_FN void triad(float* a, std::size_t values, long passes, std::index_sequence<V...>) {
  const float *const b = a + array_spacing(values), *const c = b + array_spacing(values);
  // Zero, unknown to the compiler, so that the numbers do not change over any number of passes.
  float zero = 0.0f;
  asm volatile("" : "+m"(zero));
  const float scalar = zero;
  for (long pass = 0; pass < passes; ++pass)
    for (std::size_t i = 0; i < values; i += chunk) {
      ((Vector::load(b + i + V * lanes) + Vector::load(c + i + V * lanes) * scalar).store(a + i + V * lanes), ...);
      forget_memory();
    }
}

template <std::size_t... V>
KERNEL_FN void update(float* a, std::size_t values, long passes, std::index_sequence<V...>) {
  float zero = 0.0f;  // as in the triad
  asm volatile("" : "+m"(zero));
  const float summand = zero;
  for (long pass = 0; pass < passes; ++pass)
    for (std::size_t i = 0; i < values; i += chunk) {
      ((Vector::load(a + i + V * lanes) + summand).store(a + i + V * lanes), ...);
      forget_memory();
    }
}

void read_passes(float* first, std::size_t values, long passes) { read(first, values, passes, Chunk()); }
void copy_passes(float* first, std::size_t values, long passes) { copy(first, values, passes, Chunk()); }
void triad_passes(float* first, std::size_t values, long passes) { triad(first, values, passes, Chunk()); }
void update_passes(float* first, std::size_t values, long passes) { update(first, values, passes, Chunk()); }

/// Chains: more than latency times units (4 cycles x 4 units), and as few as fit into registers with two constants.
#if defined(__AVX512VL__) || defined(__aarch64__)
constexpr int flop_chains = 24;
#else
constexpr int flop_chains = 12;
#endif

template <class V, std::size_t... I>
KERNEL_FN void run_chains(long rounds, std::index_sequence<I...>) {
  // Unknown to the compiler. x converges to b / (1 - a) = 1.
  float start = 1.0f, factor = 1.0f - 0x1p-20f, summand = 0x1p-20f;
  asm volatile("" : "+m"(start), "+m"(factor), "+m"(summand));
  const V a = V::zero() + factor, b = V::zero() + summand;
  V x[sizeof...(I)] = {(V::zero() + start * (1.0f + 0.01f * I))...};
  for (long round = 0; round < rounds; ++round) ((x[I] = x[I] * a + b), ...);
  // Only to use the results.
  V total = V::zero();
  ((total = total + x[I]), ...);
  asm volatile("" : : "m"(total));
}

template <class T>
void multiply_add(long rounds) {
  run_chains<Pack<T, lanes_of<T>>>(rounds, std::make_index_sequence<flop_chains>());
}

#if BOLTZMARK_FUSED && !defined(__FMA__) && !defined(__ARM_FEATURE_FMA) && !defined(__FP_FAST_FMA)
constexpr bool is_possible = false;
#else
constexpr bool is_possible = true;
#endif

template <class T>
constexpr FlopKernel multiply_adds(const char* precision) {
  return {operation::multiply_add, precision, BOLTZMARK_FUSED, (BOLTZMARK_FUSED ? 1 : 2) * flop_chains * lanes_of<T>,
          is_possible ? multiply_add<T> : nullptr};
}

// Operations beside multiply-adds: the words of the layer for them, on operands that are opaque to the compiler, so
// that none waits for another.

constexpr int operands = 8, times = 4;  // in registers, with what an operation needs; of each in a round

/// The same vector, unknown to the compiler from here on.
template <class V>
KERNEL_FN void forget(V& x) {
#if defined(__x86_64__)
  asm volatile("" : "+v"(x));
#elif defined(__aarch64__)
  asm volatile("" : "+w"(x));
#else
  asm volatile("" : "+m"(x));
#endif
}

template <class Operation, std::size_t... I>
KERNEL_FN void repeat(long rounds, std::index_sequence<I...>) {
  typename Operation::Vector x[sizeof...(I)] = {Operation::operand(I)...};
  const auto one = [](auto& operand) {
    forget(operand);
    auto result = Operation::of(operand);
    forget(result);
  };
  for (long round = 0; round < rounds; ++round)
    for (int i = 0; i < times; ++i) (one(x[I]), ...);
}

template <class T>
struct OnNumbers {
  static constexpr int lanes = lanes_of<T>;
  using Number = Pack<T, lanes>;
  using Vector = typename Number::Raw;
  static Vector operand(std::size_t i) { return Vector{} + static_cast<T>(1.37 + 0.01 * static_cast<double>(i)); }
};
template <class T>
struct Division : OnNumbers<T> {
  static KERNEL_FN auto of(typename OnNumbers<T>::Vector x) {
    return ratio(T(1.7), typename OnNumbers<T>::Number{x}).raw;
  }
};
template <class T>
struct Root : OnNumbers<T> {
  static KERNEL_FN auto of(typename OnNumbers<T>::Vector x) {
    return inverse_root_cubed(typename OnNumbers<T>::Number{x}).raw;
  }
};
struct WideMultiplication {
  static constexpr int lanes = lanes_of<double>;
  using Vector = target::Draws<lanes>::Words;
  static Vector operand(std::size_t i) { return Vector{} + (PHILOX_MULTIPLIER + i); }
  static KERNEL_FN Vector of(Vector x) { return target::Draws<lanes>::times_multiplier(x); }
};

template <class Operation>
void repeat_all(long rounds) {
  repeat<Operation>(rounds, std::make_index_sequence<operands>());
}

template <class Operation>
constexpr FlopKernel others(const char* operation, const char* precision) {
  return {operation, precision, false, operands * times * Operation::lanes, repeat_all<Operation>};
}

}  // namespace

constinit const VectorLoops BOLTZMARK_LOOPS = {
    .bits = BOLTZMARK_BITS,
    .runs_here = InstructionSet<BOLTZMARK_BITS>::runs_here,
    .chunk_values = chunk,
    .patterns = {{"read", 1, 1, read_passes},
                 {"copy", 2, 2, copy_passes},
                 {"triad", 3, 3, triad_passes},
                 {"update", 1, 2, update_passes}},
    .multiply_adds = {multiply_adds<float>("f32"), multiply_adds<double>("f64")},
    .others = {others<Division<float>>(operation::division, "f32"),
               others<Division<double>>(operation::division, "f64"), others<Root<float>>(operation::root, "f32"),
               others<Root<double>>(operation::root, "f64"),
               others<WideMultiplication>(operation::wide_multiplication, "u32")},
};

}  // namespace boltzmark
