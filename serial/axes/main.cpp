// axes-serial: access patterns on one core.
#include <algorithm>

#include "common/axes/array_patterns.hpp"
#include "common/axes/cpu/vectors.hpp"
#include "common/run/cpu_device.hpp"

namespace boltzmark::serial {
namespace {
using namespace axes;

/// Outer: the innermost loop runs along the outermost axis, so that each step is far from the one before.
struct Outer {
  template <class T>
  static void fill(T* filled, std::int64_t n, const Workers&) {
    for (std::int64_t l = 0; l < n; ++l)
      for (std::int64_t k = 0; k < n; ++k)
        for (std::int64_t j = 0; j < n; ++j)
          for (std::int64_t i = 0; i < n; ++i) filled[((i * n + j) * n + k) * n + l] = T(1);
  }
  template <class T>
  static void add_up(const T* values, std::int64_t n, const Strides& s, T* sums, const Workers&) {
    for (std::int64_t inner = 0; inner < n; ++inner)
      for (std::int64_t middle = 0; middle < n; ++middle)
        for (std::int64_t outer = 0; outer < n; ++outer) {
          T sum = 0;
          for (std::int64_t at = 0; at < n; ++at)
            sum += values[outer * s.outer + middle * s.middle + inner * s.inner + at * s.reduced];
          sums[(outer * n + middle) * n + inner] = sum;
        }
  }
};

/// The fill of the two below, along memory.
struct AlongMemory {
  template <class T>
  static void fill(T* filled, std::int64_t n, const Workers&) {
    std::fill_n(filled, n * n * n * n, T(1));
  }
};

/// Inner: the innermost loop runs along contiguous memory, for any axis of the sum.
struct Inner : AlongMemory {
  template <class T>
  static void add_up(const T* values, std::int64_t n, const Strides& s, T* all_sums, const Workers&) {
    for (std::int64_t outer = 0; outer < n; ++outer)
      for (std::int64_t middle = 0; middle < n; ++middle) {
        const T* const from = values + outer * s.outer + middle * s.middle;
        T* const __restrict sums = all_sums + (outer * n + middle) * n;
        if (s.reduced == 1) {
          for (std::int64_t inner = 0; inner < n; ++inner) {
            const T* const __restrict row = from + inner * s.inner;
            T sum = 0;
            for (std::int64_t at = 0; at < n; ++at) sum += row[at];
            sums[inner] = sum;
          }
          continue;
        }
        std::fill_n(sums, n, T(0));
        for (std::int64_t at = 0; at < n; ++at) {
          const T* const __restrict row = from + at * s.reduced;
          for (std::int64_t inner = 0; inner < n; ++inner) sums[inner] += row[inner];
        }
      }
  }
};

/// Vectors: sums of neighbouring elements together (common/axes/cpu/vectors.hpp).
struct Vectors : AlongMemory {
  template <class T>
  static void add_up(const T* values, std::int64_t n, const Strides& s, T* sums, const Workers&) {
    axes::add_up(values, n, s.reduced, sums, {0, n * n * n});
  }
};

const axes::Variant outer = {
    .name = "outer", .summary = "the innermost loop runs along the outermost axis", .make = by<Outer>(one_worker)};
const axes::Variant inner = {
    .name = "inner", .summary = "the innermost loop runs along contiguous memory", .make = by<Inner>(one_worker)};
const axes::Variant vectors =
    like_for_like_of("vectors", "sums of neighbouring elements in vectors", by<Vectors>(one_worker));

}  // namespace
}  // namespace boltzmark::serial

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace serial;
  return run_on_cpu(argc, argv, axes::workload, "serial", "on one core", {&outer, &inner, &vectors}, "vectors");
}
