// In place on a processor: row updates, layout (common/lbm/cpu/in_place_grid.hpp) and order of the CPU models. The
// threads of the team stay for many steps, and each waits for the threads with neighbouring rows.
//
//   two dimensions     a band of rows for each thread, several steps on at a time (common/cpu/wavefront.hpp)
//   three dimensions   a band of rows of every plane, several planes under way (common/lbm/cpu/plane_wavefront.hpp)
//   in-place           one step at a time, and a region for each
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/cpu/wavefront.hpp"
#include "common/lbm/cpu/plane_wavefront.hpp"
#include "common/lbm/cpu/vector_row.hpp"
#include "openmp_target/lbm/solver.hpp"
#include "openmp_target/runtime/team.hpp"

// Must follow the declarations for devices in team.hpp.
#include "common/lbm/cpu/plane_row_update.hpp"
#include "common/lbm/cpu/row_update.hpp"

namespace boltzmark::openmp_target {
using lbm::D2Q9, lbm::D3Q19, lbm::RowGhost, lbm::RowsAhead;

template <class L>
using PlanOf = std::conditional_t<L::dimension == 2, WavefrontPlan, lbm::PlaneWavefront>;

enum : int { most_steps_of_region = 4096 };

/// Data of the problem for a region, all of it on the device.
template <class T, class L>
struct DeviceRows {
  LaneLayout<T, L> layout;
  lbm::Relaxation<Arithmetic<T>, L> relaxation;
  PlanOf<L> plan;
  int driven_row;
  const std::uint32_t* solid;  ///< a word per vector
  /// Two dimensions: RowJob::runs every `run_pitch` numbers, -1 for solid rows; three: plane_runs() of all planes.
  const std::int32_t* runs;
  int run_pitch;
  const RowGhost* ghosts;
  int ghost_count;
  const MovingWalls<T>* walls;  ///< row by row; null where nothing moves
};

#pragma omp begin declare target

/// Number of counts of progress in a run of this plan.
template <class L>
std::size_t counts_of(const PlanOf<L>& plan) {
  if constexpr (L::dimension == 2)
    return static_cast<std::size_t>(plan.workers());
  else
    return lbm::PlaneRun::counts(plan);
}

#if defined(__NVPTX__) || defined(__AMDGCN__)

template <class T, class L>
KERNEL_FN void run_steps(const DeviceRows<T, L>*, T*, std::int64_t*, double*, std::int64_t, int, int, bool) {}

#else

/// Distinguishes the row updates of this image from those of other models.
struct OfImage {};

/// A row update: a separate function in three dimensions, as in the CPU models; in two dimensions inlining is faster.
template <class V, template <class, class> class Places, bool Driven, class T, class Constants>
double update(const lbm::RowJob<T, D2Q9>& job, const Constants& c) {
  return lbm::update_row<OfImage, V, Places, Driven>(job, c);
}
template <class V, template <class, class> class Places, bool Driven, class T, class Constants>
[[gnu::noinline]] double update(const lbm::RowJob<T, D3Q19>& job, const Constants& c) {
  return lbm::update_plane_row<OfImage, V, Places, Driven>(job, c);
}

/// The rows for wavefront.hpp and plane_wavefront.hpp, with steps counted from the first step of a region.
template <class T, class L>
struct RowsOfRegion {
  const DeviceRows<T, L>& all;
  T* grid;
  int first;     ///< step of the region
  bool is_last;  ///< the region of a run

  int rows() const { return all.layout.ny; }
  int rows_ahead() const { return lbm::GridLayout<L>::rows_ahead(all.layout.grid.pitch * sizeof(T)); }

  double update_row(int y, int step, bool last_of_region) const {
    const std::int32_t* const runs = all.runs + std::int64_t{all.run_pitch} * y;
    if (*runs < 0) return 0.0;
    const int vectors = all.layout.grid.columns.vectors();
    const lbm::RowJob<T, L> job = {.rows = {row(y - 1), row(y), row(y + 1)},
                                   .vectors = vectors,
                                   .solid = all.solid + std::int64_t{vectors} * y,
                                   .runs = runs};
    return update_job<lbm::OwnPlaces, lbm::NeighbourPlaces>(job, y, step, last_of_region);
  }

