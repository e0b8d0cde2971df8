// scan-thrust: prefix sums in Thrust.
#include "thrust/values_and_sums.hpp"

#include <thrust/scan.h>

#include "common/scan/scanner.hpp"
#ifndef __CUDACC__
#include "common/scan/vectors.hpp"
#endif

namespace boltzmark::by_thrust {
namespace {
using namespace scan;

/// Textbook: thrust::inclusive_scan. With OpenMP it is one thread's.
template <class T>
class Textbook : public ValuesAndSums<Scanner, T> {
 public:
  using ValuesAndSums<Scanner, T>::ValuesAndSums;
  void init(std::int64_t elements) override { this->make_arrays(elements, elements); }
  void scan() override {
    thrust::inclusive_scan(on_system(), this->values_.begin(), this->values_.end(), this->sums_.begin());
  }
};

/// Tiles: the workers go along the array together, tile by tile, of which each has a part that its second-level cache
/// holds. An index scans its part of a tile and adds up that of the next one: one for_each a tile, and values come from
/// memory once. On a GPU the library does so.
///
///     for_each worker   scan my part of this tile, from `starts`;   sums[me] = sum of my part of the next tile
///     exclusive_scan    starts = sums before each worker's part
template <class T>
class Tiles : public Textbook<T> {
 public:
  using Textbook<T>::Textbook;

  void scan() override {
    if constexpr (is_gpu)
      Textbook<T>::scan();
    else
      scan_tiles(std::int64_t{256 << 10} / static_cast<std::int64_t>(sizeof(T)), std::max(1, this->threads_));
  }

 private:
  void scan_tiles(std::int64_t of_worker, std::int64_t workers) {
    const std::int64_t count = this->part(), tile = of_worker * workers;
    const T* const values = data_of(this->values_);
    T* const results = data_of(this->sums_);
    const auto part = [=](std::int64_t first, std::int64_t worker) {
      return Range{std::min(count, first + worker * of_worker), std::min(count, first + (worker + 1) * of_worker)};
    };
    std::vector<Line> sums(static_cast<std::size_t>(workers)), starts(sums);
    Line all{};
    for (std::int64_t first = -tile; first < count; first += tile) {
      const auto work = [&](std::int64_t me) {
        if (first >= 0) scan_range(values, results, part(first, me), starts[static_cast<std::size_t>(me)].sum);
        const Range next = part(first + tile, me);
        sums[static_cast<std::size_t>(me)].sum = sum_of(values + next.begin, next.size());
      };
      for_each_number(workers, work);
      thrust::exclusive_scan(thrust::seq, sums.begin(), sums.end(), starts.begin(), all);
      all = starts.back() + sums.back();
    }
  }

  struct alignas(64) Line {
    T sum = 0;
    friend Line operator+(Line a, Line b) { return {a.sum + b.sum}; }
  };
};

const Variant textbook = textbook_of<Scanner, Textbook>("thrust::inclusive_scan");
const Variant tiles = like_for_like_of<Scanner, Tiles>(
    "tiles", "tile by tile, which processors sum and then scan out of their caches; inclusive_scan on a GPU");

}  // namespace
}  // namespace boltzmark::by_thrust

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace by_thrust;
  return run_on_system(argc, argv, {textbook, tiles}, "tiles");
}
