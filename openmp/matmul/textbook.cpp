// Textbook: the three loops of the definition, the outer one divided among threads.
//
//     c[i][j] += a[i][k] * b[k][j]
#include "common/matmul/matrix_multiplier.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
using namespace matmul;
namespace {

template <class T>
struct Textbook {
  static void multiply(Matrices<T>& of, const Workers& workers) {
    const std::int64_t m = of.shape.m, n = of.shape.n, depth = of.shape.k;
    const T *const a = of.a.data(), *const b = of.b.data();
    T* const c = of.c.data();
    const int threads = workers.count;
#pragma omp parallel for num_threads(threads)
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t j = 0; j < n; ++j) {
        T sum = 0;
        for (std::int64_t k = 0; k < depth; ++k) sum += a[i * depth + k] * b[k * n + j];
        c[i * n + j] = sum;
      }
  }
  static RunFacts facts(const Matrices<T>& of, const Workers& workers) {
    return {.bytes_per_update = of.bytes_without_reuse(),
            .traffic = of.traffic(workers).rows_of_b(workers.count).sets()};
  }
};

}  // namespace

extern const matmul::Variant textbook =
    textbook_of("the three loops of the definition, the outer one over threads", by<Textbook>(start_workers));

}  // namespace boltzmark::openmp
