// STREAM over three arrays in this process's memory, as a variant of the CPU models.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "common/base/compensated_sum.hpp"
#include "common/cpu/aligned.hpp"
#include "common/cpu/range.hpp"
#include "common/cpu/simd.hpp"
#include "common/cpu/worker_sums.hpp"
#include "common/run/workers.hpp"
#include "common/stream/kernels.hpp"

namespace boltzmark::stream {

template <class T>
class Arrays {
 public:
  Arrays() = default;
  /// Allocates memory without touching it.
  explicit Arrays(std::int64_t elements)
      : a_(static_cast<std::size_t>(elements)),
        b_(static_cast<std::size_t>(elements)),
        c_(static_cast<std::size_t>(elements)) {}

  std::int64_t size() const { return static_cast<std::int64_t>(a_.size()); }
  T* a() { return a_.data(); }
  T* b() { return b_.data(); }
  T* c() { return c_.data(); }

  // Plain loops, which compilers vectorise but must not replace by library calls (BOLTZMARK_PLAIN_LOOPS of
  // programs.cmake): a library's copy may store past the caches, unlike the other kernels.

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

  /// Equal terms round alike, so the error of a plain sum grows with its length. Here each partial sum has at most
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

/// The memory of all workers together. Collective.
using MemoryOf = Memory(const Workers& workers);
inline Memory memory_of(const Workers& workers) {
  return workers.facts.device_type == "cpu" ? machine_memory() : Memory{.of_device = true};
}

/// A Method, which may be constructed from options, has
///
///     init(Arrays<T>& at, const Workers& workers)       sets the start values
///     copy, mul, add and triad, and double dot, with the same arguments
///
/// and where it needs them
///
///     spoil(), collect()                                as Kernels
///     Settings settings() const                         for the record
///     static constexpr bool write_allocate = false      where no line is read before it is written
template <class T, class Method>
class ArrayKernels final : public Kernels {
 public:
  ArrayKernels(Workers workers, const Options& asked, MemoryOf* memory_of_them)
      : workers_(std::move(workers)), method_(method_of<Method>(asked)), memory_(memory_of_them) {}

  std::string shortage(double bytes) override { return workers_.shortage(bytes); }
  Memory memory() override { return memory_(workers_); }
  void init(std::int64_t elements) override {
    at_ = Arrays<T>(workers_.part_of(elements, sizeof(T)).size());
    method_.init(at_, workers_);
  }
  void spoil() override {
    if constexpr (requires { method_.spoil(); }) method_.spoil();
  }
  void copy() override { method_.copy(at_, workers_); }
  void mul() override { method_.mul(at_, workers_); }
  void add() override { method_.add(at_, workers_); }
  void triad() override { method_.triad(at_, workers_); }
  double dot() override { return method_.dot(at_, workers_); }
  std::int64_t part() const override { return at_.size(); }
  void collect() override {
    if constexpr (requires { method_.collect(); }) method_.collect();
  }
  void read(Array array, std::int64_t first, std::span<double> values) override { at_.read(array, first, values); }
  RunFacts facts() const override {
    RunFacts facts = {.settings = settings_of(method_)};
    if constexpr (requires { Method::write_allocate; }) facts.write_allocate = Method::write_allocate;
    return workers_.with(std::move(facts));
  }