  double update_rows(int y, int count, int z, int step, bool last_of_region, RowsAhead ahead) const {
    const std::int64_t first_row = std::int64_t{rows()} * z + y;
    double speeds = 0.0;
    for (const int end = y + count; y < end;) {
      const std::int64_t number = std::int64_t{rows()} * z + y;
      const std::int32_t run = all.runs[number];
      const int together = std::min(run < 0 ? -run : run, end - y);
      if (run > 0) {
        auto job = lbm::plane_row_job<T>(y, together, z, all.layout.grid, ahead,
                                         [this](int row_y, int row_z) { return row(row_y, row_z); });
        job.solid = all.solid + number * job.vectors;
        speeds += update_job<lbm::OwnPlanePlaces, lbm::NeighbourPlanePlaces>(job, y, step, last_of_region);
      }
      y += together, ahead.next_y += together, ahead.later_y += together;
    }
    if (all.walls != nullptr) {
      const WallGain<T>* const gains = all.walls->gains[is_odd(step)];
      for (int i = all.walls->begin[first_row]; i < all.walls->begin[first_row + count]; ++i)
        grid[gains[i].value] += gains[i].gain;
    }
    return speeds;
  }

 private:
  using V = Pack<Arithmetic<T>, ImageLanes<Arithmetic<T>>::value>;

  bool is_odd(int step) const { return (first + step) % 2 != 0; }
  /// Row y of plane z, from one before the first to one after the last.
  T* row(int y, int z = 0) const {
    using lbm::wrapped;
    return grid + all.layout.plane_pitch() * wrapped(z, all.layout.nz) + all.layout.row_pitch() * wrapped(y, rows());
  }
  template <template <class, class> class Own, template <class, class> class Neighbours, class Job>
  double update_job(const Job& job, int y, int step, bool last_of_region) const {
    const bool driven = y == all.driven_row && !(last_of_region && is_last);
    const auto& c = all.relaxation;
    if (is_odd(step)) return driven ? update<V, Own, true>(job, c) : update<V, Own, false>(job, c);
    fill_ghosts(job, all.ghosts, all.ghost_count);
    const double speeds = driven ? update<V, Neighbours, true>(job, c) : update<V, Neighbours, false>(job, c);
    copy_boundary_columns(job, all.ghosts, all.ghost_count);
    return speeds;
  }
};

/// Steps first .. end-1 of this thread's rows. All threads call it.
template <class T, class L>
void run_steps(const DeviceRows<T, L>* on_device, T* grid, std::int64_t* counts, double* sums, std::int64_t groups,
               int first, int end, bool is_last) {
  const DeviceRows<T, L> all = *on_device;
  const int me = omp_get_thread_num(), threads = omp_get_num_threads(), steps = end - first;
  const auto words = static_cast<std::int64_t>(counts_of<L>(all.plan) * (sizeof(Progress) / sizeof *counts));
  for (std::int64_t i = words * me / threads; i < words * (me + 1) / threads; ++i) counts[i] = 0;
  double speeds[most_steps_of_region];
  for (int step = 0; step < steps; ++step) speeds[step] = 0.0;
#pragma omp barrier
  if (me < all.plan.workers()) {  // otherwise it has no rows
    RowsOfRegion<T, L> region = {all, grid, first, is_last};
    auto* const progress = reinterpret_cast<Progress*>(counts);
    if constexpr (L::dimension == 2) {
      run_wavefront(all.plan, me, steps, progress,
                    [&](int y, int step) { speeds[step] += region.update_row(y, step, step == steps - 1); });
    } else {
      double* const all_speeds = speeds;
      lbm::PlaneRun run(all.plan, progress);
      run(me, steps, region, all_speeds);
    }
  }
  for (int step = 0; step < steps; ++step)
    sums[step * groups + me] = speeds[step] * static_cast<double>(all.relaxation.speed_unit);
}

#endif
#pragma omp end declare target

template <class T, class L>
class OnProcessor : public GridSolver<T, L, LaneLayout> {
 public:
  OnProcessor(const Options& options, bool one_by_one) : Base(options, 1), one_by_one_(one_by_one) {}

 private:
  using Base = GridSolver<T, L, LaneLayout>;

  int most_steps() const override { return one_by_one_ ? 2048 : int{most_steps_of_region}; }
  bool is_one_region() const override { return !one_by_one_; }
  int sweep_steps() const override { return plan_->depth(); }
  void prepare(const std::vector<std::uint8_t>& solid) override {
    const int device = this->device_.number;
    const LaneLayout<T, L>& layout = this->layout_;
    plan_.emplace(make_plan());
    runs_ = on_device(runs(solid), device);
    const auto ghosts = layout.grid.columns.ghosts();
    ghosts_ = on_device(ghosts, device);
    counts_ = DeviceArray<std::int64_t>(
        static_cast<std::int64_t>(counts_of<L>(*plan_) * (sizeof(Progress) / sizeof(std::int64_t))), device);
    this->walls_.divide(layout.rows(), layout.nx);
    rows_ = on_device<DeviceRows<T, L>>({{.layout = layout,
                                          .relaxation = this->relaxation_,
                                          .plan = *plan_,
                                          .driven_row = this->driven_row(),
                                          .solid = this->solid_.data(),
                                          .runs = runs_.data(),
                                          .run_pitch = run_pitch(),
                                          .ghosts = ghosts_.data(),
                                          .ghost_count = static_cast<int>(ghosts.size()),
                                          .walls = this->walls_.on_device()}},
                                        device);
  }

