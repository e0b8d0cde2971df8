// Textbook: an algorithm over rows for each of the two loops; the second is a reduction.
//
//     for_each          row   work = 0.2 (centre + north + south + west + east)
//     transform_reduce  row   sum of |work - centre|;   centre = work
#include <algorithm>
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
      std::for_each(std::execution::par_unseq, first, end, [this](std::int64_t y) { this->row_to_work(y); });
      delta = std::transform_reduce(std::execution::par_unseq, first, end, 0.0, std::plus<>(), [this](std::int64_t y) {
        double delta_of_row = 0.0;
        this->row_to_plate(y, delta_of_row);
        return delta_of_row;
      });
    }
  }

  RunFacts facts() const override { return this->facts_of_textbook(); }
};

}  // namespace

extern const heat::Variant textbook = textbook_of<Solver, Textbook>("two algorithms over rows, one a reduction");

}  // namespace boltzmark::stdpar
