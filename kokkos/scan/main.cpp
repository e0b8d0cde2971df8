// scan-kokkos: prefix sums in Kokkos. parallel_scan calls its body with the sum of all that is before an index: once,
// or first to add up parts and then again, as `is_final` says, with what goes before each part.
#include "kokkos/on_space.hpp"

#include "common/scan/host_scanner.hpp"
#include "common/scan/vectors.hpp"

namespace boltzmark::kokkos {
namespace {
using namespace scan;

/// Textbook: an index is an element.
template <class T>
struct Textbook : OnSpace<HostScanner<T>> {
  void init(std::int64_t elements) override {
    HostScanner<T>::init(elements);
    from_ = {this->values_.data(), elements};
    to_ = {this->sums_.data(), elements};
  }
  void spoil() override { HostScanner<T>::spoil(), to_.upload(); }
  void scan() override {
    const auto values = from_.there, sums = to_.there;
    Kokkos::parallel_scan(
        Numbers(0, this->part()), KOKKOS_LAMBDA(std::int64_t i, T & sum, bool is_final) {
          sum += values(i);
          if (is_final) sums(i) = sum;
        });
    Kokkos::fence();
  }
  void collect() override { to_.download(); }

  Mirrored<T*> from_, to_;
};

/// Tiles: the threads of a processor go along the array together, in vectors, tile by tile, of which each has a part
/// that its second-level cache holds: values come from memory once.
template <class T>
struct Tiles : OnSpace<HostScanner<T>> {
  static constexpr std::int64_t tile_bytes = 256 << 10;  ///< of a thread

  Passes passes() const override { return {.tile_bytes = double(tile_bytes) * threads()}; }
  void scan() override {
    const std::int64_t tile = threads() * tile_bytes / sizeof(T);
    T before = 0;
    for (std::int64_t first = 0; first < this->part(); first += tile) {
      const std::int64_t size = std::min(tile, this->part() - first);
      const T *const values = this->values_.data() + first, start = before;
      T* const sums = this->sums_.data() + first;
      Kokkos::parallel_scan(
          Threads(0, threads()),
          [=](std::int64_t me, T& sum, bool is_final) {
            const Range mine = part_of(size, me, threads());
            if (me == 0) sum += start;
            sum = is_final ? scan_range(values, sums, mine, sum) : sum + sum_of(values + mine.begin, mine.size());
          },
          before);
    }
  }
};

const Variant textbook = textbook_of<Scanner, Textbook>("a loop with parallel_scan");
ON_PROCESSORS(const Variant tiles = like_for_like_of<Scanner, Tiles>(
                  "tiles", "a parallel_scan for each tile, of which the threads have parts that their caches hold");)

}  // namespace
}  // namespace boltzmark::kokkos

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace kokkos;
  return run_on_space(argc, argv, scan::workload, {&textbook}, {ON_PROCESSORS(&tiles)});
}
