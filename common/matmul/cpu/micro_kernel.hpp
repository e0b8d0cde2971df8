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
#pragma once

#include <cstdint>
#include <utility>

#include "common/cpu/simd.hpp"

namespace boltzmark::matmul {

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

}  // namespace boltzmark::matmul
