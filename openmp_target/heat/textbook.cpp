// Textbook: the two loops of a step, each distributed over teams and their threads, the second with a reduction.
//
//     for all cells   work = 0.2 (centre + north + south + west + east)
//     for all cells   delta += |work - centre|;   centre = work
#include "openmp_target/heat/device_grids.hpp"

namespace boltzmark::openmp_target {
namespace {

template <class T>
class Textbook : public DeviceGrids<T> {
 public:
  using DeviceGrids<T>::DeviceGrids;

  void advance(std::span<double> deltas) override {
    for (double& delta : deltas) {
      to_work();
      delta = to_plate();
      this->regions_ += 2;
    }
  }

  /// Traffic: the work array is written and read, the plate read twice and written.
  RunFacts facts() const override { return this->facts_with(5.0 * sizeof(T), sizeof(T)); }

 private:
  void to_work() {
    const std::int64_t height = this->plate_.height, width = this->plate_.width, pitch = this->pitch_;
    const int device = this->launch_.device, teams = this->launch_.teams, threads = this->launch_.threads;
    const T* const plate = this->grids_[0].data();
    T* const work = this->grids_[1].data();
    LaunchRecord* const record = this->record_.data();
#pragma omp target teams distribute parallel for collapse(2) is_device_ptr(plate, work, record) device(device) \
    num_teams(teams) thread_limit(threads) num_threads(threads)
    for (std::int64_t y = 1; y <= height; ++y)
      for (std::int64_t x = 1; x <= width; ++x) {
        const T* const at = plate + y * pitch + x;
        work[y * pitch + x] = T(0.2) * (at[0] + at[-pitch] + at[pitch] + at[-1] + at[1]);
        if (y == 1 && x == 1) record_launch(record, teams, threads);
      }
  }

  double to_plate() {
    const std::int64_t height = this->plate_.height, width = this->plate_.width, pitch = this->pitch_;
    const int device = this->launch_.device, teams = this->launch_.teams, threads = this->launch_.threads;
    T* const plate = this->grids_[0].data();
    const T* const work = this->grids_[1].data();
    LaunchRecord* const record = this->record_.data();
    double delta = 0.0;
#pragma omp target teams distribute parallel for collapse(2) is_device_ptr(plate, work, record) device(device) \
    num_teams(teams) thread_limit(threads) num_threads(threads) map(tofrom : delta) reduction(+ : delta)
    for (std::int64_t y = 1; y <= height; ++y)
      for (std::int64_t x = 1; x <= width; ++x) {
        const T change = work[y * pitch + x] - plate[y * pitch + x];
        plate[y * pitch + x] = work[y * pitch + x];
        delta += static_cast<double>(change < 0 ? -change : change);
        if (y == 1 && x == 1) record_launch(record, teams, threads);
      }
    return delta;
  }
};

}  // namespace

extern const Variant textbook =
    textbook_of<Solver, Textbook>("two loops over teams and threads, to a work array and back");

}  // namespace boltzmark::openmp_target
