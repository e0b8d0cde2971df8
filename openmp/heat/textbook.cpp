// Textbook: the published form for processors, two loops over threads, the second with a reduction.
//
//     for all cells   work = 0.2 (centre + north + south + west + east)
//     for all cells   delta += |work - centre|;   centre = work
#include <cmath>

#include "common/cpu/vector_lengths.hpp"
#include "openmp/heat/threaded_solver.hpp"
#include "openmp/heat/variants.hpp"

namespace boltzmark::openmp {
namespace {

template <class T>
class Textbook : public ThreadedSolver<T> {
 public:
  using ThreadedSolver<T>::ThreadedSolver;

  void advance(std::span<double> deltas) override {
    const std::int64_t width = plate_.width, height = plate_.height;
    for (double& delta_of_step : deltas) {
#pragma omp parallel for num_threads(team_.size())
      for (std::int64_t y = 0; y < height; ++y) {
        const T *const north = grids_.row(0, y - 1), *const row = grids_.row(0, y),
                       *const south = grids_.row(0, y + 1);
        T* const work = grids_.row(1, y);
        for (std::int64_t x = 0; x < width; ++x)
          work[x] = T(0.2) * (row[x] + north[x] + south[x] + row[x - 1] + row[x + 1]);
      }
      double delta = 0.0;
#pragma omp parallel for num_threads(team_.size()) reduction(+ : delta)
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
  RunFacts facts() const override { return this->facts_with(5.0); }

 private:
  using HostSolver<T>::grids_;
  using HostSolver<T>::plate_;
  using ThreadedSolver<T>::team_;
};

}  // namespace

std::unique_ptr<Solver> make_textbook(Precision precision, std::optional<int> threads) {
  return make_of_precision<Solver, Textbook>(precision, threads);
}

}  // namespace boltzmark::openmp
