// Packed panels: the loops around the micro-kernel, which bring each value into the cache level from which it is
// reused, in the order of its use.
//
//     for blocks of columns of C                        B block: as much as the last-level cache is to keep
//       for blocks of depth        pack the B block     strips of a tile's columns, row by row
//         for blocks of rows       pack the A block     strips of a tile's rows, column by column; second-level cache
//           for strips of B                             first-level cache
//             for strips of A      the micro-kernel     registers
//
// Packing makes all reads of the inner loops consecutive for any N, and pads strips at the edges with zeros.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "common/cpu/aligned.hpp"
#include "common/cpu/processors.hpp"
#include "common/cpu/simd.hpp"
#include "common/matmul/matrix_multiplier.hpp"
#include "common/run/settings.hpp"

namespace boltzmark::matmul {

// The micro-kernel: a tile of C in vector registers, to which one column of a strip of A times one row of a strip of B
// is added at a time (Goto and van de Geijn 2008; Van Zee and van de Geijn 2015).
//
//                      B strip: `vectors` vectors a row, rows one after another
//                      [ b b b b | b b b b ]
//     A strip:  a      [ c c c c | c c c c ]   `rows` x `vectors` accumulators: as many as there are registers,
//     a column  a      [ c c c c | c c c c ]   less those for a row of B
//     after     a      [ c c c c | c c c c ]
//     another   a      [ c c c c | c c c c ]
//
// Each value of A serves `vectors` multiply-adds, each vector of B `rows` of them.

/// A tile for vectors of this many lanes: 28 of 32 registers (AVX-512) hold sums, or 12 of 16.
template <class T, int lanes_of_vector>
struct Tile {
  static constexpr int lanes = lanes_of_vector, vectors = 2;
  static constexpr int rows = lanes * sizeof(T) >= 64 ? 14 : 6;
  static constexpr int columns = lanes * vectors;
};

/// Calls `body(i)` for i = 0 .. count-1, each a constant, fully unrolled.
template <int count, class Body>
KERNEL_FN void unrolled(Body&& body) {
  [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
    (body(std::integral_constant<int, I>{}), ...);
  }
  (std::make_integer_sequence<int, count>{});
}

/// Sets c (rows `stride` apart) to strip of A times strip of B, or adds that to c if `adds`. `depth` columns and rows.
template <class T, class Tile>
KERNEL_FN void multiply_tile(std::int64_t depth, const T* a, const T* b, T* c, std::int64_t stride, bool adds) {
  using Vector = Pack<T, Tile::lanes>;
  Vector sums[Tile::rows][Tile::vectors];
  unrolled<Tile::rows>([&](auto row) __attribute__((always_inline)) {
    __builtin_prefetch(c + row * stride, 1);
    __builtin_prefetch(c + row * stride + Tile::columns - 1, 1);
    unrolled<Tile::vectors>([&](auto v) __attribute__((always_inline)) { sums[row][v] = Vector::zero(); });
  });
  for (std::int64_t k = 0; k < depth; ++k, a += Tile::rows, b += Tile::columns) {
    Vector of_b[Tile::vectors];
    unrolled<Tile::vectors>([&](auto v)
                                __attribute__((always_inline)) { of_b[v] = Vector::load(b + v * Tile::lanes); });
    unrolled<Tile::rows>([&](auto row) __attribute__((always_inline)) {
      unrolled<Tile::vectors>([&](auto v) __attribute__((always_inline)) {
        sums[row][v] = multiply_add(of_b[v], a[row], sums[row][v]);
      });
    });
  }
  unrolled<Tile::rows>([&](auto row) __attribute__((always_inline)) {
    unrolled<Tile::vectors>([&](auto v) __attribute__((always_inline)) {
      T* const to = c + row * stride + v * Tile::lanes;
      (adds ? Vector::load(to) + sums[row][v] : sums[row][v]).store(to);
    });
  });
}

/// Matrices in memory: rows `*_stride` values apart.
template <class T>
struct Operands {
  Shape shape;
  const T* a;
  std::int64_t a_stride;
  const T* b;
  std::int64_t b_stride;
  T* c;
  std::int64_t c_stride;
};

/// Equal parts of `whole`, none larger than `most`, in multiples of `unit`; at least one.
inline std::int64_t equal_parts(std::int64_t whole, std::int64_t most, std::int64_t unit) {
  const std::int64_t parts = std::max<std::int64_t>(1, (whole + most - 1) / most);
  return std::max(unit, ((whole + parts - 1) / parts + unit - 1) / unit * unit);
}

template <class T, int lanes>
class Packed {
 public:
  using Tile = matmul::Tile<T, lanes>;

