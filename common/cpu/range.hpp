// Division of an array among workers.
#pragma once

#include <algorithm>
#include <cstdint>

namespace boltzmark {

/// Elements begin .. end - 1.
struct Range {
  std::int64_t begin = 0, end = 0;
  std::int64_t size() const { return end - begin; }
};

/// Rows and columns of a matrix.
struct Block {
  Range rows, columns;
  std::int64_t size() const { return rows.size() * columns.size(); }
};

/// Part `number` of `parts` equal ones.
inline Range part_of(std::int64_t whole, std::int64_t number, std::int64_t parts) {
  return {whole * number / parts, whole * (number + 1) / parts};
}

/// The part of worker `me` of `workers`: equal numbers of whole pages, the rest at the end, so that no page is shared.
/// May be empty.
inline Range range_of_pages(std::int64_t elements, std::int64_t me, std::int64_t workers, int value_bytes) {
  const std::int64_t page = 4096 / value_bytes, pages = (elements + page - 1) / page;
  const auto start = [&](std::int64_t worker) { return std::min(elements, pages * worker / workers * page); };
  return {start(me), start(me + 1)};
}

}  // namespace boltzmark
