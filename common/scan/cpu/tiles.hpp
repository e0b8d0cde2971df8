// A prefix sum tile by tile, for models whose workers cannot wait for one another while they run: they move along the
// array together, and each has a part of a tile that fits in its second-level cache. One call for all workers scans a
// tile and sums the next one, so values are read from memory once.
//
//     for all tiles   for all workers   scan my part of this tile, from my start;   my sum = sum of my part of the next tile
//                     starts = sums before each worker's part
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "common/scan/cpu/vectors.hpp"

namespace boltzmark::scan {

inline constexpr std::int64_t tile_bytes = 256 << 10;  ///< of a worker

template <class T>
class TileByTile {
 public:
  TileByTile(const T* values, T* sums, std::int64_t elements, int workers)
      : values_(values), sums_(sums), elements_(elements), lines_(static_cast<std::size_t>(workers)) {}

  /// Worker `me`'s part of this tile.
  void work(std::int64_t me) {
    Line& line = lines_[static_cast<std::size_t>(me)];
    if (first_ >= 0) scan_range(values_, sums_, part(first_, me), line.start);
    const Range next = part(first_ + tile(), me);
    line.sum = sum_of(values_ + next.begin, next.size());
  }
  /// To be called after all workers: whether there is another tile. The first one, before the array, is empty.
  bool next() {
    for (Line& line : lines_) line.start = std::exchange(all_, all_ + line.sum);
    return (first_ += tile()) < elements_;
  }

 private:
  static constexpr std::int64_t of_worker = tile_bytes / sizeof(T);
  struct alignas(64) Line {
    T sum = 0, start = 0;  ///< of the next tile's part; of all before this one's
  };

  std::int64_t tile() const { return of_worker * static_cast<std::int64_t>(lines_.size()); }
  Range part(std::int64_t first, std::int64_t me) const {
    return {std::min(elements_, first + me * of_worker), std::min(elements_, first + (me + 1) * of_worker)};
  }

  const T* values_;
  T* sums_;
  std::int64_t elements_;
  std::vector<Line> lines_;
  std::int64_t first_ = -tile();
  T all_ = 0;
};

}  // namespace boltzmark::scan