  RunFacts facts() const override {
    RunFacts facts = GridSolver<T, L, LaneLayout>::facts();
    facts.traffic = lbm::sweep_traffic(this->grid_bytes(), this->steps_done(), *plan_,
                                       static_cast<double>(this->layout_.grid.pitch) * sizeof(T));
    return facts;
  }

  PlanOf<L> make_plan() const {
    const LaneLayout<T, L>& layout = this->layout_;
    const int threads = this->launch_.threads;
    if constexpr (L::dimension == 2)
      return {layout.ny, threads,
              one_by_one_ ? 1 : default_time_block(static_cast<std::size_t>(layout.nx) * L::directions * sizeof(T))};
    else
      return lbm::plan_plane_wavefront(layout.ny, layout.nz, layout.grid.pitch * sizeof(T),
                                       layout.grid.plane_pitch * sizeof(T), threads,
                                       one_by_one_ ? std::optional(1) : std::nullopt);
  }
  int run_pitch() const { return L::dimension == 2 ? this->layout_.grid.columns.vectors() + 4 : 1; }
  std::vector<std::int32_t> runs(const std::vector<std::uint8_t>& solid) const {
    const LaneLayout<T, L>& layout = this->layout_;
    const auto is_solid = [&](std::int64_t row) {
      const auto begin = solid.begin() + row * layout.nx;
      return std::find(begin, begin + layout.nx, 0) == begin + layout.nx;
    };
    std::vector<std::int32_t> all;
    if constexpr (L::dimension == 2) {
      const std::vector<std::uint32_t> words = layout.solid_words(solid);
      const auto vectors = static_cast<std::size_t>(layout.grid.columns.vectors());
      for (int y = 0; y < layout.ny; ++y) {
        auto row = lbm::vector_runs(std::span(words).subspan(vectors * static_cast<std::size_t>(y), vectors));
        if (is_solid(y)) row.assign(1, -1);
        row.resize(static_cast<std::size_t>(run_pitch()));
        all.insert(all.end(), row.begin(), row.end());
      }
    } else {
      for (std::int64_t z = 0; z < layout.nz; ++z) {
        const auto plane =
            lbm::plane_runs(layout.ny, this->driven_row(), [&](int y) { return is_solid(layout.ny * z + y); });
        all.insert(all.end(), plane.begin(), plane.end());
      }
    }
    return all;
  }

  void advance(int first, int end, bool last) override {
    if (!one_by_one_) return run_region(first, end, last, 0);
    for (int step = first; step < end; ++step) run_region(step, step + 1, last && step == end - 1, step - first);
  }
  void run_region(int first, int end, bool last, int slot) {
    const int device = this->launch_.device, teams = this->launch_.teams, threads = this->launch_.threads;
    const DeviceRows<T, L>* const rows = rows_.data();
    T* const grid = this->grid(0);
    std::int64_t* const counts = counts_.data();
    double* const sums = this->sums_.parts(slot);
    const std::int64_t groups = this->sums_.groups();
    LaunchRecord* const record = this->record_.data();
#pragma omp target teams is_device_ptr(rows, grid, counts, sums, record) device(device) num_teams(teams) \
    thread_limit(threads)
#pragma omp parallel num_threads(threads)
    {
      record_launch(record, teams, threads);
      run_steps(rows, grid, counts, sums, groups, first, end, last);
    }
    ++this->regions_;
  }

  bool one_by_one_;
  std::optional<PlanOf<L>> plan_;
  DeviceArray<DeviceRows<T, L>> rows_;
  DeviceArray<std::int32_t> runs_;
  DeviceArray<RowGhost> ghosts_;
  DeviceArray<std::int64_t> counts_;  ///< of Progress
};

template <class L>
std::unique_ptr<lbm::Solver> make_on_processor(const Options& asked, bool one_by_one) {
  if (lbm::wants_halves(asked)) return std::make_unique<OnProcessor<Half, L>>(asked, one_by_one);
  if (asked.precision == Precision::f64) return std::make_unique<OnProcessor<double, L>>(asked, one_by_one);
  return std::make_unique<OnProcessor<float, L>>(asked, one_by_one);
}

template std::unique_ptr<lbm::Solver> make_on_processor<lbm::D2Q9>(const Options& asked, bool one_by_one);
template std::unique_ptr<lbm::Solver> make_on_processor<lbm::D3Q19>(const Options& asked, bool one_by_one);

}  // namespace boltzmark::openmp_target
