// Vectors: swapped, a vector of cells at a time, with a sum of changes in each lane. Where the grids do not fit the
// caches, what is written goes past them: else a processor reads each line before it writes it.
//
//     for all rows   for all vectors of cells   next = 0.2 (...);   changes += |next - centre|
#include "common/heat/host_solver.hpp"
#include "common/run/vector_lengths.hpp"

namespace boltzmark::serial {
using namespace heat;
namespace {

template <class T, int lanes>
class Vectors : public HostSolver<T> {
 public:
  void advance(std::span<double> deltas) override {
    for (double& delta : deltas) {
      delta = update_rows<T, lanes>(grids_, now_, 0, plate_.height, plate_.width, past_caches_);
      now_ = 1 - now_;
    }
  }

  RunFacts facts() const override { return this->facts_of_vectors(lanes); }

 private:
  using HostSolver<T>::grids_, HostSolver<T>::now_, HostSolver<T>::past_caches_, HostSolver<T>::plate_;
};

}  // namespace

extern const heat::Variant vectors =
    like_for_like_of<Solver, Vectors>("vectors", "the same in vectors, past the caches where they are too small");

}  // namespace boltzmark::serial
