// Vectors: swapped, a vector of cells at a time, with a sum of changes in each lane. Where the grids do not fit the caches,
// what is written goes past them: else a processor reads each line before it writes it.
//
//     for all rows   for all vectors of cells   next = 0.2 (...);   changes += |next - centre|
#include "common/cpu/vector_lengths.hpp"
#include "common/heat/cpu/sweep.hpp"
#include "common/heat/host_solver.hpp"
#include "common/run/provenance.hpp"
#include "serial/heat/variants.hpp"

namespace boltzmark::serial {
using namespace heat;
namespace {

template <class T, int lanes>
class Vectors : public HostSolver<T> {
 public:
  void init(const Plate& plate, int steps) override {
    HostSolver<T>::init(plate, steps);
    past_caches_ = is_beyond_caches(plate, sizeof(T));
  }

  void advance(std::span<double> deltas) override {
    for (double& delta : deltas) {
      delta = update_rows<T, lanes>(grids_, now_, 0, plate_.height, plate_.width, past_caches_);
      now_ = 1 - now_;
    }
  }

  RunFacts facts() const override {
    return {.device = cpu_name(),
            .bytes_per_update = 2.0 * sizeof(T),
            .write_allocate = !past_caches_,
            .settings = {{"vector_lanes", lanes}}};
  }

 private:
  using HostSolver<T>::grids_;
  using HostSolver<T>::now_;
  using HostSolver<T>::plate_;

  bool past_caches_ = false;
};

}  // namespace

std::unique_ptr<Solver> make_vectors(Precision precision, std::optional<int> lanes) {
  return make_of_length<Solver, Vectors>(precision, lanes);
}

}  // namespace boltzmark::serial
