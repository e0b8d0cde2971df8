// Textbook: an algorithm over rows for each of the two loops; the second is a reduction.
//
//     for_each          row   work = 0.2 (centre + north + south + west + east)
//     transform_reduce  row   sum of |work - centre|;   centre = work
#include <algorithm>
#include <cmath>
#include <execution>
#include <functional>
#include <numeric>

#include "common/heat/host_solver.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {
using namespace heat;
namespace {

template <class T>
class Textbook : public OnCores<HostSolver<T>> {
 public:
  void advance(std::span<double> deltas) override {
    const counting first(0), end(this->plate_.height);
    for (double& delta : deltas) {
      std::for_each(std::execution::par_unseq, first, end, [this](std::int64_t y) { row_to_work(y); });
      delta = std::transform_reduce(std::execution::par_unseq, first, end, 0.0, std::plus<>(),
                                    [this](std::int64_t y) { return row_to_plate(y); });
    }
  }

  /// The work array is written and read, the plate read twice and written.
  RunFacts facts() const override { return this->on_machine({.bytes_per_update = 5.0 * sizeof(T)}); }

 private:
  using HostSolver<T>::grids_;

  void row_to_work(std::int64_t y) {
    const T *const north = grids_.row(0, y - 1), *const row = grids_.row(0, y), *const south = grids_.row(0, y + 1);
    T* const work = grids_.row(1, y);
    for (std::int64_t x = 0; x < this->plate_.width; ++x)
      work[x] = T(0.2) * (row[x] + north[x] + south[x] + row[x - 1] + row[x + 1]);
  }
  double row_to_plate(std::int64_t y) {
    const T* const work = grids_.row(1, y);
    T* const row = grids_.row(0, y);
    double delta = 0.0;
    for (std::int64_t x = 0; x < this->plate_.width; ++x) {
      delta += std::abs(work[x] - row[x]);
      row[x] = work[x];
    }
    return delta;
  }
};

}  // namespace

extern const heat::Variant textbook = textbook_of<Solver, Textbook>("two algorithms over rows, one a reduction");

}  // namespace boltzmark::stdpar
