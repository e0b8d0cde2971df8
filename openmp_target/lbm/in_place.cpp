// In place: one grid, one region per step.
#include "openmp_target/lbm/allocated_grids.hpp"
#include "openmp_target/lbm/cell_range.hpp"

namespace boltzmark::openmp_target {
namespace {

template <class T, class L>
class InPlace : public AllocatedGrids<T, L> {
 public:
  explicit InPlace(const GridSetup<T, L>& setup) : Base(setup, 1, 2048) {}
  bool is_streamed() const override { return Base::steps_done_ % 2 != 0; }

 private:
  using Base = AllocatedGrids<T, L>;

  bool advance(int first, int end, bool last) override {
    for (int step = first; step < end; ++step) {
      const bool is_last = last && step == end - 1;
      double* const sums = Base::sums_.parts(step - first);
      this->with_setup([&](auto... scalars) {
        if (step % 2 == 0)
          do_step<true>(is_last, sums, scalars...);
        else
          do_step<false>(is_last, sums, scalars...);
      });
    }
    return true;
  }

  /// See update_in_place.
  template <bool Neighbours, class... Scalars>
  void do_step(bool last, double* sums, Scalars... scalars);
};

template <class T, class L>
template <bool Neighbours, class... Scalars>
void InPlace<T, L>::do_step(bool last, double* sums, Scalars... scalars) {
  const int device = Base::launch_.device, teams = Base::launch_.teams, threads = Base::launch_.threads;
  const std::uint32_t* const solid = Base::solid_.data();
  T* const grid = Base::grid(0);
  LaunchRecord* const record = Base::record_.data();
  const int driven_row = last ? -1 : Base::layout_.driven_row;
#pragma omp target teams is_device_ptr(solid, grid, sums, record) device(device) num_teams(teams) \
    thread_limit(threads)
#pragma omp parallel num_threads(threads)
  {
    record_launch(record, teams, threads);
    const auto [l, c, walls] = setup_of<T, L>(scalars...);
    SpeedSum<T> speeds = 0;
    for (CellRange cells(l.nx, row_count<L>(l), threads); cells.inside(); cells.next_row())
      speeds += update_in_place<Neighbours, ImageLanes<T>::value>(l, c, solid, grid, cells.row, cells.begin(),
                                                                  cells.end(), driven_row, Directions<L>{});
    add_wall_gains(walls, !Neighbours, grid);
    store_group_sum(speeds, sums);
  }
  ++Base::regions_;
}

}  // namespace

template <class T, class L>
std::unique_ptr<DeviceGrids<T>> make_in_place(const GridSetup<T, L>& setup) {
  if constexpr (L::dimension == 3)
    if (setup.on_processor) return make_planes(setup, true);
  return whole(std::make_unique<InPlace<T, L>>(setup));
}
template std::unique_ptr<DeviceGrids<float>> make_in_place(const GridSetup<float, lbm::D2Q9>&);
template std::unique_ptr<DeviceGrids<float>> make_in_place(const GridSetup<float, lbm::D3Q19>&);
template std::unique_ptr<DeviceGrids<double>> make_in_place(const GridSetup<double, lbm::D2Q9>&);
template std::unique_ptr<DeviceGrids<double>> make_in_place(const GridSetup<double, lbm::D3Q19>&);

}  // namespace boltzmark::openmp_target