  /// For `workers` that share each product.
  Packed(const Shape& shape, int workers) : workers_(workers), blocks_(sizes_for(shape, workers)) {
    b_block_ = AlignedArray<T>(static_cast<std::size_t>(blocks_.depth * blocks_.columns));
    for (int worker = 0; worker < workers; ++worker)
      a_blocks_.emplace_back(static_cast<std::size_t>(blocks_.depth * blocks_.rows));
  }

  const BlockSizes& blocks() const { return blocks_; }
  /// For the record.
  Settings settings() const {
    return {{"vvl", lanes},
            {"tile", fmt::format("{}x{}", Tile::rows, Tile::columns)},
            {"block", fmt::format("{}x{}x{}", blocks_.rows, blocks_.columns, blocks_.depth)}};
  }

  /// Bytes to and from memory per element of C: A is read for each block of columns, C read and written for each block
  /// of depth, and B read once; packed data stay in caches.
  static double bytes_per_element(const Shape& shape, const BlockSizes& blocks) {
    const auto m = static_cast<double>(shape.m), n = static_cast<double>(shape.n), k = static_cast<double>(shape.k);
    const double column_blocks = count(shape.n, blocks.columns), depth_blocks = count(shape.k, blocks.depth);
    return sizeof(T) * (column_blocks * k / n + k / m + 2.0 * depth_blocks - 1.0);
  }

  /// Traffic to be added to that of the matrices.
  ProductTraffic& add_traffic(ProductTraffic& traffic, int workers, int blocks_of_b = 1) const {
    return traffic.packed(blocks_, Tile::rows, Tile::columns, workers, blocks_of_b);
  }

  /// C = A B, or C += A B if `adds`. Every worker calls it; `barrier()` returns when all have called it.
  template <class Barrier>
  void multiply(const Operands<T>& x, bool adds, int me, Barrier&& barrier) {
    const std::int64_t strips = count(x.shape.m, Tile::rows);
    const std::int64_t first = std::min(x.shape.m, strips * me / workers_ * Tile::rows),
                       end = std::min(x.shape.m, strips * (me + 1) / workers_ * Tile::rows);
    for (std::int64_t column = 0; column < x.shape.n; column += blocks_.columns)
      for (std::int64_t k = 0; k < x.shape.k; k += blocks_.depth) {
        const std::int64_t columns = std::min(blocks_.columns, x.shape.n - column),
                           depth = std::min(blocks_.depth, x.shape.k - k);
        barrier();  // the last block is no longer read
        pack_b(x.b + k * x.b_stride + column, x.b_stride, depth, columns, me);
        barrier();
        for (std::int64_t row = first; row < end; row += blocks_.rows) {
          const std::int64_t rows = std::min(blocks_.rows, end - row);
          pack_a(x.a + row * x.a_stride + k, x.a_stride, rows, depth, a_blocks_[me].data());
          multiply_blocks(rows, columns, depth, a_blocks_[me].data(), x.c + row * x.c_stride + column, x.c_stride,
                          adds || k > 0);
        }
      }
  }

 private:
  static std::int64_t count(std::int64_t whole, std::int64_t part) { return (whole + part - 1) / part; }

  /// A strip of B takes three quarters of the first-level cache, a block of A half of the second-level one, a block of
  /// B a few MiB.
  static BlockSizes sizes_for(const Shape& shape, int workers) {
    constexpr std::int64_t most_columns = 4096;
    const auto l1 = static_cast<std::int64_t>(core_caches().l1), l2 = static_cast<std::int64_t>(core_caches().l2);
    const std::int64_t deepest = std::clamp<std::int64_t>(l1 / 4 * 3 / (Tile::columns * sizeof(T)), 64, 512);
    BlockSizes sizes;
    sizes.depth = equal_parts(shape.k, deepest, 1);
    const std::int64_t most_rows = std::max<std::int64_t>(Tile::rows, l2 / 2 / (deepest * sizeof(T)));
    sizes.rows = equal_parts(count(shape.m, workers), most_rows, Tile::rows);
    sizes.columns = equal_parts(shape.n, most_columns, Tile::columns);
    return sizes;
  }

  /// Packs rows of A into strips as high as a tile, and each strip column by column.
  static void pack_a(const T* a, std::int64_t stride, std::int64_t rows, std::int64_t depth, T* to) {
    for (std::int64_t row = 0; row < rows; row += Tile::rows, to += Tile::rows * depth) {
      const T* const from = a + row * stride;
      const auto present = static_cast<int>(std::min<std::int64_t>(Tile::rows, rows - row));
      if (present == Tile::rows) {
        pack_strip(from, stride, depth, to);
        continue;
      }
      for (std::int64_t k = 0; k < depth; ++k)
        for (int r = 0; r < Tile::rows; ++r) to[k * Tile::rows + r] = r < present ? from[r * stride + k] : T(0);
    }
  }

