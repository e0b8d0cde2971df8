// Blocked: ikj over blocks of B that stay in the second-level cache, for all rows of C.
//
//     for blocks of k and of j     a block of B: `depth` rows, `columns` columns
//       for all i, k of the block:   row i of C's block += a[i][k] * row k of the block
#include <algorithm>

#include <fmt/core.h>

#include "common/cpu/processors.hpp"
#include "common/matmul/matrix_multiplier.hpp"

namespace boltzmark::serial {
using namespace matmul;
namespace {

template <class T>
struct Blocked {
  static constexpr std::int64_t columns = 512;  ///< a row of C's block stays in the first-level cache

  /// Half of the second-level cache.
  static std::int64_t depth_of_block() {
    return std::max<std::int64_t>(16, static_cast<std::int64_t>(core_caches().l2 / 2 / (columns * sizeof(T))));
  }

  static void multiply(Matrices<T>& of, const Workers&) {
    const auto [m, n, depth] = of.shape;
    const std::int64_t block_depth = depth_of_block();
    for (std::int64_t first = 0; first < n; first += columns)
      for (std::int64_t k = 0; k < depth; k += block_depth)
        for (std::int64_t i = 0; i < m; ++i)
          multiply_row(of.a.data() + i * depth, of.b.data() + first, of.c.data() + i * n + first, n,
                       {k, std::min(depth, k + block_depth)}, std::min(n - first, columns));
  }

  /// Updates `width` columns of a row of C. A separate function, so that its loops have all registers.
  [[gnu::noinline]] static void multiply_row(const T* a_row, const T* all_b, T* __restrict c, std::int64_t n,
                                             Range depth, std::int64_t width) {
    if (depth.begin == 0) std::fill(c, c + width, T(0));
    for (std::int64_t k = depth.begin; k < depth.end; ++k) {
      const T a = a_row[k];
      const T* const __restrict b = all_b + k * n;
      for (std::int64_t j = 0; j < width; ++j) c[j] += a * b[j];
    }
  }

  /// Traffic: B once; A for each block of columns; C read and written for each block of depth.
  static RunFacts facts(const Matrices<T>& of, const Workers& workers) {
    const Shape& shape = of.shape;
    const auto m = static_cast<double>(shape.m), n = static_cast<double>(shape.n), k = static_cast<double>(shape.k);
    const auto blocks = [](std::int64_t whole, std::int64_t part) {
      return static_cast<double>((whole + part - 1) / part);
    };
    const double values = k / m + k / n * blocks(shape.n, columns) + 2.0 * blocks(shape.k, depth_of_block()) - 1.0;
    return {.bytes_per_update = values * sizeof(T),
            .traffic = of.traffic(workers).blocks_of_b({shape.m, columns, depth_of_block()}).sets(),
            .settings = {{"block", fmt::format("{}x{}", depth_of_block(), columns)}}};
  }
};

}  // namespace

extern const matmul::Variant blocked = {
    .name = "blocked", .summary = "the same over blocks of B that stay in cache", .make = by<Blocked>(one_worker)};

}  // namespace boltzmark::serial
