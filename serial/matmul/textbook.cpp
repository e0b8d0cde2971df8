// Textbook: the three loops of the definition, directly in memory. The published "sequential" step.
//
//     c[i][j] += a[i][k] * b[k][j]
//
// The innermost loop goes down a column of B: a new line, and for large N a new page, with every step.
#include "common/matmul/matrix_multiplier.hpp"

namespace boltzmark::serial {
using namespace matmul;
namespace {

template <class T>
struct Textbook {
  static void multiply(Matrices<T>& of, const Workers&) {
    const auto [m, n, depth] = of.shape;
    const T *const a = of.a.data(), *const b = of.b.data();
    T* const c = of.c.data();
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t j = 0; j < n; ++j) {
        c[i * n + j] = 0;
        for (std::int64_t k = 0; k < depth; ++k) c[i * n + j] += a[i * depth + k] * b[k * n + j];
      }
  }
  static RunFacts facts(const Matrices<T>& of, const Workers& workers) {
    return {.bytes_per_update = of.bytes_without_reuse(),
            .traffic = of.traffic(workers).rows_of_b(workers.count).lines_of_b().sets()};
  }
};

}  // namespace

extern const matmul::Variant textbook = textbook_of("the three loops of the definition", by<Textbook>(one_worker));

}  // namespace boltzmark::serial