  /// A few columns at a time, so that the lines of all rows are still in cache when their other values are needed.
  static void pack_strip(const T* from, std::int64_t stride, std::int64_t depth, T* to) {
    constexpr std::int64_t line = 64 / sizeof(T);
    for (std::int64_t first = 0; first < depth; first += line) {
      const std::int64_t end = std::min(depth, first + line);
      for (int r = 0; r < Tile::rows; ++r)
        for (std::int64_t k = first; k < end; ++k) to[k * Tile::rows + r] = from[r * stride + k];
    }
  }

  /// Worker `me`'s share of the strips of B, each row by row.
  void pack_b(const T* b, std::int64_t stride, std::int64_t depth, std::int64_t columns, int me) {
    const std::int64_t strips = count(columns, Tile::columns);
    for (std::int64_t strip = strips * me / workers_; strip < strips * (me + 1) / workers_; ++strip) {
      const T* from = b + strip * Tile::columns;
      T* to = b_block_.data() + strip * Tile::columns * depth;
      const std::int64_t present = std::min<std::int64_t>(Tile::columns, columns - strip * Tile::columns);
      for (std::int64_t k = 0; k < depth; ++k, from += stride, to += Tile::columns) {
        if (present == Tile::columns)
          std::copy_n(from, Tile::columns, to);
        else
          std::fill(std::copy_n(from, present, to), to + Tile::columns, T(0));
      }
    }
  }

  void multiply_blocks(std::int64_t rows, std::int64_t columns, std::int64_t depth, const T* a_block, T* c,
                       std::int64_t stride, bool adds) const {
    for (std::int64_t column = 0; column < columns; column += Tile::columns)
      for (std::int64_t row = 0; row < rows; row += Tile::rows) {
        const T *const a = a_block + row * depth, *const b = b_block_.data() + column * depth;
        T* const to = c + row * stride + column;
        if (rows - row >= Tile::rows && columns - column >= Tile::columns)
          whole_tile(depth, a, b, to, stride, adds);
        else
          edge_tile(depth, a, b, to, stride, adds, std::min<std::int64_t>(Tile::rows, rows - row),
                    std::min<std::int64_t>(Tile::columns, columns - column));
      }
  }

  __attribute__((noinline)) static void whole_tile(std::int64_t depth, const T* a, const T* b, T* c,
                                                   std::int64_t stride, bool adds) {
    multiply_tile<T, Tile>(depth, a, b, c, stride, adds);
  }

  /// Of a tile at an edge, only the part inside C is stored.
  static void edge_tile(std::int64_t depth, const T* a, const T* b, T* c, std::int64_t stride, bool adds,
                        std::int64_t rows, std::int64_t columns) {
    alignas(64) T tile[Tile::rows * Tile::columns];
    whole_tile(depth, a, b, tile, Tile::columns, false);
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t column = 0; column < columns; ++column) {
        T& to = c[r * stride + column];
        const T value = tile[r * Tile::columns + column];
        to = adds ? to + value : value;
      }
  }

  int workers_;
  BlockSizes blocks_;
  AlignedArray<T> b_block_;
  std::vector<AlignedArray<T>> a_blocks_;  ///< one for each worker
};

/// Workers that multiply in packed panels together. OnAll is provided by the model: an object that, called with (count,
/// part), calls part(me, barrier) on this many workers at the same time.
template <class T, int lanes, class OnAll>
class PackedTogether {
 public:
  void init(const Matrices<T>& of, const Workers& workers) { packed_.emplace(of.shape, workers.count); }
  void multiply(Matrices<T>& of, const Workers& workers) {
    const auto [m, n, k] = of.shape;
    const Operands<T> operands = {of.shape, of.a.data(), k, of.b.data(), n, of.c.data(), n};
    OnAll()(workers.count, [&](int me, auto&& barrier) { packed_->multiply(operands, false, me, barrier); });
  }
  RunFacts facts(const Matrices<T>& of, const Workers& workers) const {
    ProductTraffic traffic = of.traffic(workers);
    return {.bytes_per_update = packed_->bytes_per_element(of.shape, packed_->blocks()),
            .traffic = packed_->add_traffic(traffic, workers.count).sets(),
            .settings = packed_->settings()};
  }

 private:
  std::optional<Packed<T, lanes>> packed_;
};

/// The variant in which models are compared.
template <template <class T, int lanes> class Method>
Variant packed_of(const char* summary, StartWorkers* start_workers) {
  return {.name = "packed",
          .summary = summary,
          .role = Role::like_for_like,
          .options = {vector_length_option()},
          .make = by<Method>(start_workers)};
}

}  // namespace boltzmark::matmul
