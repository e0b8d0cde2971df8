// Textbook: the new temperatures to a work array, then back.
//
//     for all cells   work = 0.2 (centre + north + south + west + east)
//     for all cells   delta += |work - centre|;   centre = work
#include <cmath>

#include "common/heat/host_solver.hpp"

namespace boltzmark::serial {
using namespace heat;
namespace {

template <class T>
class Textbook : public HostSolver<T> {
 public:
  void advance(std::span<double> deltas) override {
    const std::int64_t width = plate_.width, height = plate_.height;
    for (double& delta : deltas) {
      for (std::int64_t y = 0; y < height; ++y) {
        const T *const north = grids_.row(0, y - 1), *const row = grids_.row(0, y), *const south = grids_.row(0, y + 1);
        T* const work = grids_.row(1, y);
        for (std::int64_t x = 0; x < width; ++x)
          work[x] = T(0.2) * (row[x] + north[x] + south[x] + row[x - 1] + row[x + 1]);
      }
      delta = 0.0;
      for (std::int64_t y = 0; y < height; ++y) {
        const T* const work = grids_.row(1, y);
        T* const row = grids_.row(0, y);
        for (std::int64_t x = 0; x < width; ++x) {
          delta += std::abs(work[x] - row[x]);
          row[x] = work[x];
        }
      }
    }
  }

  /// The work array is written and read, the plate read twice and written.
  RunFacts facts() const override { return this->on_machine({.bytes_per_update = 5.0 * sizeof(T)}); }

 private:
  using HostSolver<T>::grids_, HostSolver<T>::plate_;
};

}  // namespace

extern const heat::Variant textbook =
    textbook_of<Solver, Textbook>("two loops: to a work array, and back with the sum of changes");

}  // namespace boltzmark::serial
