// Which sites of a box are whose: parts of rows for threads of a processor, and chunks of these.
#pragma once

#include <algorithm>

#include "common/target/lattice.hpp"

namespace boltzmark::target {

/// Calls work(part) for the parts of rows of a box that belong to worker `me`, in units of the longest chunk.
template <class Work>
void each_part_of(const Sites& box, std::int64_t me, std::int64_t workers, const Work& work) {
  const std::int64_t in_row = (box.length + longest_vvl - 1) / longest_vvl, units = in_row * box.rows * box.layers;
  const std::int64_t begin = units * me / workers;
  std::int64_t left = units * (me + 1) / workers - begin;
  if (left <= 0) return;
  Sites part = box;
  part.rows = part.layers = 1;
  part.row = static_cast<int>(begin / in_row);
  std::int64_t first = begin % in_row;
  for (int row = part.row % box.rows, layer = part.row / box.rows; left > 0; ++part.row) {
    const std::int64_t here = std::min(in_row - first, left);
    part.column = static_cast<int>(first * longest_vvl);
    part.first = box.first + row * box.row_pitch + layer * box.layer_pitch + part.column;
    part.length = static_cast<int>(std::min(box.length - first * longest_vvl, here * longest_vvl));
    work(part);
    left -= here, first = 0;
    if (++row == box.rows) row = 0, ++layer;
  }
}

/// Calls by_chunks(sites) for the whole chunks of a part, which begin at multiples of `lanes`, and by_sites(sites) for
/// the sites before and after them.
template <class BySites, class ByChunks>
void in_chunks(Sites part, int lanes, const BySites& by_sites, const ByChunks& by_chunks) {
  const int end = part.first + part.length, begin = std::min(end, (part.first + lanes - 1) & -lanes),
            whole = std::max(begin, end & -lanes);
  const auto call = [&part](const auto& work, int up_to) {
    part.length = up_to - part.first;
    if (part.length > 0) work(part);
    part.first += part.length;
    part.column += part.length;
  };
  call(by_sites, begin);
  call(by_chunks, whole);
  call(by_sites, end);
}

/// The same of sums: chunks begin where the part does, and no more than 1024 of them are summed in one call.
template <class BySites, class ByChunks>
void sum_in_chunks(Sites part, int lanes, const BySites& by_sites, const ByChunks& by_chunks) {
  const int end = part.first + part.length, whole = part.first + (part.length & -lanes);
  for (; part.first < whole; part.first += part.length) {
    part.length = std::min(whole - part.first, lanes * 1024);
    by_chunks(part);
  }
  part.length = end - whole;
  if (part.length > 0) by_sites(part);
}

/// Of row number `row` of a box at most `most` sites from its number `first` on.
KERNEL_FN Sites part_of_row(const Sites& box, std::uint32_t row, int first, int most) {
  const auto rows = static_cast<std::uint32_t>(box.rows), layer = box.layers == 1 ? 0 : row / rows;
  Sites part = box;
  part.first +=
      first + static_cast<int>(row - layer * rows) * box.row_pitch + static_cast<int>(layer) * box.layer_pitch;
  part.length = box.length - first < most ? box.length - first : most;
  part.rows = part.layers = 1;
  part.row = static_cast<int>(row);
  part.column = first;
  return part;
}

}  // namespace boltzmark::target
