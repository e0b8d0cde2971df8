// Textbook: the published form for processors, two loops over threads, the second with a reduction.
//
//     for all cells   work = 0.2 (centre + north + south + west + east)
//     for all cells   delta += |work - centre|;   centre = work
#include <cmath>

#include "common/heat/host_solver.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
using namespace heat;
namespace {

template <class T>
class Textbook : public OnThreads<HostSolver<T>> {
 public:
  using OnThreads<HostSolver<T>>::OnThreads;

  void advance(std::span<double> deltas) override {
    const std::int64_t width = plate_.width, height = plate_.height;
    for (double& delta_of_step : deltas) {
#pragma omp parallel for num_threads(threads_)
      for (std::int64_t y = 0; y < height; ++y) {
        const T *const north = grids_.row(0, y - 1), *const row = grids_.row(0, y), *const south = grids_.row(0, y + 1);
        T* const work = grids_.row(1, y);
        for (std::int64_t x = 0; x < width; ++x)
          work[x] = T(0.2) * (row[x] + north[x] + south[x] + row[x - 1] + row[x + 1]);
      }
      double delta = 0.0;
#pragma omp parallel for num_threads(threads_) reduction(+ : delta)
      for (std::int64_t y = 0; y < height; ++y) {
        const T* const work = grids_.row(1, y);
        T* const row = grids_.row(0, y);
        for (std::int64_t x = 0; x < width; ++x) {
          delta += std::abs(work[x] - row[x]);
          row[x] = work[x];
        }
      }
      delta_of_step = delta;
    }
  }

  /// The work array is written and read, the plate read twice and written.
  RunFacts facts() const override { return this->on_machine({.bytes_per_update = 5.0 * sizeof(T)}); }

 private:
  using HostSolver<T>::grids_, HostSolver<T>::plate_, OnThreads<HostSolver<T>>::threads_;
};

}  // namespace

extern const heat::Variant textbook =
    textbook_of<Solver, Textbook>("published form: two loops over threads, to a work array and back");

}  // namespace boltzmark::openmp
