// The chains behind loops.hpp. The compiler decides whether x * a + b becomes one instruction or two, by an option for
// a whole file; so this one is compiled twice, with BOLTZMARK_FUSED true and -ffp-contract=fast, and with false and
// -ffp-contract=off.
#include <utility>

#include "analysis/peaks/cpu/loops.hpp"
#include "common/cpu/simd.hpp"

namespace boltzmark {
namespace {

/// Chains at once: more than any processor's latency times units (4 cycles x 4 units), and few enough that
/// they and two constants stay in registers.
#if defined(__AVX512VL__) || defined(__aarch64__)
constexpr int flop_chains = 24;
#else
constexpr int flop_chains = 12;
#endif

constexpr bool fused = BOLTZMARK_FUSED;

template <class Vector, std::size_t... I>
KERNEL_FN void run_chains(long rounds, std::index_sequence<I...>) {
  // Unknown to the compiler. x converges to b / (1 - a) = 1.
  float start = 1.0f, factor = 1.0f - 0x1p-20f, summand = 0x1p-20f;
  asm volatile("" : "+m"(start), "+m"(factor), "+m"(summand));
  const Vector a = Vector::zero() + factor, b = Vector::zero() + summand;
  Vector x[sizeof...(I)] = {(Vector::zero() + start * (1.0f + 0.01f * I))...};
  for (long round = 0; round < rounds; ++round) ((x[I] = x[I] * a + b), ...);
  // Only to use the results.
  Vector total = Vector::zero();
  ((total = total + x[I]), ...);
  asm volatile("" : : "m"(total));
}

template <class T, int lanes>
FlopKernel flop_kernel() {
  return {.precision = sizeof(T) == sizeof(float) ? "f32" : "f64",
          .fma = fused,
          .vector_bits = static_cast<int>(8 * sizeof(T)) * lanes,
          .lanes = lanes,
          .operations_a_round = flop_chains * (fused ? 1.0 : 2.0),
          .run = [](long rounds) { run_chains<Pack<T, lanes>>(rounds, std::make_index_sequence<flop_chains>()); }};
}

}  // namespace

template <>
std::vector<FlopKernel> flop_kernels<fused>() {
#if !defined(__FMA__) && !defined(__ARM_FEATURE_FMA) && !defined(__FP_FAST_FMA)
  if (fused) return {};
#endif
  std::vector<FlopKernel> kernels;
  if constexpr (native_lanes<float> >= 16) {
    kernels.push_back(flop_kernel<float, 16>());
    kernels.push_back(flop_kernel<double, 8>());
  }
  if constexpr (native_lanes<float> >= 8) {
    kernels.push_back(flop_kernel<float, 8>());
    kernels.push_back(flop_kernel<double, 4>());
  }
  kernels.push_back(flop_kernel<float, 4>());
  kernels.push_back(flop_kernel<double, 2>());
  return kernels;
}

}  // namespace boltzmark
