// Packs of any power of two of lanes: one number, a pack of at most the processor's own vectors (simd.hpp), or two
// halves. Compilers split vector types that are longer than registers too, but through memory.
#pragma once

#include "common/cpu/simd.hpp"

namespace boltzmark {

template <class T, int N>
struct Wide;

/// The REAL of N lanes.
template <class T, int N>
struct RealOfLanes {
  using Type = std::conditional_t<(N > native_lanes<T>), Wide<T, N>, Pack<T, N>>;
};
template <class T>
struct RealOfLanes<T, 1> {
  using Type = T;
};

template <class T, int N>
struct Wide {
  using Half = typename RealOfLanes<T, N / 2>::Type;
  using Scalar = T;
  static constexpr int lanes = N;

  struct Mask {
    typename RealTraits<Half>::Mask low, high;
    KERNEL_FN friend Mask operator&(Mask a, Mask b) { return {a.low & b.low, a.high & b.high}; }
    KERNEL_FN friend Mask inverse(Mask a) { return {inverse(a.low), inverse(a.high)}; }
    KERNEL_FN friend Mask operator~(Mask a) { return inverse(a); }
  };

  Half low, high;

  KERNEL_FN friend Wide operator+(Wide a, Wide b) { return {a.low + b.low, a.high + b.high}; }
  KERNEL_FN friend Wide operator-(Wide a, Wide b) { return {a.low - b.low, a.high - b.high}; }
  KERNEL_FN friend Wide operator*(Wide a, Wide b) { return {a.low * b.low, a.high * b.high}; }
  KERNEL_FN friend Wide operator+(Wide a, T b) { return {a.low + b, a.high + b}; }
  KERNEL_FN friend Wide operator-(Wide a, T b) { return {a.low - b, a.high - b}; }
  KERNEL_FN friend Wide operator*(Wide a, T b) { return {a.low * b, a.high * b}; }
  KERNEL_FN friend Mask operator>(Wide a, T b) { return {a.low > b, a.high > b}; }
  KERNEL_FN friend Wide choose(Mask mask, Wide if_true, Wide if_false) {
    return {choose(mask.low, if_true.low, if_false.low), choose(mask.high, if_true.high, if_false.high)};
  }
  KERNEL_FN friend Wide lesser_of(Wide a, Wide b) { return {lesser_of(a.low, b.low), lesser_of(a.high, b.high)}; }
  KERNEL_FN friend Wide greater_of(Wide a, Wide b) { return {greater_of(a.low, b.low), greater_of(a.high, b.high)}; }
  KERNEL_FN friend Wide square_root(Wide x) { return {square_root(x.low), square_root(x.high)}; }
  KERNEL_FN friend Wide inverse_root(Wide x) { return {inverse_root(x.low), inverse_root(x.high)}; }
  KERNEL_FN friend Wide inverse_root_cubed(Wide x) { return {inverse_root_cubed(x.low), inverse_root_cubed(x.high)}; }
  KERNEL_FN friend Wide at_least(Wide x, T least) { return {at_least(x.low, least), at_least(x.high, least)}; }
  KERNEL_FN friend Wide exponential(Wide x) { return {exponential(x.low), exponential(x.high)}; }
  KERNEL_FN T sum() const { return (low + high).sum(); }
  KERNEL_FN friend Wide ratio(T a, Wide b) { return {ratio(a, b.low), ratio(a, b.high)}; }
  KERNEL_FN friend Wide multiply_add(Wide a, T b, Wide c) {
    return {multiply_add(a.low, b, c.low), multiply_add(a.high, b, c.high)};
  }
  KERNEL_FN friend Wide multiply_add(Wide a, Wide b, Wide c) {
    return {multiply_add(a.low, b.low, c.low), multiply_add(a.high, b.high, c.high)};
  }
  KERNEL_FN friend void store_past_caches(Wide x, T* to) {
    store_past_caches(x.low, to);
    store_past_caches(x.high, to + N / 2);
  }

  static KERNEL_FN Wide zero() { return {Half::zero(), Half::zero()}; }
  static KERNEL_FN Wide load(const T* from) { return {Half::load(from), Half::load(from + N / 2)}; }
  KERNEL_FN void store(T* to) const {
    low.store(to);
    high.store(to + N / 2);
  }
  static KERNEL_FN Mask mask_from_bits(std::uint32_t bits) {
    return {Half::mask_from_bits(bits), Half::mask_from_bits(bits >> N / 2)};
  }
  KERNEL_FN Wide rotated_up() const { return changed_over(1u, low.rotated_up(), high.rotated_up()); }
  KERNEL_FN Wide rotated_down() const {
    return changed_over(1u << (N / 2 - 1), low.rotated_down(), high.rotated_down());
  }

 private:
  /// Swaps the lanes of `bits` with those of the other half.
  static KERNEL_FN Wide changed_over(std::uint32_t bits, Half a, Half b) {
    const auto mask = Half::mask_from_bits(bits);
    return {choose(mask, b, a), choose(mask, a, b)};
  }
};

template <class T, int N>
struct RealTraits<Wide<T, N>> {
  using Scalar = T;
  using Mask = typename Wide<T, N>::Mask;
};

}  // namespace boltzmark
