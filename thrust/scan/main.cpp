// scan-thrust: prefix sums in Thrust.
#include "thrust/on_system.hpp"

#include <thrust/scan.h>

#include "common/scan/host_scanner.hpp"
#include "common/scan/vectors.hpp"

namespace boltzmark::by_thrust {
namespace {
using namespace scan;

/// Textbook: thrust::inclusive_scan. With OpenMP it is one thread's.
template <class T>
struct Textbook : ArraysInSystem<T, HostScanner<T>> {
  void scan() override {
    thrust::inclusive_scan(on_system(), this->from_.begin(), this->from_.end(), this->to_.begin());
  }
};

/// Tiles: the workers go along the array together, tile by tile, of which each has a part that its second-level cache
/// holds. An index scans its part of a tile and adds up that of the next one: one for_each a tile, and values come from
/// memory once.
///
///     for_each worker   scan my part of this tile, from `starts`;   sums[me] = sum of my part of the next tile
///     exclusive_scan    starts = sums before each worker's part
template <class T>
struct Tiles : OnSystem<HostScanner<T>> {
  struct alignas(64) Line {
    T sum = 0;
    friend Line operator+(Line a, Line b) { return {a.sum + b.sum}; }
  };
  static constexpr std::int64_t tile_bytes = 256 << 10;  ///< of a worker

  Passes passes() const override { return {.tile_bytes = double(tile_bytes) * threads()}; }

  void scan() override {
    const std::int64_t count = this->part(), of_worker = tile_bytes / sizeof(T);
    const auto part = [=](std::int64_t first, std::int64_t worker) {
      return Range{std::min(count, first + worker * of_worker), std::min(count, first + (worker + 1) * of_worker)};
    };
    const T* const values = this->values_.data();
    std::vector<Line> sums(static_cast<std::size_t>(threads())), starts(sums);
    Line all;
    for (std::int64_t tile = of_worker * threads(), first = -tile; first < count; first += tile) {
      for_each_number(threads(), [&](std::int64_t me) {
        if (first >= 0) scan_range(values, this->sums_.data(), part(first, me), starts[me].sum);
        const Range next = part(first + tile, me);
        sums[me].sum = sum_of(values + next.begin, next.size());
      });
      thrust::exclusive_scan(thrust::seq, sums.begin(), sums.end(), starts.begin(), all);
      all = starts.back() + sums.back();
    }
  }
};

const Variant textbook = textbook_of<Scanner, Textbook>("thrust::inclusive_scan");
ON_PROCESSORS(const Variant tiles = like_for_like_of<Scanner, Tiles>(
                  "tiles", "tile by tile, which processors sum and then scan out of their caches");)

}  // namespace
}  // namespace boltzmark::by_thrust

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace by_thrust;
  return run_on_system(argc, argv, scan::workload, {&textbook ON_PROCESSORS(, &tiles)});
}
