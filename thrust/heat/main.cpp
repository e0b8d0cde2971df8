// heat-thrust: the heat equation in Thrust.
#include "thrust/on_system.hpp"

#include "common/heat/host_solver.hpp"
#include "common/run/vector_lengths.hpp"

namespace boltzmark::by_thrust {
namespace {
using namespace heat;

/// Textbook: the two loops of a step, each over all cells, the second a transform_reduce.
///
///     work = 0.2 (centre + north + south + west + east)
///     delta += |work - centre|;   centre = work
template <class T>
struct Textbook : OnSystem<HostSolver<T>> {
  void init(const Plate& plate, int steps) override {
    HostSolver<T>::init(plate, steps);
    for (int i = 0; i < 2; ++i)
      grids_there_[i] = {this->grids_.row(i, -1) - 1, (plate.height + 2) * this->grids_.pitch};
  }
  void advance(std::span<double> deltas) override {
    const std::int64_t width = this->plate_.width, pitch = this->grids_.pitch;
    const Numbers first(0), last(width * this->plate_.height);
    T *const plate = grids_there_[0].data(), *const work = grids_there_[1].data();
    for (double& delta : deltas) {
      thrust::for_each(
          on_system(), first, last, KERNEL_LAMBDA(std::int64_t i) {
            const std::int64_t at = (i / width + 1) * pitch + i % width + 1;  // row 0 and column 0 are border
            work[at] = T(0.2) * (plate[at] + plate[at - pitch] + plate[at + pitch] + plate[at - 1] + plate[at + 1]);
          });
      const auto to_plate = KERNEL_LAMBDA(std::int64_t i)->double {
        const std::int64_t at = (i / width + 1) * pitch + i % width + 1;
        const T change = std::abs(work[at] - plate[at]);
        plate[at] = work[at];
        return static_cast<double>(change);
      };
      delta = thrust::transform_reduce(on_system(), first, last, to_plate, 0.0, thrust::plus<double>());
    }
  }
  void collect() override { grids_there_[0].download(); }
  RunFacts facts() const override { return this->facts_of_textbook(); }

  InSystem<T> grids_there_[2];
};

/// Rows: an index is four of them in a processor's vectors, and a step one algorithm; the grids change places.
template <class T, int lanes>
struct Rows : OnSystem<HostSolver<T>> {
  void advance(std::span<double> deltas) override {
    const auto [width, height] = std::pair(this->plate_.width, this->plate_.height);
    for (double& delta : deltas) {
      const auto update = [&](std::int64_t number) {
        return update_rows<T, lanes>(this->grids_, this->now_, 4 * number, std::min(height, 4 * number + 4), width,
                                     this->past_caches_);
      };
      delta = joined((height + 3) / 4, update, thrust::plus<double>());
      this->now_ = 1 - this->now_;
    }
  }
  RunFacts facts() const override { return this->facts_of_vectors(lanes); }
};

const Variant textbook =
    textbook_of<Solver, Textbook>("a for_each and a transform_reduce over all cells, to a work array and back");
ON_PROCESSORS(const Variant rows = like_for_like_of<Solver, Rows>(
                  "rows",
                  "one algorithm a step, over fours of rows in vectors of a processor; the grids change places");)

}  // namespace
}  // namespace boltzmark::by_thrust

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace by_thrust;
  return run_on_system(argc, argv, heat::workload, {&textbook ON_PROCESSORS(, &rows)});
}
