// heat-sycl: the heat equation in SYCL.
#include "sycl/on_queue.hpp"

#include "common/heat/grid_solver.hpp"

namespace boltzmark::by_sycl {
namespace {
using namespace heat;

template <class T>
struct OnDevice {
  void init(PlateGrids<T>& at, int, const Workers&) {
    for (int i = 0; i < 2; ++i) grids[i] = {at.grids.row(i, -1) - 1, (at.plate.height + 2) * at.grids.pitch};
  }
  void collect(PlateGrids<T>& at) { grids[at.now].download(); }
  /// Column 0 of row 0.
  T* cells(const PlateGrids<T>& at, int grid) const { return grids[grid & 1].data() + at.grids.pitch + 1; }

  InUsm<T> grids[2];
};

/// Textbook: the two loops of a step, each over rows and columns, the second with a sum.
///
///     work = 0.2 (centre + north + south + west + east)
///     delta += |work - centre|;   centre = work
template <class T>
struct Textbook : OnDevice<T> {
  void advance(PlateGrids<T>& at, std::span<double> deltas, const Workers&) {
    const ::sycl::range<2> all(static_cast<std::size_t>(at.plate.height), static_cast<std::size_t>(at.plate.width));
    const auto pitch = static_cast<std::size_t>(at.grids.pitch);
    T *const plate = this->cells(at, 0), *const work = this->cells(at, 1);
    double* const sums = partial_results<double>(static_cast<std::int64_t>(deltas.size()));
    queue().fill(sums, 0.0, deltas.size());
    for (std::size_t step = 0; step < deltas.size(); ++step) {
      queue().parallel_for(all, [=](::sycl::id<2> cell) {
        const T* const c = plate + cell[0] * pitch + cell[1];
        work[cell[0] * pitch + cell[1]] = T(0.2) * (c[0] + c[-std::ptrdiff_t(pitch)] + c[pitch] + c[-1] + c[1]);
      });
      queue().parallel_for(all, ::sycl::reduction(sums + step, ::sycl::plus<double>()),
                           [=](::sycl::id<2> cell, auto& delta) {
                             const std::size_t c = cell[0] * pitch + cell[1];
                             delta += static_cast<double>(std::abs(work[c] - plate[c]));
                             plate[c] = work[c];
                           });
    }
    copy_bytes(deltas.data(), sums, deltas.size_bytes());
  }
  static RunFacts facts(const PlateGrids<T>&) { return facts_of_textbook<T>(); }
};

/// Swapped: the two grids change places. A unit of a processor has rows in vectors (common/heat/cpu/plate_grids.hpp),
/// an item of a GPU some cells below each other, of which it reads each once.
template <class T>
struct Swapped : OnDevice<T> {
  void advance(PlateGrids<T>& at, std::span<double> deltas, const Workers&) {
    enum : int { below = 8 };
    const std::ptrdiff_t height = at.plate.height, width = at.plate.width, pitch = at.grids.pitch;
    run_steps(deltas, [&, past_caches = at.past_caches](int, double* sums) {
      const T* const from = this->cells(at, at.now);
      T* const to = this->cells(at, ++at.now);
      if (is_cpu())
        return each_unit([=](std::int64_t me, std::int64_t all) {
          const Range rows = part_of(height, me, all);
          sums[me] = update_rows<T, native_lanes<T>>(from, to, pitch, rows.begin, rows.end, width, past_caches);
        });
      add_up(sums, (height + below - 1) / below * width, [=](std::int64_t number) {
        const auto strip = static_cast<std::uint32_t>(number) / static_cast<std::uint32_t>(width);
        const std::int64_t y = std::int64_t{strip} * below;
        const T* const c = from + y * pitch + (number - strip * width);
        T* const next = to + (c - from);
        // All that it reads is on its way before the first is needed; rows behind the last are that one's south again.
        const auto rows = static_cast<int>(std::min<std::int64_t>(height - y, below));
        T centre[below + 2], sides[below], delta = 0;
#pragma unroll
        for (int row = -1; row <= below; ++row) centre[row + 1] = c[std::min(row, rows) * pitch];
#pragma unroll
        for (int row = 0; row < below; ++row)
          sides[row] = c[std::min(row, rows) * pitch - 1] + c[std::min(row, rows) * pitch + 1];
#pragma unroll
        for (int row = 0; row < below; ++row)
          if (row < rows) {
            const T later = T(0.2) * (centre[row + 1] + centre[row] + centre[row + 2] + sides[row]);
            next[row * pitch] = later;
            delta += std::abs(later - centre[row + 1]);
          }
        return delta;
      });
    });
    at.now %= 2;
  }
  static RunFacts facts(const PlateGrids<T>& at) { return facts_of_vectors(at, is_cpu() ? native_lanes<T> : 1); }
};

const Variant textbook =
    textbook_of("two parallel_for over rows and columns, to a work array and back, one with a reduction",
                by<Textbook>(start_workers));
const Variant swapped =
    like_for_like_of("swapped", "one loop, and the two grids are swapped", by<Swapped>(start_workers));

}  // namespace
}  // namespace boltzmark::by_sycl

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace by_sycl;
  return run_on_queue(argc, argv, heat::workload, {&textbook, &swapped});
}
