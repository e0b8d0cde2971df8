// ikj: the textbook's loops in another order, so that the innermost one runs along rows and compilers vectorise it.
//
//     row i of C += a[i][k] * row k of B
#include <algorithm>

#include "common/matmul/matrix_multiplier.hpp"

namespace boltzmark::serial {
using namespace matmul;
namespace {

template <class T>
struct Ikj {
  static void multiply(Matrices<T>& of, const Workers&) { multiply(of.shape, of.a.data(), of.b.data(), of.c.data()); }
  /// A separate function: inlined, GCC 12 would keep the bound of the innermost loop in memory.
  [[gnu::noinline]] static void multiply(Shape shape, const T* all_a, const T* all_b, T* all_c) {
    const std::int64_t m = shape.m, n = shape.n, depth = shape.k;
    for (std::int64_t i = 0; i < m; ++i) {
      T* const __restrict c = all_c + i * n;
      std::fill(c, c + n, T(0));
      for (std::int64_t k = 0; k < depth; ++k) {
        const T a = all_a[i * depth + k];
        const T* const __restrict b = all_b + k * n;
        for (std::int64_t j = 0; j < n; ++j) c[j] += a * b[j];
      }
    }
  }
  static RunFacts facts(const Matrices<T>& of, const Workers& workers) {
    return {.bytes_per_update = of.bytes_by_rows(), .traffic = of.traffic(workers).rows_of_b(workers.count).sets()};
  }
};

}  // namespace

extern const matmul::Variant ikj = {
    .name = "ikj", .summary = "the same, the innermost loop along rows (i, k, j)", .make = by<Ikj>(one_worker)};

}  // namespace boltzmark::serial
