// Textbook: the new temperatures to a work array, then back.
//
//     for all cells   work = 0.2 (centre + north + south + west + east)
//     for all cells   delta += |work - centre|;   centre = work
#include "common/heat/host_solver.hpp"

namespace boltzmark::serial {
using namespace heat;
namespace {

template <class T>
class Textbook : public HostSolver<T> {
 public:
  void advance(std::span<double> deltas) override {
    const std::int64_t height = this->plate_.height;
    for (double& delta : deltas) {
      for (std::int64_t y = 0; y < height; ++y) this->row_to_work(y);
      delta = 0.0;
      for (std::int64_t y = 0; y < height; ++y) this->row_to_plate(y, delta);
    }
  }

  RunFacts facts() const override { return this->facts_of_textbook(); }
};

}  // namespace

extern const heat::Variant textbook =
    textbook_of<Solver, Textbook>("two loops: to a work array, and back with the sum of changes");

}  // namespace boltzmark::serial
