// Textbook: an algorithm over rows for each of the two loops; the second is a reduction.
//
//     parallel_for      rows   work = 0.2 (centre + north + south + west + east)
//     parallel_reduce   rows   sum of |work - centre|;   centre = work
#include <cmath>

#include "common/heat/host_solver.hpp"
#include "tbb/on_arena.hpp"

namespace boltzmark::onetbb {
using namespace heat;
namespace {

template <class T>
class Textbook : public OnArena<HostSolver<T>> {
 public:
  using OnArena<HostSolver<T>>::OnArena;

  void advance(std::span<double> deltas) override {
    using Rows = tbb::blocked_range<std::int64_t>;
    const std::int64_t width = this->plate_.width, height = this->plate_.height;
    this->arena_.execute([&] {
      for (double& delta_of_step : deltas) {
        tbb::parallel_for(std::int64_t{0}, height, [&](std::int64_t y) {
          const T *const north = grids_.row(0, y - 1), *const row = grids_.row(0, y),
                         *const south = grids_.row(0, y + 1);
          T* const work = grids_.row(1, y);
          for (std::int64_t x = 0; x < width; ++x)
            work[x] = T(0.2) * (row[x] + north[x] + south[x] + row[x - 1] + row[x + 1]);
        });
        delta_of_step = tbb::parallel_reduce(
            Rows(0, height), 0.0,
            [&](const Rows& rows, double delta) {
              for (std::int64_t y = rows.begin(); y != rows.end(); ++y) {
                const T* const work = grids_.row(1, y);
                T* const row = grids_.row(0, y);
                for (std::int64_t x = 0; x < width; ++x) {
                  delta += std::abs(work[x] - row[x]);
                  row[x] = work[x];
                }
              }
              return delta;
            },
            std::plus<>());
      }
    });
  }

  /// The work array is written and read, the plate read twice and written.
  RunFacts facts() const override { return this->on_machine({.bytes_per_update = 5.0 * sizeof(T)}); }

 private:
  using HostSolver<T>::grids_;
};

}  // namespace

extern const heat::Variant textbook =
    textbook_of<Solver, Textbook>("a parallel_for over rows and a parallel_reduce, to a work array and back");

}  // namespace boltzmark::onetbb
