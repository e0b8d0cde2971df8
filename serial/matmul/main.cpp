// matmul-serial: matrix multiplication on one core.
#include <fmt/core.h>

#include <algorithm>

#include "common/cpu/processors.hpp"
#include "common/matmul/cpu/openblas.hpp"
#include "common/matmul/cpu/packed.hpp"
#include "common/matmul/matrix_multiplier.hpp"
#include "common/run/cpu_device.hpp"

namespace boltzmark::serial {
extern const matmul::Variant textbook;
namespace {
using namespace matmul;

// ikj: the textbook's loops in another order, so that the innermost one runs along rows and compilers vectorise it.
//
//     row i of C += a[i][k] * row k of B
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

// Blocked: ikj over blocks of B that stay in the second-level cache, for all rows of C.
//
//     for blocks of k and of j     a block of B: `depth` rows, `columns` columns
//       for all i, k of the block:   row i of C's block += a[i][k] * row k of the block
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

// Packed: blocks of A and B are copied into the order in which a micro-kernel in vector registers reads them, as in
// libraries; the loops are drawn in common/matmul/cpu/packed.hpp.
//
//     tile of C in registers += strip of A * strip of B
struct Alone {
  void operator()(int, const auto& part) const {
    part(0, [] {});
  }
};

template <class T, int lanes>
using PackedPanels = PackedTogether<T, lanes, Alone>;

const matmul::Variant ikj = {
    .name = "ikj", .summary = "the same, the innermost loop along rows (i, k, j)", .make = by<Ikj>(one_worker)};
const matmul::Variant blocked = {
    .name = "blocked", .summary = "the same over blocks of B that stay in cache", .make = by<Blocked>(one_worker)};
const matmul::Variant packed =
    packed_of<PackedPanels>("packed panels and a micro-kernel in vector registers", one_worker);
const matmul::Variant openblas = matmul::openblas_of("the library OpenBLAS on one thread (peer)", one_worker);

}  // namespace
}  // namespace boltzmark::serial

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace serial;
  return run_on_cpu(argc, argv, matmul::workload, "serial", "on one core",
                    {&textbook, &ikj, &blocked, &packed, &openblas}, "packed");
}
