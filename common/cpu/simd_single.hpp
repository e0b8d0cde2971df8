// A pack of one lane that compilers keep in a scalar register, unlike the one-value vectors of simd.hpp.
#pragma once

#include <cstdint>

#include "common/base/real.h"

namespace boltzmark {

template <class T>
struct Single {
  using Scalar = T;
  static constexpr int lanes = 1;

  struct Mask {
    bool is_set;
    KERNEL_FN friend Mask operator&(Mask a, Mask b) { return {a.is_set && b.is_set}; }
    KERNEL_FN friend Mask operator~(Mask a) { return {!a.is_set}; }
    KERNEL_FN friend Mask inverse(Mask a) { return ~a; }
  };

  T value;

  KERNEL_FN friend Single operator+(Single a, Single b) { return {a.value + b.value}; }
  KERNEL_FN friend Single operator-(Single a, Single b) { return {a.value - b.value}; }
  KERNEL_FN friend Single operator*(Single a, Single b) { return {a.value * b.value}; }
  KERNEL_FN friend Single operator+(Single a, T b) { return {a.value + b}; }
  KERNEL_FN friend Single operator-(Single a, T b) { return {a.value - b}; }
  KERNEL_FN friend Single operator*(Single a, T b) { return {a.value * b}; }
  KERNEL_FN friend Mask operator>(Single a, T b) { return {a.value > b}; }
  KERNEL_FN friend Single choose(Mask mask, Single a, Single b) { return mask.is_set ? a : b; }
  KERNEL_FN friend Single square_root(Single x) { return {square_root(x.value)}; }
  KERNEL_FN friend Single ratio(T a, Single b) { return {a / b.value}; }
  KERNEL_FN friend Single multiply_add(Single a, T b, Single c) { return {a.value * b + c.value}; }
  KERNEL_FN friend Single multiply_add(Single a, Single b, Single c) { return {a.value * b.value + c.value}; }

  static KERNEL_FN Single zero() { return {T(0)}; }
  static KERNEL_FN Single load(const T* from) { return {*from}; }
  KERNEL_FN void store(T* to) const { *to = value; }
  static KERNEL_FN Mask mask_from_bits(std::uint32_t bits) { return {(bits & 1u) != 0}; }
  KERNEL_FN Single rotated_up() const { return *this; }
  KERNEL_FN Single rotated_down() const { return *this; }
  KERNEL_FN T sum() const { return value; }
};

template <class T>
struct RealTraits<Single<T>> {
  using Scalar = T;
  using Mask = typename Single<T>::Mask;
};

}  // namespace boltzmark
