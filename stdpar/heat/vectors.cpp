// Vectors: one reduction over parts of the rows, each updated in vectors; the two grids change places.
//
//     transform_reduce  rows   next = 0.2 (...);   sum of |next - centre|
#include <algorithm>
#include <execution>
#include <functional>
#include <numeric>

#include "common/heat/host_solver.hpp"
#include "common/run/vector_lengths.hpp"
#include "stdpar/on_cores.hpp"

namespace boltzmark::stdpar {
using namespace heat;
namespace {

template <class T, int lanes>
class Vectors : public OnCores<HostSolver<T>> {
 public:
  void init(const Plate& plate, int steps) override {
    HostSolver<T>::init(plate, steps);
    parts_ = std::min<std::int64_t>(plate.height, this->workers());
  }

  /// Vector instructions must not be interleaved with others: par, not par_unseq.
  void advance(std::span<double> deltas) override {
    for (double& delta : deltas) {
      delta = std::transform_reduce(
          std::execution::par, counting(0), counting(parts_), 0.0, std::plus<>(), [this](std::int64_t number) {
            const Range rows = part_of(this->plate_.height, number, parts_);
            return update_rows<T, lanes>(grids_, now_, rows.begin, rows.end, this->plate_.width, past_caches_);
          });
      now_ = 1 - now_;
    }
  }

  RunFacts facts() const override { return this->facts_of_vectors(lanes); }

 private:
  using HostSolver<T>::grids_, HostSolver<T>::now_, HostSolver<T>::past_caches_;

  std::int64_t parts_ = 1;
};

}  // namespace

extern const heat::Variant vectors =
    like_for_like_of<Solver, Vectors>("vectors", "one reduction over parts of the rows, updated in vectors");

}  // namespace boltzmark::stdpar
