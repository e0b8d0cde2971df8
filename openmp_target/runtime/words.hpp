// Passes structures to a region as integers. LLVM 16 copies a structure that is firstprivate to the device's memory at
// every launch, and every thread reads it there; numbers are arguments of the kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "common/base/real.h"

namespace boltzmark::openmp_target {

/// Calls use(...) with a structure as integers, of 32 bits if T has 32 bits, else of 64. Regions take it back with
/// from_words().
template <class T, class Struct, class Use>
auto with_words(const Struct& value, Use&& use) {
  using Word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  constexpr std::size_t count = sizeof(Struct) / sizeof(Word);
  static_assert(count * sizeof(Word) == sizeof(Struct) && std::is_trivially_copyable_v<Struct>);
  Word words[count];
  __builtin_memcpy(words, &value, sizeof words);
  return [&]<std::size_t... I>(std::index_sequence<I...>) { return use(words[I]...); }
  (std::make_index_sequence<count>{});
}

#pragma omp begin declare target

template <class Struct, class Word, class... Words>
KERNEL_FN Struct from_words(Word first, Words... rest) {
  const Word words[] = {first, rest...};
  Struct value;
  static_assert(sizeof words == sizeof value);
  __builtin_memcpy(&value, words, sizeof value);
  return value;
}

#pragma omp end declare target

}  // namespace boltzmark::openmp_target
