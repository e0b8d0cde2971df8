// The three arrays of STREAM in this process's memory, and the five kernels over them: what the CPU models share.
#pragma once

#include <cstdint>
#include <span>

#include "common/base/compensated_sum.hpp"
#include "common/cpu/aligned.hpp"
#include "common/cpu/range.hpp"
#include "common/cpu/simd.hpp"
#include "common/cpu/worker_sums.hpp"
#include "common/run/on_host.hpp"
#include "common/stream/kernels.hpp"

namespace boltzmark::stream {

template <class T>
class Arrays {
 public:
  Arrays() = default;
  /// Memory not touched yet.
  explicit Arrays(std::int64_t elements)
      : a_(static_cast<std::size_t>(elements)),
        b_(static_cast<std::size_t>(elements)),
        c_(static_cast<std::size_t>(elements)) {}

  std::int64_t size() const { return static_cast<std::int64_t>(a_.size()); }
  T* a() { return a_.data(); }
  T* b() { return b_.data(); }
  T* c() { return c_.data(); }

  // Plain loops, which compilers vectorise but do not replace (BOLTZMARK_PLAIN_LOOPS of programs.cmake): a library's
  // copy may store past the caches, the other kernels do not.

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

  /// Equal terms round alike, so that the error of a plain sum grows with its length. Here each partial sum has at most
  /// `turns` terms before it is added to a compensated sum in double precision.
  double dot(Range on) const {
    const T *const a = a_.data(), *const b = b_.data();
    CompensatedSum sum;
    std::int64_t i = on.begin;
#ifndef __CUDACC__                          // which has no vectors (common/cpu/simd.hpp)
    constexpr int vectors = 8, turns = 32;  // vectors in flight at once
    constexpr std::int64_t block = std::int64_t{vectors} * turns * lanes;
    for (; i + block <= on.end; i += block) sum.add(dot_of_block<vectors, turns>(a + i, b + i));
#endif
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

/// Every worker runs each kernel over its part of whole pages, the same part in all of them.
template <class T>
class HostKernels : public OnHost<Kernels> {
 public:
  Memory memory() override { return machine_memory(); }
  void init(std::int64_t elements) override {
    arrays_ = Arrays<T>(elements);
    on_parts(&Arrays<T>::init);
  }
  void copy() override { on_parts(&Arrays<T>::copy); }
  void mul() override { on_parts(&Arrays<T>::mul); }
  void add() override { on_parts(&Arrays<T>::add); }
  void triad() override { on_parts(&Arrays<T>::triad); }
  /// Added up in the order of the workers.
  double dot() override {
    WorkerSums sums(this->workers());
    this->on_workers([&](std::int64_t me, std::int64_t workers) {
      *sums.start(static_cast<int>(me), 1) = arrays_.dot(part_of(me, workers));
    });
    double sum = 0.0;
    sums.add_up(1.0, {&sum, 1});
    return sum;
  }
  std::int64_t part() const override { return arrays_.size(); }
  void read(Array array, std::int64_t first, std::span<double> values) override { arrays_.read(array, first, values); }
  RunFacts facts() const override { return this->on_machine({.settings = {{"vvl", native_lanes<T>}}}); }

 protected:
  Range part_of(std::int64_t me, std::int64_t workers) const {
    return range_of_pages(arrays_.size(), me, workers, sizeof(T));
  }

  Arrays<T> arrays_;

 private:
  void on_parts(void (Arrays<T>::*kernel)(Range)) {
    this->on_workers([&](std::int64_t me, std::int64_t workers) { (arrays_.*kernel)(part_of(me, workers)); });
  }
};

/// A `Host`, HostKernels over a model's workers, that stores past the caches: no line is read before it is written.
template <class T, class Host>
class PastCaches : public Host {
 public:
  using Host::Host;

  void copy() override {
    store(c(), [a = a()]<class V>(V, std::int64_t i) { return V::load(a + i); });
  }
  void mul() override {
    store(b(), [c = c()]<class V>(V, std::int64_t i) { return V::load(c + i) * T(scalar); });
  }
  void add() override {
    store(c(), [a = a(), b = b()]<class V>(V, std::int64_t i) { return V::load(a + i) + V::load(b + i); });
  }
  void triad() override {
    store(a(), [b = b(), c = c()]<class V>(V, std::int64_t i) { return V::load(b + i) + V::load(c + i) * T(scalar); });
  }
  RunFacts facts() const override {
    RunFacts facts = Host::facts();
    facts.write_allocate = false;
    return facts;
  }

 private:
  T* a() { return this->arrays_.a(); }
  T* b() { return this->arrays_.b(); }
  T* c() { return this->arrays_.c(); }

  /// to[i] = value(vector type, i), each worker on its part.
  template <class Value>
  void store(T* to, const Value& value) {
    this->on_workers([&](std::int64_t me, std::int64_t workers) {
      constexpr int lanes = native_lanes<T>;
      const Range mine = this->part_of(me, workers);
      std::int64_t i = mine.begin;
      for (; i + lanes <= mine.end; i += lanes) store_past_caches(value(Pack<T, lanes>(), i), to + i);
      for (; i < mine.end; ++i) value(Pack<T, 1>(), i).store(to + i);
      streamed();
    });
  }
};

/// The variant that it makes.
template <template <class T> class Host>
Variant past_caches() {
  return {
      .name = "nt", .summary = "the same with non-temporal stores, past the caches", .make = [](const Options& asked) {
        return asked.precision == Precision::f64 ? made_of<Kernels, PastCaches<double, Host<double>>>(asked)
                                                 : made_of<Kernels, PastCaches<float, Host<float>>>(asked);
      }};
}

}  // namespace boltzmark::stream
