// Blocked: ikj over blocks of B that stay in the second-level cache, for all rows of C.
//
//     for blocks of k and of j     a block of B: `depth` rows, `columns` columns
//       for all i, k of the block:   row i of C's block += a[i][k] * row k of the block
#include <algorithm>

#include <fmt/core.h>

#include "common/cpu/caches.hpp"
#include "common/matmul/host_multiplier.hpp"

namespace boltzmark::serial {
using namespace matmul;
namespace {

template <class T>
class Blocked : public HostMultiplier<T> {
 public:
  void multiply() override {
    const auto [m, n, depth] = shape_;
    const std::int64_t block_depth = depth_of_block();
    for (std::int64_t first = 0; first < n; first += columns)
      for (std::int64_t k = 0; k < depth; k += block_depth)
        for (std::int64_t i = 0; i < m; ++i)
          multiply_row(i, k, std::min(depth, k + block_depth), first, std::min(n, first + columns));
  }

  /// B once; A for each block of columns; C read and written for each block of depth.
  RunFacts facts() const override {
    const auto m = static_cast<double>(shape_.m), n = static_cast<double>(shape_.n), k = static_cast<double>(shape_.k);
    const auto blocks = [](std::int64_t whole, std::int64_t part) {
      return static_cast<double>((whole + part - 1) / part);
    };
    const double values = k / m + k / n * blocks(shape_.n, columns) + 2.0 * blocks(shape_.k, depth_of_block()) - 1.0;
    return this->on_machine({.bytes_per_update = values * sizeof(T),
                             .traffic = this->traffic().blocks_of_b({shape_.m, columns, depth_of_block()}).sets(),
                             .settings = {{"block", fmt::format("{}x{}", depth_of_block(), columns)}}});
  }

 private:
  using HostMultiplier<T>::a_, HostMultiplier<T>::b_, HostMultiplier<T>::c_, HostMultiplier<T>::shape_;

  static constexpr std::int64_t columns = 512;  ///< a row of C's block stays in the first-level cache

  /// Half of the second-level cache.
  static std::int64_t depth_of_block() {
    return std::max<std::int64_t>(16, static_cast<std::int64_t>(core_caches().l2 / 2 / (columns * sizeof(T))));
  }

  void multiply_row(std::int64_t i, std::int64_t first_k, std::int64_t end_k, std::int64_t first, std::int64_t end) {
    const std::int64_t n = shape_.n;
    T* const __restrict c = c_.data() + i * n;
    if (first_k == 0) std::fill(c + first, c + end, T(0));
    for (std::int64_t k = first_k; k < end_k; ++k) {
      const T a = a_.data()[i * shape_.k + k];
      const T* const __restrict b = b_.data() + k * n;
      for (std::int64_t j = first; j < end; ++j) c[j] += a * b[j];
    }
  }
};

}  // namespace

extern const matmul::Variant blocked = {
    .name = "blocked", .summary = "ikj over blocks of B that stay in cache", .make = made_of<Multiplier, Blocked>};

}  // namespace boltzmark::serial
