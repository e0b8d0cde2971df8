// heat-sycl: the heat equation in SYCL.
#include "sycl/on_queue.hpp"

#include "common/heat/host_solver.hpp"

namespace boltzmark::by_sycl {
namespace {
using namespace heat;

template <class T>
struct OnDevice : OnQueue<HostSolver<T>> {
  void init(const Plate& plate, int steps) override {
    HostSolver<T>::init(plate, steps);
    const std::int64_t values = (plate.height + 2) * this->grids_.pitch;
    for (int i = 0; i < 2; ++i) grids_there_[i] = {this->grids_.row(i, -1) - 1, values};
  }
  void collect() override { grids_there_[this->now_].download(); }
  /// Column 0 of row 0.
  T* cells(int grid) const { return grids_there_[grid & 1].data() + this->grids_.pitch + 1; }

  InUsm<T> grids_there_[2];
  StepSums sums_;
};

/// Textbook: the two loops of a step, each over rows and columns, the second with a sum.
///
///     work = 0.2 (centre + north + south + west + east)
///     delta += |work - centre|;   centre = work
template <class T>
struct Textbook : OnDevice<T> {
  void advance(std::span<double> deltas) override {
    const ::sycl::range<2> all(static_cast<std::size_t>(this->plate_.height),
                               static_cast<std::size_t>(this->plate_.width));
    const auto pitch = static_cast<std::size_t>(this->grids_.pitch);
    T *const plate = this->cells(0), *const work = this->cells(1);
    const Usm<double> sums(static_cast<std::int64_t>(deltas.size()));
    queue().fill(sums.data(), 0.0, deltas.size());
    for (std::size_t step = 0; step < deltas.size(); ++step) {
      queue().parallel_for(all, [=](::sycl::id<2> cell) {
        T* const at = plate + cell[0] * pitch + cell[1];
        work[cell[0] * pitch + cell[1]] = T(0.2) * (at[0] + at[-std::ptrdiff_t(pitch)] + at[pitch] + at[-1] + at[1]);
      });
      queue().parallel_for(all, ::sycl::reduction(sums.data() + step, ::sycl::plus<double>()),
                           [=](::sycl::id<2> cell, auto& delta) {
                             const std::size_t at = cell[0] * pitch + cell[1];
                             delta += static_cast<double>(std::abs(work[at] - plate[at]));
                             plate[at] = work[at];
                           });
    }
    sums.read(deltas.data());
  }
  RunFacts facts() const override { return this->facts_of_textbook(); }
};

/// Swapped: the two grids change places. A unit of a processor has rows in vectors (common/heat/cpu/sweep.hpp), an item
/// of a GPU some cells below each other, of which it reads each once.
template <class T>
struct Swapped : OnDevice<T> {
  void advance(std::span<double> deltas) override {
    enum : int { below = 8 };
    const std::ptrdiff_t height = this->plate_.height, width = this->plate_.width, pitch = this->grids_.pitch;
    // A unit's rows four at a time, as they are updated together.
    constexpr int lanes = native_lanes<T>, at_once = 4;
    sums_.run(deltas, [&](int, double* sums) {
      const T* const from = this->cells(this->now_);
      T* const to = this->cells(++this->now_);
      const bool past_caches = this->past_caches_;
      const auto of_rows = [=](std::int64_t rows) {
        const std::int64_t first = rows * at_once, end = std::min(first + at_once, height);
        using Rows = RowKernels<T, lanes>;
        if (end - first == at_once)
          return past_caches
                     ? Rows::template update<at_once, true>(from + first * pitch, to + first * pitch, pitch, width)
                     : Rows::template update<at_once>(from + first * pitch, to + first * pitch, pitch, width);
        double sum = 0.0;
        for (std::int64_t y = first; y < end; ++y)
          sum += Rows::template update<1>(from + y * pitch, to + y * pitch, pitch, width);
        return sum;
      };
      StepSums::add(sums, (height + at_once - 1) / at_once, of_rows, (height + below - 1) / below * width,
                    [=](std::int64_t number) {
                      const auto strip = static_cast<std::uint32_t>(number) / static_cast<std::uint32_t>(width);
                      const std::int64_t y = std::int64_t{strip} * below;
                      const T* at = from + y * pitch + (number - strip * width);
                      T* next = to + (at - from);
                      const int rows = height - y < below ? static_cast<int>(height - y) : int{below};
                      T north = at[-pitch], centre = at[0], delta = 0;
                      for (int row = 0; row < rows; ++row, at += pitch, next += pitch) {
                        const T south = at[pitch], later = T(0.2) * (centre + north + south + at[-1] + at[1]);
                        *next = later;
                        delta += std::abs(later - centre);
                        north = centre, centre = south;
                      }
                      return delta;
                    });
    });
    this->now_ %= 2;
  }
  RunFacts facts() const override { return this->facts_of_vectors(is_cpu() ? native_lanes<T> : 1); }

  using OnDevice<T>::sums_;
};

const Variant textbook = textbook_of<Solver, Textbook>(
    "a parallel_for and one with a reduction over rows and columns, to a work array and back");
const Variant swapped = like_for_like_of<Solver, Swapped>("swapped", "one loop, and the two grids change places");

}  // namespace
}  // namespace boltzmark::by_sycl

int main(int argc, char** argv) {
  using namespace boltzmark::by_sycl;
  return run_on_queue(argc, argv, std::vector{textbook, swapped});
}
