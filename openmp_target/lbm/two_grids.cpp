// Fused: one region per step, from one grid to another.
#include "openmp_target/lbm/allocated_grids.hpp"
#include "openmp_target/lbm/cell_range.hpp"

namespace boltzmark::openmp_target {
namespace {

template <class T>
class TwoGrids : public AllocatedGrids<T> {
 public:
  explicit TwoGrids(const GridSetup<T>& setup) : AllocatedGrids<T>(setup, 2, 2048) {}

 private:
  using Base = AllocatedGrids<T>;

  bool advance(int first, int end, bool last) override {
    for (int step = first; step < end; ++step)
      do_step(this->grid(step % 2), this->grid((step + 1) % 2), last && step == end - 1,
              this->sums_.parts(step - first));
    return true;
  }
  void do_step(const T* from, T* to, bool last, double* sums);
};

template <class T>
void TwoGrids<T>::do_step(const T* from, T* to, bool last, double* sums) {
  const int device = Base::launch_.device, teams = Base::launch_.teams, threads = Base::launch_.threads;
  const std::uint32_t* const solid = Base::solid_.data();
  LaunchRecord* const record = Base::record_.data();
  // Scalars travel with the launch. Structures would be copied to the device at every step, and what lies in
  // memory there is read by every thread anew.
  const Layout& l = Base::layout_;
  const int nx = l.nx, ny = l.ny, words = l.words, pitch = l.pitch;
  const int driven_row = last ? -1 : l.driven_row;
  const Relaxation<T>& c = Base::relaxation_;
  const T density0 = c.density0, keep = c.keep, half_omega = c.half_omega,
          minus_three_over_omega = c.minus_three_over_omega, speed_unit = c.speed_unit, w_rest = c.w_rest,
          w_axis = c.w_axis, w_diagonal = c.w_diagonal, odd_axis = c.odd_axis, odd_diagonal = c.odd_diagonal,
          accel_axis = c.accel_axis, accel_diagonal = c.accel_diagonal, threshold_axis = c.threshold_axis,
          threshold_diagonal = c.threshold_diagonal;
#pragma omp target teams is_device_ptr(solid, from, to, sums, record) device(device) num_teams(teams) \
    thread_limit(threads)
#pragma omp parallel num_threads(threads)
  {
    record_launch(record, teams, threads);
    const Layout layout = layout_of(nx, ny, words, pitch);
    const Relaxation<T> relaxation = {density0,       keep,
                                      half_omega,     minus_three_over_omega,
                                      speed_unit,     w_rest,
                                      w_axis,         w_diagonal,
                                      odd_axis,       odd_diagonal,
                                      accel_axis,     accel_diagonal,
                                      threshold_axis, threshold_diagonal};
    SpeedSum<T> speeds = 0;
    for (CellRange at(nx, ny, threads); at.inside(); at.next_row())
      speeds += update_two_grid<ImageLanes<T>::value>(layout, relaxation, solid, from, to, at.y, at.begin(),
                                                      at.end(), at.y == driven_row, Directions{});
    store_group_sum(speeds, sums);
  }
  ++Base::regions_;
}

}  // namespace

template <class T>
std::unique_ptr<DeviceGrids<T>> make_two_grids(const GridSetup<T>& setup) {
  return whole(std::make_unique<TwoGrids<T>>(setup));
}
template std::unique_ptr<DeviceGrids<float>> make_two_grids(const GridSetup<float>&);
template std::unique_ptr<DeviceGrids<double>> make_two_grids(const GridSetup<double>&);

}  // namespace boltzmark::openmp_target
