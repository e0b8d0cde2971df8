// Fused: two grids, one region per step, from one grid to the other.
#include "openmp_target/lbm/cells.hpp"
#include "openmp_target/lbm/solver.hpp"

namespace boltzmark::openmp_target {
namespace {

template <class T, class L>
class Fused : public GridSolver<T, L, PlainLayout> {
 public:
  explicit Fused(const Options& options) : Base(options, 2) {}

 private:
  using Base = GridSolver<T, L, PlainLayout>;

  void advance(int first, int end, bool last) override {
    for (int step = first; step < end; ++step) {
      const int driven_row = last && step == end - 1 ? -1 : this->driven_row();
      with_words<Arithmetic<T>>(
          Setup<T, L>(this->layout_, driven_row, this->relaxation_, this->walls_.on_device()), [&](auto... setup) {
            do_step(this->grid(this->now_), this->grid(1 - this->now_), this->sums_.parts(step - first), setup...);
          });
    }
  }

  template <class... Words>
  void do_step(const T* from, T* to, double* sums, Words... setup) {
    const int device = this->launch_.device, teams = this->launch_.teams, threads = this->launch_.threads;
    const std::uint32_t* const solid = this->solid_.data();
    LaunchRecord* const record = this->record_.data();
#pragma omp target teams is_device_ptr(solid, from, to, sums, record) device(device) num_teams(teams) \
    thread_limit(threads)
#pragma omp parallel num_threads(threads)
    {
      record_launch(record, teams, threads);
      const auto s = from_words<Setup<T, L>>(setup...);
      SpeedSum<T> speeds = 0;
      for (CellRange cells(s.nx, row_count(s), threads); cells.inside(); cells.next_row())
        speeds += update_two_grid<ImageLanes<Arithmetic<T>>::value>(s, solid, from, to, cells.row, cells.begin(),
                                                                    cells.end(), Directions<L>{});
      if constexpr (L::dimension == 3) add_wall_gains(s.walls, 0, to);
      store_group_sum(speeds, sums);
    }
    ++this->regions_;
    this->now_ = 1 - this->now_;
  }
};

}  // namespace

extern const lbm::Variant fused = {
    .name = "fused",
    .summary = "structure of arrays, two grids, one region per step, sums kept on the device",
    .role = Role::like_for_like,
    .kinds = {lbm::D3Q19::name},
    .options = {lbm::storage_option()},
    .make = lbm::stored_of<Fused>};

}  // namespace boltzmark::openmp_target