 private:
  Workers workers_;
  Method method_;
  MemoryOf* memory_;
  Arrays<T> at_;
};

/// `.make` of a variant: a Method for the precision.
template <template <class T> class Method>
auto by(StartWorkers* start_workers, MemoryOf* memory = memory_of) {
  return [start_workers, memory](const Options& asked) {
    const auto made = [&]<class T>(T) -> std::unique_ptr<Kernels> {
      return std::make_unique<ArrayKernels<T, Method<T>>>(start_workers(asked), asked, memory);
    };
    return asked.precision == Precision::f64 ? made(double()) : made(float());
  };
}

/// For methods whose dot product is Arrays::dot(), which uses vectors.
template <class T>
Settings settings_of_vectors() {
  return {{"vvl", native_lanes<T>}};
}

/// Every worker runs each kernel over its pages, the same in all of them.
template <class T>
struct InParts {
  static void init(Arrays<T>& at, const Workers& workers) { on_parts(at, workers, &Arrays<T>::init); }
  static void copy(Arrays<T>& at, const Workers& workers) { on_parts(at, workers, &Arrays<T>::copy); }
  static void mul(Arrays<T>& at, const Workers& workers) { on_parts(at, workers, &Arrays<T>::mul); }
  static void add(Arrays<T>& at, const Workers& workers) { on_parts(at, workers, &Arrays<T>::add); }
  static void triad(Arrays<T>& at, const Workers& workers) { on_parts(at, workers, &Arrays<T>::triad); }
  /// Added up in the order of the workers.
  static double dot(const Arrays<T>& at, const Workers& workers) {
    WorkerSums sums(workers.count);
    workers.run([&](int me) { *sums.start(me, 1) = at.dot(workers.pages_of(me, at.size(), sizeof(T))); });
    double sum = 0.0;
    sums.add_up(1.0, {&sum, 1});
    return sum;
  }
  static Settings settings() { return settings_of_vectors<T>(); }

 private:
  static void on_parts(Arrays<T>& at, const Workers& workers, void (Arrays<T>::*kernel)(Range)) {
    workers.run_on_pages(at.size(), sizeof(T), [&](Range mine) { (at.*kernel)(mine); });
  }
};

/// Vectors that are stored past the caches, each worker's in its pages; start values and dot product are those of
/// `Plain`, another method.
template <template <class T> class Plain>
struct PastCaches {
  template <class T>
  class Method {
   public:
    static constexpr bool write_allocate = false;

    explicit Method(const Options& asked) : plain_(method_of<Plain<T>>(asked)) {}

    void init(Arrays<T>& at, const Workers& workers) { plain_.init(at, workers); }
    static void copy(Arrays<T>& at, const Workers& workers) {
      store(at.c(), at.size(), workers, [a = at.a()]<class V>(V, std::int64_t i) { return V::load(a + i); });
    }
    static void mul(Arrays<T>& at, const Workers& workers) {
      store(at.b(), at.size(), workers,
            [c = at.c()]<class V>(V, std::int64_t i) { return V::load(c + i) * T(scalar); });
    }
    static void add(Arrays<T>& at, const Workers& workers) {
      store(at.c(), at.size(), workers,
            [a = at.a(), b = at.b()]<class V>(V, std::int64_t i) { return V::load(a + i) + V::load(b + i); });
    }
    static void triad(Arrays<T>& at, const Workers& workers) {
      store(at.a(), at.size(), workers, [b = at.b(), c = at.c()]<class V>(V, std::int64_t i) {
        return V::load(b + i) + V::load(c + i) * T(scalar);
      });
    }
    double dot(Arrays<T>& at, const Workers& workers) { return plain_.dot(at, workers); }
    Settings settings() const { return settings_of(plain_); }

   private:
    /// to[i] = value(vector type, i).
    template <class Value>
    static void store(T* to, std::int64_t elements, const Workers& workers, const Value& value) {
      workers.run_on_pages(elements, sizeof(T), [&](Range mine) {
        constexpr int lanes = native_lanes<T>;
        std::int64_t i = mine.begin;
        for (; i + lanes <= mine.end; i += lanes) store_past_caches(value(Pack<T, lanes>(), i), to + i);
        for (; i < mine.end; ++i) value(Pack<T, 1>(), i).store(to + i);
        streamed();
      });
    }

    Plain<T> plain_;
  };
};

/// The variant of it.
template <template <class T> class Plain>
Variant past_caches(StartWorkers* start_workers, MemoryOf* memory = memory_of) {
  return {.name = "nt",
          .summary = "the same with non-temporal stores, past the caches",
          .make = by<PastCaches<Plain>::template Method>(start_workers, memory)};
}

}  // namespace boltzmark::stream
