// The pack of simd.hpp as plain arrays and loops, for any compiler and any number of lanes: what is left to
// the compiler's own vectoriser.
#pragma once

#include <cstdint>

#include "common/base/real.h"

namespace boltzmark {

/// N values of T, operated on lane by lane.
template <class T, int N>
struct PlainPack {
  using Scalar = T;
  static constexpr int lanes = N;

  /// One truth value per lane.
  struct Mask {
    bool lane[N];
    KERNEL_FN friend Mask operator&(Mask a, Mask b) {
      for (int i = 0; i < N; ++i) a.lane[i] = a.lane[i] && b.lane[i];
      return a;
    }
    KERNEL_FN friend Mask inverse(Mask a) { return ~a; }
    KERNEL_FN friend Mask operator~(Mask a) {
      for (int i = 0; i < N; ++i) a.lane[i] = !a.lane[i];
      return a;
    }
  };

  T lane[N];

  /// `rule(i)` for every lane i.
  template <class Rule>
  static KERNEL_FN PlainPack each(Rule rule) {
    PlainPack p;
    for (int i = 0; i < N; ++i) p.lane[i] = rule(i);
    return p;
  }

  KERNEL_FN friend PlainPack operator+(PlainPack a, PlainPack b) {
    return each([&](int i) { return a.lane[i] + b.lane[i]; });
  }
  KERNEL_FN friend PlainPack operator-(PlainPack a, PlainPack b) {
    return each([&](int i) { return a.lane[i] - b.lane[i]; });
  }
  KERNEL_FN friend PlainPack operator*(PlainPack a, PlainPack b) {
    return each([&](int i) { return a.lane[i] * b.lane[i]; });
  }
  KERNEL_FN friend PlainPack operator+(PlainPack a, T b) {
    return each([&](int i) { return a.lane[i] + b; });
  }
  KERNEL_FN friend PlainPack operator-(PlainPack a, T b) {
    return each([&](int i) { return a.lane[i] - b; });
  }
  KERNEL_FN friend PlainPack operator*(PlainPack a, T b) {
    return each([&](int i) { return a.lane[i] * b; });
  }
  KERNEL_FN friend Mask operator>(PlainPack a, T b) {
    Mask m;
    for (int i = 0; i < N; ++i) m.lane[i] = a.lane[i] > b;
    return m;
  }
  KERNEL_FN friend PlainPack choose(Mask mask, PlainPack if_true, PlainPack if_false) {
    return each([&](int i) { return mask.lane[i] ? if_true.lane[i] : if_false.lane[i]; });
  }
  KERNEL_FN friend PlainPack square_root(PlainPack x) {
    return each([&](int i) { return square_root(x.lane[i]); });
  }
  KERNEL_FN friend PlainPack ratio(T a, PlainPack b) {
    return each([&](int i) { return a / b.lane[i]; });
  }
  KERNEL_FN friend PlainPack multiply_add(PlainPack a, T b, PlainPack c) {
    return each([&](int i) { return a.lane[i] * b + c.lane[i]; });
  }
  KERNEL_FN friend PlainPack multiply_add(PlainPack a, PlainPack b, PlainPack c) {
    return each([&](int i) { return a.lane[i] * b.lane[i] + c.lane[i]; });
  }

  static KERNEL_FN PlainPack zero() {
    return each([](int) { return T(0); });
  }
  static KERNEL_FN PlainPack load(const T* from) {
    return each([&](int i) { return from[i]; });
  }
  KERNEL_FN void store(T* to) const {
    for (int i = 0; i < N; ++i) to[i] = lane[i];
  }
  /// Lane i of the mask is bit i of `bits`.
  static KERNEL_FN Mask mask_from_bits(std::uint32_t bits) {
    Mask m;
    for (int i = 0; i < N; ++i) m.lane[i] = (bits >> i & 1u) != 0;
    return m;
  }
  /// Every value one lane up, the last into lane 0.
  KERNEL_FN PlainPack rotated_up() const {
    return each([&](int i) { return lane[(i + N - 1) % N]; });
  }
  /// Every value one lane down, the first into the last lane.
  KERNEL_FN PlainPack rotated_down() const {
    return each([&](int i) { return lane[(i + 1) % N]; });
  }
  KERNEL_FN T sum() const {
    T total = 0;
    for (int i = 0; i < N; ++i) total += lane[i];
    return total;
  }
};

template <class T, int N>
struct RealTraits<PlainPack<T, N>> {
  using Scalar = T;
  using Mask = typename PlainPack<T, N>::Mask;
};

}  // namespace boltzmark
