// Fused: one region per step, from one grid to another.
#include "openmp_target/lbm/allocated_grids.hpp"
#include "openmp_target/lbm/cell_range.hpp"

namespace boltzmark::openmp_target {
namespace {

template <class T, class L>
class TwoGrids : public AllocatedGrids<T, L> {
 public:
  explicit TwoGrids(const GridSetup<T, L>& setup) : AllocatedGrids<T, L>(setup, 2, 2048) {}

 private:
  using Base = AllocatedGrids<T, L>;

  bool advance(int first, int end, bool last) override {
    for (int step = first; step < end; ++step)
      this->with_setup([&](auto... scalars) {
        do_step(this->grid(step % 2), this->grid((step + 1) % 2), last && step == end - 1,
                this->sums_.parts(step - first), scalars...);
      });
    return true;
  }
  template <class... Scalars>
  void do_step(const T* from, T* to, bool last, double* sums, Scalars... scalars);
};

template <class T, class L>
template <class... Scalars>
void TwoGrids<T, L>::do_step(const T* from, T* to, bool last, double* sums, Scalars... scalars) {
  const int device = Base::launch_.device, teams = Base::launch_.teams, threads = Base::launch_.threads;
  const std::uint32_t* const solid = Base::solid_.data();
  LaunchRecord* const record = Base::record_.data();
  const int driven_row = last ? -1 : Base::layout_.driven_row;
#pragma omp target teams is_device_ptr(solid, from, to, sums, record) device(device) num_teams(teams) \
    thread_limit(threads)
#pragma omp parallel num_threads(threads)
  {
    record_launch(record, teams, threads);
    const auto [l, c, walls] = setup_of<T, L>(scalars...);
    SpeedSum<T> speeds = 0;
    for (CellRange cells(l.nx, row_count<L>(l), threads); cells.inside(); cells.next_row())
      speeds += update_two_grid<ImageLanes<T>::value>(l, c, solid, from, to, cells.row, cells.begin(),
                                                      cells.end(), driven_row, Directions<L>{});
    add_wall_gains(walls, 0, to);
    store_group_sum(speeds, sums);
  }
  ++Base::regions_;
}

}  // namespace

template <class T, class L>
std::unique_ptr<DeviceGrids<T>> make_two_grids(const GridSetup<T, L>& setup) {
  return whole(std::make_unique<TwoGrids<T, L>>(setup));
}
template std::unique_ptr<DeviceGrids<float>> make_two_grids(const GridSetup<float, lbm::D2Q9>&);
template std::unique_ptr<DeviceGrids<float>> make_two_grids(const GridSetup<float, lbm::D3Q19>&);
template std::unique_ptr<DeviceGrids<double>> make_two_grids(const GridSetup<double, lbm::D2Q9>&);
template std::unique_ptr<DeviceGrids<double>> make_two_grids(const GridSetup<double, lbm::D3Q19>&);

}  // namespace boltzmark::openmp_target
