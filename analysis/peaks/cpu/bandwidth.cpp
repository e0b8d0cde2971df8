#include "analysis/peaks/cpu/loops.hpp"

#include <utility>

#include "common/cpu/simd.hpp"

namespace boltzmark {
namespace {

constexpr int lanes = native_lanes<float>;
using Vector = Pack<float, lanes>;

/// Vectors at a time: as many sums as hide the latency of an addition, and few enough for the registers.
constexpr int vectors_in_chunk = 8;
constexpr std::size_t chunk = std::size_t{vectors_in_chunk} * lanes;
using Chunk = std::make_index_sequence<vectors_in_chunk>;

/// The compiler takes memory as changed: it can neither merge passes nor put a call of memcpy in a loop's
/// place, which for long arrays would go round the caches.
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
  // Only to have the sums used.
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
  // Zero, unknown to the compiler: the numbers stay what they are over any number of passes.
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

}  // namespace boltzmark
