// heat-openmp-target: the heat equation in target regions.
#include "openmp_target/heat/device_grids.hpp"

namespace boltzmark::openmp_target {
extern const heat::Variant textbook, strip, time_block, split_tiling;  // each in the file of its name
namespace {

// Swapped: one loop, and the two grids are swapped.
//
//     for all cells   next = 0.2 (centre + north + south + west + east);   delta += |next - centre|
template <class T>
class Swapped : public DeviceGrids<T> {
 public:
  using DeviceGrids<T>::DeviceGrids;

  void advance(std::span<double> deltas) override {
    for (double& delta : deltas) {
      delta = step();
      this->now_ = 1 - this->now_;
      ++this->regions_;
    }
  }

  RunFacts facts() const override { return this->facts_with(2.0 * sizeof(T), sizeof(T)); }

 private:
  double step() {
    const std::int64_t height = this->plate_.height, width = this->plate_.width, pitch = this->pitch_;
    const int device = this->launch_.device, teams = this->launch_.teams, threads = this->launch_.threads;
    const T* const from = this->grids_[this->now_].data();
    T* const to = this->grids_[1 - this->now_].data();
    LaunchRecord* const record = this->record_.data();
    double delta = 0.0;
#pragma omp target teams distribute parallel for collapse(2) is_device_ptr(from, to, record) device(device) \
    num_teams(teams) thread_limit(threads) num_threads(threads) map(tofrom : delta) reduction(+ : delta)
    for (std::int64_t y = 1; y <= height; ++y)
      for (std::int64_t x = 1; x <= width; ++x) {
        const T* const at = from + y * pitch + x;
        const T next = T(0.2) * (at[0] + at[-pitch] + at[pitch] + at[-1] + at[1]), change = next - at[0];
        to[y * pitch + x] = next;
        delta += static_cast<double>(change < 0 ? -change : change);
        if (y == 1 && x == 1) record_launch(record, teams, threads);
      }
    return delta;
  }
};

const Variant swapped = {
    .name = "swapped", .summary = "one loop, and the two grids are swapped", .make = made_of<Solver, Swapped>};

}  // namespace
}  // namespace boltzmark::openmp_target

int main(int argc, char** argv) {
  using namespace boltzmark;
  using namespace openmp_target;
  return run_on_device(argc, argv, heat::workload, {&textbook, &swapped, &strip, &time_block, &split_tiling},
                       usual_by_device("time-block", "split-tiling"));
}
