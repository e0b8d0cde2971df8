// Asked by code that is compiled once per width of vectors before it runs: whether this processor has them. CMake's
// BOLTZMARK_VECTORS_<bits> are the compiler's options for each.
#pragma once

namespace boltzmark {

template <int bits>
struct InstructionSet {  // every 64-bit x86 and ARM processor has vectors of 128 bits
#if defined(__x86_64__)
  static constexpr const char* name = "SSE2";
#elif defined(__aarch64__)
  static constexpr const char* name = "NEON";
#else
  static constexpr const char* name = "vectors of 128 bits";
#endif
  static bool runs_here() { return true; }
};

#if defined(__x86_64__)
template <>
struct InstructionSet<256> {
  static constexpr const char* name = "AVX2";
  static bool runs_here() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
};
template <>
struct InstructionSet<512> {
  static constexpr const char* name = "AVX-512";
  static bool runs_here() { return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"); }
};
#endif

}  // namespace boltzmark
