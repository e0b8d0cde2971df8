// The three arrays of STREAM in this process's memory, and the five kernels over a range of them: what the CPU models
// share. A model decides which worker has which range.
#pragma once

#include <cstdint>
#include <span>

#include "common/base/compensated_sum.hpp"
#include "common/cpu/aligned.hpp"
#include "common/cpu/caches.hpp"
#include "common/cpu/processors.hpp"
#include "common/cpu/range.hpp"
#include "common/cpu/simd.hpp"
#include "common/run/on_host.hpp"
#include "common/stream/kernels.hpp"

namespace boltzmark::stream {

template <class T>
class Arrays {
 public:
  Arrays() = default;
  /// Memory that nobody has touched yet.
  explicit Arrays(std::int64_t elements)
      : a_(static_cast<std::size_t>(elements)),
        b_(static_cast<std::size_t>(elements)),
        c_(static_cast<std::size_t>(elements)) {}

  std::int64_t size() const { return static_cast<std::int64_t>(a_.size()); }
  T* a() { return a_.data(); }
  T* b() { return b_.data(); }
  T* c() { return c_.data(); }

  // Each kernel is one plain loop, which compilers make vectors of. This is compiled so that they leave it a
  // loop (BOLTZMARK_PLAIN_LOOPS of programs.cmake): a library's copy may store past the caches, the others do
  // not.

  void init(Range on) {
    T* const __restrict a = a_.data(), * const __restrict b = b_.data(), * const __restrict c = c_.data();
    for (std::int64_t i = on.begin; i < on.end; ++i) {
      a[i] = T(start_a);
      b[i] = T(start_b);
      c[i] = T(start_c);
    }
  }

  void copy(Range on) {
    const T* const __restrict a = a_.data();
    T* const __restrict c = c_.data();
    for (std::int64_t i = on.begin; i < on.end; ++i) c[i] = a[i];
  }

  void mul(Range on) {
    const T* const __restrict c = c_.data();
    T* const __restrict b = b_.data();
    for (std::int64_t i = on.begin; i < on.end; ++i) b[i] = T(scalar) * c[i];
  }

  void add(Range on) {
    const T* const __restrict a = a_.data(), * const __restrict b = b_.data();
    T* const __restrict c = c_.data();
    for (std::int64_t i = on.begin; i < on.end; ++i) c[i] = a[i] + b[i];
  }

  void triad(Range on) {
    const T* const __restrict b = b_.data(), * const __restrict c = c_.data();
    T* const __restrict a = a_.data();
    for (std::int64_t i = on.begin; i < on.end; ++i) a[i] = b[i] + T(scalar) * c[i];
  }

  /// Equal terms round the same way every time, so the error of a long sum grows with its length. Here no
  /// number takes more than `turns` terms before it goes into a sum in double precision that keeps what
  /// rounding loses.
  double dot(Range on) const {
    constexpr int vectors = 8, turns = 32;  // vectors in flight at once
    constexpr std::int64_t block = std::int64_t{vectors} * turns * lanes;
    const T *const a = a_.data(), *const b = b_.data();
    CompensatedSum sum;
    std::int64_t i = on.begin;
    for (; i + block <= on.end; i += block) sum.add(dot_of_block<vectors, turns>(a + i, b + i));
    for (; i < on.end; ++i) sum.add(static_cast<double>(a[i]) * static_cast<double>(b[i]));
    return sum.value();
  }

  void read(Array array, std::int64_t first, std::span<double> values) const {
    const T* const from = (array == Array::a ? a_ : array == Array::b ? b_ : c_).data() + first;
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(from[i]);
  }

 private:
  static constexpr int lanes = native_lanes<T>;
  using Vector = Pack<T, lanes>;

  template <int vectors, int turns>
  static double dot_of_block(const T* a, const T* b) {
    Vector sums[vectors];
    for (auto& sum : sums) sum = Vector::zero();
    for (int turn = 0; turn < turns; ++turn)
      for (int v = 0; v < vectors; ++v) {
        const int at = (turn * vectors + v) * lanes;
        sums[v] = sums[v] + Vector::load(a + at) * Vector::load(b + at);
      }
    for (int half = vectors / 2; half > 0; half /= 2)
      for (int v = 0; v < half; ++v) sums[v] = sums[v] + sums[v + half];
    double sum = 0.0;
    for (int lane = 0; lane < lanes; ++lane) sum += static_cast<double>(sums[0].raw[lane]);
    return sum;
  }

  AlignedArray<T> a_, b_, c_;
};

template <class T>
class HostKernels : public OnHost<Kernels> {
 public:
  Memory memory() override { return {.cache_bytes = last_level_cache_bytes(usable_processors())}; }
  std::int64_t part() const override { return arrays_.size(); }
  void read(Array array, std::int64_t first, std::span<double> values) override { arrays_.read(array, first, values); }

 protected:
  Arrays<T> arrays_;
};

}  // namespace boltzmark::stream
