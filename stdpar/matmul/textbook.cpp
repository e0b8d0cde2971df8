// Textbook: an algorithm over the rows of C; each row is computed as in ikj.
//
//     for_each row i   row i of C += a[i][k] * row k of B
#include <algorithm>
#include <execution>

#include "common/matmul/matrix_multiplier.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {
using namespace matmul;
namespace {

template <class T>
struct Textbook {
  static void multiply(Matrices<T>& of, const Workers&) {
    std::for_each(
        std::execution::par_unseq, counting(0), counting(of.shape.m),
        [n = of.shape.n, depth = of.shape.k, a = of.a.data(), b = of.b.data(), c = of.c.data()](std::int64_t i) {
          T* const row = c + i * n;
          std::fill(row, row + n, T(0));
          for (std::int64_t k = 0; k < depth; ++k)
            for (std::int64_t j = 0; j < n; ++j) row[j] += a[i * depth + k] * b[k * n + j];
        });
  }
  static RunFacts facts(const Matrices<T>& of, const Workers& workers) {
    return {.bytes_per_update = of.bytes_by_rows(), .traffic = of.traffic(workers).rows_of_b(workers.count).sets()};
  }
};

}  // namespace

extern const matmul::Variant textbook = textbook_of("an algorithm over the rows of C", by<Textbook>(start_workers));

}  // namespace boltzmark::stdpar
