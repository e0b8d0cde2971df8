// Swapped: one loop over threads; the work array is the plate of the next step.
//
//     for all cells   next = 0.2 (centre + north + south + west + east);   delta += |next - centre|
//     swap the arrays
#include <cmath>

#include "common/cpu/vector_lengths.hpp"
#include "openmp/heat/threaded_solver.hpp"
#include "openmp/heat/variants.hpp"

namespace boltzmark::openmp {
namespace {

template <class T>
class Swapped : public ThreadedSolver<T> {
 public:
  using ThreadedSolver<T>::ThreadedSolver;

  void advance(std::span<double> deltas) override {
    for (double& delta_of_step : deltas) {
      double delta = 0.0;
#pragma omp parallel for num_threads(team_.size()) reduction(+ : delta)
      for (std::int64_t y = 0; y < plate_.height; ++y) {
        const T *const north = grids_.row(now_, y - 1), *const row = grids_.row(now_, y),
                       *const south = grids_.row(now_, y + 1);
        T* const next = grids_.row(now_ + 1, y);
        for (std::int64_t x = 0; x < plate_.width; ++x) {
          next[x] = T(0.2) * (row[x] + north[x] + south[x] + row[x - 1] + row[x + 1]);
          delta += std::abs(next[x] - row[x]);
        }
      }
      delta_of_step = delta;
      now_ = 1 - now_;
    }
  }

  RunFacts facts() const override { return this->facts_with(2.0); }

 private:
  using HostSolver<T>::grids_;
  using HostSolver<T>::now_;
  using HostSolver<T>::plate_;
  using ThreadedSolver<T>::team_;
};

}  // namespace

std::unique_ptr<Solver> make_swapped(Precision precision, std::optional<int> threads) {
  return make_of_precision<Solver, Swapped>(precision, threads);
}

}  // namespace boltzmark::openmp
