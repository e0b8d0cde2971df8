// In place on a GPU: one grid, one region per step. For processors see processor.cpp.
#include "openmp_target/lbm/cells.hpp"
#include "openmp_target/lbm/solver.hpp"

namespace boltzmark::openmp_target {
namespace {

template <class T, class L>
class InPlace : public GridSolver<T, L, PlainLayout> {
 public:
  explicit InPlace(const Options& options) : Base(options, 1) {}

 private:
  using Base = GridSolver<T, L, PlainLayout>;

  void advance(int first, int end, bool last) override {
    for (int step = first; step < end; ++step) {
      const int driven_row = last && step == end - 1 ? -1 : this->driven_row();
      double* const sums = this->sums_.parts(step - first);
      with_words<Arithmetic<T>>(Setup<T, L>(this->layout_, driven_row, this->relaxation_, this->walls_.on_device()),
                                [&](auto... setup) {
                                  if (step % 2 == 0)
                                    do_step<true>(sums, setup...);
                                  else
                                    do_step<false>(sums, setup...);
                                });
    }
  }

  /// See update_in_place.
  template <bool Neighbours, class... Words>
  void do_step(double* sums, Words... setup) {
    const int device = this->launch_.device, teams = this->launch_.teams, threads = this->launch_.threads;
    const std::uint32_t* const solid = this->solid_.data();
    T* const grid = this->grid(0);
    LaunchRecord* const record = this->record_.data();
#pragma omp target teams is_device_ptr(solid, grid, sums, record) device(device) num_teams(teams) thread_limit(threads)
#pragma omp parallel num_threads(threads)
    {
      record_launch(record, teams, threads);
      const auto s = from_words<Setup<T, L>>(setup...);
      SpeedSum<T> speeds = 0;
      for (CellRange cells(s.nx, row_count(s), threads); cells.inside(); cells.next_row())
        speeds += update_in_place<Neighbours>(s, solid, grid, cells.row, cells.begin(), Directions<L>{});
      if constexpr (L::dimension == 3) add_wall_gains(s.walls, !Neighbours, grid);
      store_group_sum(speeds, sums);
    }
    ++this->regions_;
  }
};

}  // namespace

extern const lbm::Variant in_place = {
    .name = "in-place",
    .summary = "one grid, updated in place, one region per step",
    .kinds = {lbm::D3Q19::name},
    .options = {lbm::storage_option()},
    .make = [](const lbm::Problem& problem, const Options& asked) -> std::unique_ptr<lbm::Solver> {
      if (choose_device(asked.text("device")).properties.is_gpu()) return lbm::stored_of<InPlace>(problem, asked);
      return make_on_processor(problem, asked, true);
    }};

}  // namespace boltzmark::openmp_target
