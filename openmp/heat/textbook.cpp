// Textbook: the published form for processors, two loops over threads, the second with a reduction.
//
//     for all cells   work = 0.2 (centre + north + south + west + east)
//     for all cells   delta += |work - centre|;   centre = work
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
    const std::int64_t height = this->plate_.height;
    for (double& delta_of_step : deltas) {
#pragma omp parallel for num_threads(this->threads_)
      for (std::int64_t y = 0; y < height; ++y) this->row_to_work(y);
      double delta = 0.0;
#pragma omp parallel for num_threads(this->threads_) reduction(+ : delta)
      for (std::int64_t y = 0; y < height; ++y) this->row_to_plate(y, delta);
      delta_of_step = delta;
    }
  }

  RunFacts facts() const override { return this->facts_of_textbook(); }
};

}  // namespace

extern const heat::Variant textbook =
    textbook_of<Solver, Textbook>("published form: two loops over threads, to a work array and back");

}  // namespace boltzmark::openmp
