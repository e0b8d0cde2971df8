// The check of a matrix product: the reference finds errors, and reports those that it cannot find.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "common/base/error.hpp"
#include "common/matmul/cpu/packed.hpp"
#include "common/matmul/oracle.hpp"
#include "common/matmul/traffic.hpp"

namespace boltzmark::matmul {
namespace {

/// C of the definition.
std::vector<double> product(const Shape& shape, const Entries& entries) {
  std::vector<double> c(static_cast<std::size_t>(shape.m * shape.n));
  for (std::int64_t i = 0; i < shape.m; ++i)
    for (std::int64_t j = 0; j < shape.n; ++j)
      for (std::int64_t k = 0; k < shape.k; ++k)
        c[i * shape.n + j] += entries.at(Matrix::a, i, k) * entries.at(Matrix::b, k, j);
  return c;
}

/// The blocked kernel as the lecture prints it: it reads block row `row` of A and block column `column` of B, and
/// stores to block row `column`, block column `row`.
std::vector<double> blocked_as_printed(std::int64_t n, const Entries& entries) {
  constexpr std::int64_t block = 16;
  std::vector<double> c(static_cast<std::size_t>(n * n));
  for (std::int64_t row = 0; row < n; ++row)
    for (std::int64_t column = 0; column < n; ++column) {
      double sum = 0;
      for (std::int64_t k = 0; k < n; ++k) sum += entries.at(Matrix::a, row, k) * entries.at(Matrix::b, k, column);
      const std::int64_t to_row = column / block * block + row % block,
                         to_column = row / block * block + column % block;
      c[to_row * n + to_column] = sum;
    }
  return c;
}

ReadRow rows_of(const std::vector<double>& c, std::int64_t columns) {
  return [&c, columns](std::int64_t row, std::span<double> values) {
    std::copy_n(c.begin() + row * columns, values.size(), values.begin());
  };
}

struct Errors {
  double by_element, by_vectors;
};
Errors errors_of(const Shape& shape, const Entries& entries, const std::vector<double>& c) {
  Oracle oracle(shape, entries);
  return {oracle.error_by_element(rows_of(c, shape.n)), oracle.error_by_vectors(rows_of(c, shape.n))};
}

TEST(Shape, IsReadAndWritten) {
  EXPECT_EQ(parse_shape("12"), (Shape{12, 12, 12}));
  EXPECT_EQ(parse_shape("1x2x3"), (Shape{1, 2, 3}));
  EXPECT_EQ(to_string(parse_shape("7x7x7")), "7");
  EXPECT_EQ(to_string(parse_shape("7x7x8")), "7x7x8");
  for (const char* text : {"", "0", "x", "1x2", "1x2x", "1x2x3x4", "1x2x3x", "-1", "1.5", "1e3", "4x4x2097152",
                           "99999999999999999999", " 4", "4 "})
    EXPECT_THROW(parse_shape(text), Error) << text;
}

TEST(Entries, AreAllWholeNumbersFromMinusFourToFour) {
  const Entries entries;
  std::vector<int> counts(9);
  for (int row = 0; row < 90; ++row)
    for (int column = 0; column < 100; ++column) ++counts.at(entries.at(Matrix::a, row, column) + 4);
  for (const int count : counts) EXPECT_NEAR(count, 1000, 150);
}

TEST(MatmulOracle, TakesWhatIsRight) {
  for (const Shape shape : {Shape{1, 1, 1}, Shape{5, 7, 3}, Shape{33, 20, 40}}) {
    const auto [by_element, by_vectors] = errors_of(shape, {}, product(shape, {}));
    EXPECT_EQ(by_element, 0.0);
    EXPECT_EQ(by_vectors, 0.0);
  }
}

TEST(MatmulOracle, FindsEveryWrongElement) {
  const Shape shape = {9, 11, 8};
  for (std::size_t at = 0; at < 99; ++at) {
    std::vector<double> c = product(shape, {});
    c[at] += 1.0;
    const auto [by_element, by_vectors] = errors_of(shape, {}, c);
    EXPECT_GT(by_element, 0.0) << at;
    EXPECT_GT(by_vectors, 0.0) << at;
  }
}

TEST(MatmulOracle, FindsWhatIsNotANumber) {
  const Shape shape = {4, 4, 4};
  std::vector<double> c = product(shape, {});
  c[5] = std::numeric_limits<double>::quiet_NaN();
  const auto [by_element, by_vectors] = errors_of(shape, {}, c);
  EXPECT_EQ(by_element, std::numeric_limits<double>::infinity());
  EXPECT_EQ(by_vectors, std::numeric_limits<double>::infinity());
}

TEST(MatmulOracle, FindsExchangedRowsAndColumns) {
  const Shape shape = {16, 16, 16};
  std::vector<double> rows = product(shape, {}), columns = rows;
  std::swap_ranges(rows.begin(), rows.begin() + 16, rows.begin() + 48);
  for (int i = 0; i < 16; ++i) std::swap(columns[i * 16 + 2], columns[i * 16 + 9]);
  for (const auto& c : {rows, columns}) EXPECT_GT(errors_of(shape, {}, c).by_vectors, 0.0);
}

TEST(MatmulOracle, FindsTheFaultOfTheBlockedKernelAsPrinted) {
  const auto [by_element, by_vectors] = errors_of({64, 64, 64}, {}, blocked_as_printed(64, {}));
  EXPECT_GT(by_element, 0.0);
  EXPECT_GT(by_vectors, 0.0);
}

/// The check of the course exercise: constant matrices, and 15 K everywhere.
TEST(MatmulOracle, DoesNotFindItInConstantMatrices) {
  const Entries constant = {Filling::constant};
  const std::vector<double> c = blocked_as_printed(64, constant);
  EXPECT_EQ(c, std::vector<double>(64 * 64, 15.0 * 64));
  EXPECT_EQ(errors_of({64, 64, 64}, constant, c).by_element, 0.0);
}

/// All three edges of tiles and blocks, for every length of vectors.
template <class T, int lanes>
void expect_packed_is_right(const Shape& shape) {
  std::vector<T> a(shape.m * shape.k), b(shape.k * shape.n), c(shape.m * shape.n, T(0.5));
  const Entries entries;
  entries.fill(Matrix::a, a.data(), shape.k, 0, shape.m, 0, shape.k);
  entries.fill(Matrix::b, b.data(), shape.n, 0, shape.k, 0, shape.n);
  Packed<T, lanes> packed(shape, 1);
  for (const bool adds : {false, true}) {
    packed.multiply({shape, a.data(), shape.k, b.data(), shape.n, c.data(), shape.n}, adds, 0, [] {});
    const double times = adds ? 2.0 : 1.0;
    EXPECT_EQ(Oracle(shape, entries).error_by_element([&](std::int64_t row, std::span<double> values) {
      for (std::size_t j = 0; j < values.size(); ++j) values[j] = c[row * shape.n + j] / times;
    }),
              0.0)
        << to_string(shape) << ' ' << lanes << ' ' << adds;
  }
}

TEST(PackedPanels, AreRightAtAllEdges) {
  for (const Shape shape :
       {Shape{1, 1, 1}, Shape{6, 8, 5}, Shape{14, 32, 200}, Shape{15, 33, 401}, Shape{300, 67, 13}}) {
    expect_packed_is_right<float, 4>(shape);
    expect_packed_is_right<double, 2>(shape);
    expect_packed_is_right<float, native_lanes<float>>(shape);
    expect_packed_is_right<double, native_lanes<double>>(shape);
  }
}

double all_of(const Traffic& traffic) {
  double bytes = 0.0;
  for (const WorkingSet& set : traffic) bytes += set.per_update;
  return bytes;
}

/// Callgrind's caches (8 and 16 ways, lines written back included) of 4 and 32 KiB, which hold no matrix of 128 x 128
/// floats: bytes of an element of C; the remainder is due to lines left by the run before.
TEST(ProductTraffic, IsAtMostWhatASimulatedCacheMoves) {
  const ProductTraffic once({128, 128, 128}, sizeof(float), true);
  EXPECT_EQ(all_of(once.sets()), 16.0);  // 18.2 where the cache holds B
  const double ikj = all_of(ProductTraffic(once).rows_of_b(1).sets()),
               blocked = all_of(ProductTraffic(once).blocks_of_b({128, 512, 512}).sets());
  EXPECT_LE(ikj, 527.35);
  EXPECT_GE(ikj, 0.95 * 527.35);
  EXPECT_LE(blocked, 528.33);
  EXPECT_GE(blocked, 0.95 * 528.33);
  const double packed = all_of(ProductTraffic(once).packed({128, 128, 128}, 6, 8, 1).sets());
  EXPECT_LE(packed, 192.4);  // out of the first level
}

/// Down a column of B its lines are at most all of B, whose short rows share them.
TEST(ProductTraffic, CountsNoLineTwiceForShortRows) {
  const Shape shape = {8, 4, 65536};
  ProductTraffic traffic(shape, sizeof(double), true);
  const double once = all_of(traffic.sets()), of_b = sizeof(double) * static_cast<double>(shape.k * shape.n);
  EXPECT_LE(all_of(traffic.rows_of_b(1).lines_of_b().sets()), once + of_b);
}

/// A part of a set is never larger than the whole.
TEST(ProductTraffic, HasNoSetBeyondItsMatrices) {
  for (const Shape shape : {Shape{1, 1, 1}, Shape{3, 5, 2}, Shape{2048, 8, 4096}, Shape{7, 4096, 1}}) {
    ProductTraffic traffic(shape, sizeof(double), false);
    traffic.rows_of_b(2).lines_of_b().packed({96, 64, 32}, 6, 8, 2).groups({16, 16, 16}, 4);
    const Traffic sets = traffic.sets();
    EXPECT_EQ(sets.front().bytes, sizeof(double) * shape.values());
    EXPECT_TRUE(std::ranges::is_sorted(sets, std::greater(), &WorkingSet::bytes));
    for (const WorkingSet& set : sets) EXPECT_GT(set.per_update, 0.0) << set.of;
  }
}

}  // namespace
}  // namespace boltzmark::matmul
