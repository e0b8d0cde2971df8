// matmul-kokkos: matrix multiplication in Kokkos.
#include "kokkos/on_space.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "common/matmul/multiplier.hpp"

namespace boltzmark::kokkos {
namespace {
using namespace matmul;

/// Matrices in the layout of the space: rows in a processor's memory, columns in a GPU's.
template <class T>
class Matrices : public OnSpace<Multiplier> {
 public:
  using OnSpace<Multiplier>::OnSpace;
  using View = Kokkos::View<T**>;

  void init(const Shape& shape, const Entries& entries) override {
    shape_ = shape;
    const auto made = [&](Matrix matrix, std::int64_t rows, std::int64_t columns) {
      return filled(untouched<View>("matrix", rows, columns), [&](const auto& host) {
        for (std::int64_t i = 0; i < rows; ++i)
          for (std::int64_t j = 0; j < columns; ++j) host(i, j) = static_cast<T>(entries.at(matrix, i, j));
      });
    };
    a_ = made(Matrix::a, shape.m, shape.k);
    b_ = made(Matrix::b, shape.k, shape.n);
    c_ = untouched<View>("matrix", shape.m, shape.n);
    spoil();
  }
  void spoil() override { Kokkos::deep_copy(c_, std::numeric_limits<T>::quiet_NaN()); }
  void collect() override { product_ = on_host(c_); }
  void read(std::int64_t row, std::span<double> values) const override {
    for (std::size_t j = 0; j < values.size(); ++j)
      values[j] = static_cast<double>(product_(static_cast<std::size_t>(row), j));
  }

 protected:
  Shape shape_;
  View a_, b_, c_;

 private:
  typename View::HostMirror product_;
};

/// Textbook: the definition, an index pair an element.
template <class T>
class Textbook : public Matrices<T> {
 public:
  using Matrices<T>::Matrices;

  void multiply() override {
    using Elements = Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>, Kokkos::IndexType<std::int64_t>>;
    const typename Matrices<T>::View a = this->a_, b = this->b_, c = this->c_;
    const std::int64_t depth = this->shape_.k;
    Kokkos::parallel_for(
        Elements({0, 0}, {this->shape_.m, this->shape_.n}), KOKKOS_LAMBDA(std::int64_t i, std::int64_t j) {
          T sum = 0;
          for (std::int64_t k = 0; k < depth; ++k) sum += a(i, k) * b(k, j);
          c(i, j) = sum;
        });
    Kokkos::fence();
  }

  RunFacts facts() const override {
    return this->on_space({.bytes_per_update = (2.0 * static_cast<double>(this->shape_.k) + 1.0) * sizeof(T)});
  }
};

/// Blocked: a team has a tile of C, and takes along the depth a block of A and one of B at a time, all of them in its
/// scratch memory: a GPU's shared memory (level 0), or what stays in a processor's caches (level 1). Zeros fill up what
/// is beyond the matrices. A thread multiplies `height` rows by a vector of columns in registers.
///
///     blocks to scratch | barrier | tile += column of A's block * row of B's, for all columns | barrier
template <class T>
struct BlockedProduct {
  static constexpr int tile = 64, depth = is_host ? 128 : 8, height = 8, level = is_host ? 1 : 0;
  static constexpr int vectors = tile / lanes_of<T>, items = tile / height * vectors;
  using Global = typename Matrices<T>::View;
  template <int rows, int columns>
  using Scratch =
      Kokkos::View<T[rows][columns], Kokkos::LayoutRight, Space::scratch_memory_space, Kokkos::MemoryUnmanaged>;
  using OfA = Scratch<tile, depth>;
  using OfB = Scratch<depth, tile>;
  using OfC = Scratch<tile, tile>;

  Global a, b, c;
  std::int64_t m, n, k;

  std::int64_t tiles_down() const { return (m + tile - 1) / tile; }
  KOKKOS_INLINE_FUNCTION std::int64_t tiles_across() const { return (n + tile - 1) / tile; }

  /// A block of a matrix from (row, column) on.
  template <class Block>
  KOKKOS_INLINE_FUNCTION static void fetch(const Member& team, const Global& matrix, std::int64_t row,
                                           std::int64_t column, const Block& block) {
    const auto rows_there = static_cast<std::int64_t>(matrix.extent(0)) - row,
               columns_there = static_cast<std::int64_t>(matrix.extent(1)) - column;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, static_cast<int>(block.extent(0))), [&](int i) {
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, static_cast<int>(block.extent(1))), [&](int j) {
        block(i, j) = i < rows_there && j < columns_there ? matrix(row + i, column + j) : T(0);
      });
    });
  }

  KOKKOS_INLINE_FUNCTION void operator()(const Member& team) const {
    using Real = Lanes<T>;
    const std::int64_t row = team.league_rank() / tiles_across() * tile,
                       column = team.league_rank() % tiles_across() * tile;
    const OfA of_a(team.team_scratch(level));
    const OfB of_b(team.team_scratch(level));
    const OfC of_c(team.team_scratch(level));
    for (std::int64_t first = 0; first < k; first += depth) {
      fetch(team, a, row, first, of_a);
      fetch(team, b, first, column, of_b);
      team.team_barrier();
      Kokkos::parallel_for(Kokkos::TeamVectorRange(team, items), [&](int item) {
        const int i = item / vectors * height, j = item % vectors * lanes_of<T>;
        Real sums[height];
        for (int r = 0; r < height; ++r) sums[r] = first > 0 ? load<Real>(&of_c(i + r, j)) : Real{};
        for (int at = 0; at < depth; ++at) {
          const Real of_row = load<Real>(&of_b(at, j));
          for (int r = 0; r < height; ++r) sums[r] = multiply_add(of_row, of_a(i + r, at), sums[r]);
        }
        for (int r = 0; r < height; ++r) store(sums[r], &of_c(i + r, j));
      });
      team.team_barrier();
    }
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, tile * tile), [&](int number) {
      const std::int64_t i = row + number / tile, j = column + number % tile;
      if (i < m && j < n) c(i, j) = of_c(number / tile, number % tile);
    });
  }
};

template <class T>
class Blocked : public Matrices<T> {
 public:
  using Matrices<T>::Matrices;

  void multiply() override {
    using Product = BlockedProduct<T>;
    const auto [m, n, k] = this->shape_;
    const Product product = {this->a_, this->b_, this->c_, m, n, k};
    const auto bytes = Product::OfA::shmem_size() + Product::OfB::shmem_size() + Product::OfC::shmem_size();
    Rows tiles(static_cast<int>(product.tiles_down() * product.tiles_across()), is_host ? 1 : 8, is_host ? 1 : 32);
    Kokkos::parallel_for(tiles.set_scratch_size(Product::level, Kokkos::PerTeam(static_cast<int>(bytes))), product);
    Kokkos::fence();
  }

  /// A number that a team reads serves a row or column of its tile.
  RunFacts facts() const override {
    constexpr int tile = BlockedProduct<T>::tile;
    return this->on_space({.bytes_per_update = (2.0 / tile * static_cast<double>(this->shape_.k) + 1.0) * sizeof(T),
                           .settings = {{"tile", fmt::format("{}x{}", tile, tile)}}});
  }
};

const Variant textbook =
    textbook_of<Multiplier, Textbook>("the product as defined, a parallel_for over rows and columns");
const Variant blocked = like_for_like_of<Multiplier, Blocked>(
    "blocked", "a team a tile of C, with blocks of A and B in its scratch memory");

}  // namespace
}  // namespace boltzmark::kokkos

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace kokkos;
  return run_on_space(argc, argv, {textbook, blocked}, "blocked");
}
