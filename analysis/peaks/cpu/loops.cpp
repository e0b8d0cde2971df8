#include "analysis/peaks/cpu/loops.hpp"

#include <utility>

#include "common/cpu/simd.hpp"
#include "common/target/random.h"

namespace boltzmark {
namespace {

constexpr int lanes = native_lanes<float>;
using Vector = Pack<float, lanes>;

/// Vectors at a time: as many sums as hide the latency of an addition, and few enough for the registers.
constexpr int vectors_in_chunk = 8;
constexpr std::size_t chunk = std::size_t{vectors_in_chunk} * lanes;
using Chunk = std::make_index_sequence<vectors_in_chunk>;

/// Makes the compiler assume that memory changed: it can neither merge passes nor replace a loop by memcpy, which
/// bypasses the caches for long arrays.
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

void read_passes(float* first, std::size_t values, long passes) { read(first, values, passes, Chunk()); }
void copy_passes(float* first, std::size_t values, long passes) { copy(first, values, passes, Chunk()); }
void triad_passes(float* first, std::size_t values, long passes) { triad(first, values, passes, Chunk()); }

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
  static constexpr int lanes = native_lanes<T>;
  using Value = T;
  using Number = Pack<T, lanes>;
  using Vector = typename Number::Raw;
  static Vector operand(std::size_t i) { return Vector{} + static_cast<T>(1.37 + 0.01 * static_cast<double>(i)); }
  static constexpr const char* precision = sizeof(T) == sizeof(float) ? "f32" : "f64";
};
template <class T>
struct Division : OnNumbers<T> {
  static KERNEL_FN auto of(typename OnNumbers<T>::Vector x) {
    return ratio(T(1.7), typename OnNumbers<T>::Number{x}).raw;
  }
  static constexpr const char* name = operation::division;
};
template <class T>
struct Root : OnNumbers<T> {
  static KERNEL_FN auto of(typename OnNumbers<T>::Vector x) {
    return inverse_root_cubed(typename OnNumbers<T>::Number{x}).raw;
  }
  static constexpr const char* name = operation::root;
};
struct WideMultiplication {
  using Value = std::uint64_t;
  static constexpr int lanes = native_lanes<double>;
  using Vector = target::Draws<lanes>::Words;
  static Vector operand(std::size_t i) { return Vector{} + (PHILOX_MULTIPLIER + i); }
  static KERNEL_FN Vector of(Vector x) { return target::Draws<lanes>::times_multiplier(x); }
  static constexpr const char *name = operation::wide_multiplication, *precision = "u32";
};

template <class Operation>
FlopKernel kernel_of() {
  return {.precision = Operation::precision,
          .vector_bits = static_cast<int>(8 * sizeof(typename Operation::Value)) * Operation::lanes,
          .lanes = Operation::lanes,
          .operations_a_round = operands * times,
          .run = [](long rounds) { repeat<Operation>(rounds, std::make_index_sequence<operands>()); },
          .operation = Operation::name};
}

}  // namespace

const std::vector<BandwidthPattern>& bandwidth_patterns() {
  static const std::vector<BandwidthPattern> patterns = {
      {"read", 1, read_passes}, {"copy", 2, copy_passes}, {"triad", 3, triad_passes}};
  return patterns;
}

std::size_t chunk_values() { return chunk; }

std::size_t array_spacing(std::size_t values) {
  constexpr std::size_t page = 4096 / sizeof(float);
  return (values + page - 1) / page * page;
}

std::vector<FlopKernel> operation_kernels() {
  return {kernel_of<Division<float>>(), kernel_of<Division<double>>(), kernel_of<Root<float>>(),
          kernel_of<Root<double>>(), kernel_of<WideMultiplication>()};
}

}  // namespace boltzmark
