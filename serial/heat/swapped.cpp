// Swapped: the work array is the plate of the next step, and nothing is copied back.
//
//     for all cells   next = 0.2 (centre + north + south + west + east);   delta += |next - centre|
//     swap the arrays
//
// Compilers make no vectors of it: they may not change the order in which delta is added up.
#include "common/heat/host_solver.hpp"

namespace boltzmark::serial {
using namespace heat;
namespace {

template <class T>
class Swapped : public HostSolver<T> {
 public:
  void advance(std::span<double> deltas) override {
    for (double& delta : deltas) {
      delta = 0.0;
      for (std::int64_t y = 0; y < plate_.height; ++y) this->row_to_other(y, delta);
      now_ = 1 - now_;
    }
  }

  RunFacts facts() const override {
    return this->on_machine({.bytes_per_update = 2.0 * sizeof(T), .fetched_per_update = sizeof(T)});
  }

 private:
  using HostSolver<T>::now_, HostSolver<T>::plate_;
};

}  // namespace

extern const heat::Variant swapped = {
    .name = "swapped", .summary = "one loop, and the two arrays exchanged", .make = made_of<Solver, Swapped>};

}  // namespace boltzmark::serial
