// Least traffic of a product's loops, per element of C: each matrix once, plus repeated passes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>

#include "common/cpu/processors.hpp"
#include "common/matmul/shape.hpp"
#include "common/run/traffic.hpp"

namespace boltzmark::matmul {

/// Rows, columns and depth of the blocks of C, or of the panels of A and B.
struct BlockSizes {
  std::int64_t rows = 0, columns = 0, depth = 0;
};

class ProductTraffic {
 public:
  /// A and B are read and C is written once. operand_bytes: of a rounded value of A or B.
  ProductTraffic(const Shape& shape, std::size_t value_bytes, bool write_allocate, double operand_bytes = 0.0)
      : m_(static_cast<double>(shape.m)),
        n_(static_cast<double>(shape.n)),
        k_(static_cast<double>(shape.k)),
        bytes_(static_cast<double>(value_bytes)),
        operand_bytes_(operand_bytes > 0.0 ? operand_bytes : bytes_) {
    add("A, B and C", operand_bytes_ * (m_ * k_ + k_ * n_) + bytes_ * m_ * n_,
        operand_bytes_ * once() + bytes_ * (write_allocate ? 2.0 : 1.0));
  }

  /// B once more for each row of C except the `first`. If no cache holds B, workers in step share the lines that one of
  /// them has fetched.
  ProductTraffic& rows_of_b(int workers, double first = 1.0) {
    const double bytes = bytes_ * k_ * n_;
    return add("B", bytes, bytes_ * k_ * std::max(0.0, 1.0 - first / m_) / in_step(bytes, workers));
  }
  /// Walks down columns of B, if the first-level cache loses a line before the next column needs its next value. A line
  /// holds several short rows.
  ProductTraffic& lines_of_b() {
    const double line = std::min(64.0, bytes_ * n_);
    const bool are_forgotten = line * k_ >= 2.0 * static_cast<double>(core_caches().l1);
    return add("lines of a column of B", line * k_, are_forgotten ? (line - bytes_) * k_ : 0.0);
  }
  /// C is updated this many more times.
  ProductTraffic& add_to_c(double times) { return add("C", bytes_ * m_ * n_, 2.0 * bytes_ * times); }

  /// A block of B, `depth` rows and `columns` columns, is multiplied by all rows of A: ikj in blocks.
  ProductTraffic& blocks_of_b(const BlockSizes& block) {
    again_for_blocks(block);
    return add("block of B", bytes_ * depth(block) * columns(block), bytes_ * k_ * std::max(0.0, 1.0 - 1.0 / m_));
  }

  /// Tiles of C in registers: strips of B of this depth and width, in turn, are multiplied by all rows of A.
  ProductTraffic& strips_of_b(const BlockSizes& strip, int tile_rows, int workers) {
    again_for_blocks(strip, workers);
    return add("strips of B", bytes_ * workers * depth(strip) * columns(strip), bytes_ * k_ / tile_rows);
  }

  /// Packed panels, as drawn in common/matmul/cpu/packed.hpp: `workers` have separate blocks of A, and share
  /// `blocks_of_b` of B.
  ProductTraffic& packed(const BlockSizes& block, int tile_rows, int tile_columns, int workers, int blocks_of_b = 1) {
    again_for_blocks(block);
    add("packed block of B", bytes_ * blocks_of_b * depth(block) * columns(block),
        bytes_ * (k_ / m_ + k_ / rows(block)));
    return tiles(block, tile_rows, tile_columns, workers);
  }

  /// A and B copied to packed ones first, for groups of a device that each multiply a block of C in such tiles.
  ProductTraffic& copied(const BlockSizes& block, int tile_rows, int tile_columns, int at_work) {
    add("packed A and B", bytes_ * (m_ * k_ + k_ * n_), bytes_ * 2.0 * once());
    add("blocks of C at work", bytes_ * at_work * rows(block) * columns(block),
        bytes_ * 2.0 * (std::ceil(k_ / depth(block)) - 1.0));
    return tiles(block, tile_rows, tile_columns, at_work);
  }

  /// Groups of a device, `at_work` at a time, that each read rows of A and columns of B for a block of C.
  ProductTraffic& groups(const BlockSizes& block, int at_work) {
    const double of_group = k_ / static_cast<double>(block.rows) + k_ / static_cast<double>(block.columns);
    return add("blocks of groups at work",
               operand_bytes_ * at_work * static_cast<double>((block.rows + block.columns) * block.depth),
               operand_bytes_ * std::max(0.0, of_group - once()));
  }

  /// From the largest set to the smallest.
  Traffic sets() const {
    Traffic sorted = sets_;
    std::ranges::stable_sort(sorted, std::greater(), &WorkingSet::bytes);
    return sorted;
  }

 private:
  /// Empty if nothing moves. No part is larger than the whole.
  ProductTraffic& add(std::string of, double bytes, double per_update) {
    if (!sets_.empty()) bytes = std::min(bytes, sets_.front().bytes);
    if (per_update > 0.0) sets_.push_back({std::move(of), bytes, per_update});
    return *this;
  }

  /// Of `block`, the inputs of tiles of C: packed A from the second level, a strip of B from the first.
  ProductTraffic& tiles(const BlockSizes& block, int tile_rows, int tile_columns, int workers) {
    add("packed blocks of A", bytes_ * workers * depth(block) * rows(block),
        bytes_ * k_ * (1.0 / n_ + 1.0 / tile_columns));
    return add("strips of B", bytes_ * workers * depth(block) * tile_columns, bytes_ * k_ / tile_rows);
  }

  /// A for each block of columns except the first, C for each block of depth except the first.
  void again_for_blocks(const BlockSizes& block, int workers = 1) {
    const double across = std::ceil(n_ / columns(block)), deep = std::ceil(k_ / depth(block));
    add("A and columns of B and C", bytes_ * (m_ * k_ + (k_ + m_) * columns(block)),
        bytes_ * (across - 1.0) * k_ / n_ / in_step(bytes_ * m_ * k_, workers));
    add("columns of C", bytes_ * (m_ * (columns(block) + depth(block)) + depth(block) * columns(block)),
        bytes_ * 2.0 * (deep - 1.0));
  }
  static double in_step(double bytes, int workers) {
    static const auto last_level = static_cast<double>(last_level_cache_bytes(usable_processors()));
    return bytes > last_level ? workers : 1;
  }
  double once() const { return k_ / n_ + k_ / m_; }
  double columns(const BlockSizes& block) const { return std::min(static_cast<double>(block.columns), n_); }
  double rows(const BlockSizes& block) const { return std::min(static_cast<double>(block.rows), m_); }
  double depth(const BlockSizes& block) const { return std::min(static_cast<double>(block.depth), k_); }

  double m_, n_, k_, bytes_, operand_bytes_;
  Traffic sets_;
};

}  // namespace boltzmark::matmul
