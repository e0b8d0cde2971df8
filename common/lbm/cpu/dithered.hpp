// Populations that are stored as halves (common/base/half.hpp): stochastic rounding, as on devices
// (opencl/lbm/kernels/cells.h), in halves' units.
#pragma once

#include <cstdint>

#include "common/base/half.hpp"
#include "common/lbm/cell.h"

namespace boltzmark::lbm {

/// Adds noise below the last digit of a half, which a store then truncates: a value is rounded up with a probability
/// equal to the fraction lost. The noise of a cell's populations is taken from h + s, h + 2s ..., with two numbers
/// hashed from the last digits of its moments. These differ between cells and steps and are known long before the
/// results. A multiplication for each population would take longer than its update.
template <class V>
class Noise {
  typedef std::uint32_t Words __attribute__((vector_size(sizeof(V))));

 public:
  KERNEL_FN Noise() = default;
  template <class L>
  KERNEL_FN explicit Noise(Moments<V, L> m) {
    const Words hash = (words(m.density_shift) * 0x9e3779b1u + words(m.jx)) * 0x85ebca6bu + words(m.jy);
    next_ = (hash ^ hash >> 15) * 0x2c1b3c6du;
    step_ = next_ << 13 | next_ >> 19;
  }
  /// Noise for population number i, a compile-time constant: of two populations, one gets a word's first digits and one
  /// its last.
  KERNEL_FN V added_to(V value, int i) {
    if (i % 2 == 0) next_ += step_;
    return {reinterpret_cast<typename V::Raw>(words(value) + (i % 2 == 0 ? next_ >> 19 : next_ & 0x1fffu))};
  }
  /// The stored value with noise.
  static KERNEL_FN V kept(V value) { return {reinterpret_cast<typename V::Raw>(words(value) & ~0x1fffu)}; }

 private:
  static KERNEL_FN Words words(V value) { return reinterpret_cast<Words>(value.raw); }

  Words next_, step_;
};

/// Populations to be stored as halves, of a cell with these moments. With rounding to nearest, changes of less than
/// half a digit would be lost in every step, and the average velocity would drift. In two dimensions the mass and
/// momentum that populations 0 to 4 lose are added to the diagonal ones, which are smaller and have finer digits;
/// otherwise the noise would drive sound waves.
template <class V, class L>
KERNEL_FN Populations<V, L> dithered(Populations<V, L> a, Moments<V, L> m) {
  constexpr bool is_flat = L::dimension == 2;
  Noise<V> noise(m);
  if constexpr (is_flat) {
    V lost[5];
    for (int i = 0; i < 5; ++i) {
      const V stored = noise.kept(noise.added_to(a.f[i], i));
      lost[i] = a.f[i] - stored;
      a.f[i] = stored;
    }
    a = made_good(a, lost);
  }
  for (int i = is_flat ? 5 : 0; i < L::directions; ++i) a.f[i] = noise.added_to(a.f[i], i);
  return a;
}

}  // namespace boltzmark::lbm
