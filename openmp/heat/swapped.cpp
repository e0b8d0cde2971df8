// Swapped: one loop over threads; the work array is the plate of the next step.
//
//     for all cells   next = 0.2 (centre + north + south + west + east);   delta += |next - centre|
//     swap the arrays
#include "common/heat/host_solver.hpp"
#include "openmp/threads.hpp"

namespace boltzmark::openmp {
using namespace heat;
namespace {

template <class T>
class Swapped : public OnThreads<HostSolver<T>> {
 public:
  using OnThreads<HostSolver<T>>::OnThreads;

  void advance(std::span<double> deltas) override {
    for (double& delta_of_step : deltas) {
      double delta = 0.0;
#pragma omp parallel for num_threads(threads_) reduction(+ : delta)
      for (std::int64_t y = 0; y < plate_.height; ++y) this->row_to_other(y, delta);
      delta_of_step = delta;
      now_ = 1 - now_;
    }
  }

  RunFacts facts() const override {
    return this->on_machine({.bytes_per_update = 2.0 * sizeof(T), .fetched_per_update = sizeof(T)});
  }

 private:
  using HostSolver<T>::now_, HostSolver<T>::plate_, OnThreads<HostSolver<T>>::threads_;
};

}  // namespace

extern const heat::Variant swapped = {.name = "swapped",
                                      .summary = "one loop over threads, and the two arrays exchanged",
                                      .make = made_of<Solver, Swapped>};

}  // namespace boltzmark::openmp
