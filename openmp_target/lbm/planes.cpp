// In place on a processor in three dimensions: the threads of the team have blocks of rows of every plane and go through
// the planes together, several steps in a sweep. Row update, layout and order are those of the CPU models
// (common/lbm/cpu/in_place_planes.hpp, plane_wavefront.hpp); threads wait for those beside them alone. `in-place` does
// the same with one step in a sweep and in a region.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/lbm/cpu/lane_row.hpp"
#include "common/lbm/cpu/plane_wavefront.hpp"
#include "openmp_target/lbm/allocated_grids.hpp"

#include "common/lbm/cpu/plane_row_update.hpp"

namespace boltzmark::openmp_target {
namespace {
using lbm::D3Q19, lbm::LaneGhost, lbm::PlaneLayout, lbm::PlaneWavefront, lbm::RowsAhead;

/// What a region reads of the planes, all of it on the device.
template <class T>
struct Planes {
  const std::uint32_t* solid;  ///< a word per vector
  const std::int32_t* runs;    ///< plane_runs() of all planes
  const LaneGhost* ghosts;
  const std::int32_t* first_gains;  ///< of each row and behind the last one; null where no wall moves
  const WallGain<T>* gains[2];      ///< after steps of even and of odd number
  int ghost_count, driven_row;
  PlaneLayout layout;
  Relaxation<T, D3Q19> relaxation;
  PlaneWavefront plan;
};

#pragma omp begin declare target
#if defined(__NVPTX__) || defined(__AMDGCN__)

template <class T>
KERNEL_FN void run_planes(const Planes<T>*, T*, std::int64_t*, double*, std::int64_t, int, int, bool) {}

#else

struct OfPlanesImage {};

/// The planes as plane_wavefront.hpp knows them, in steps counted from a region's first one.
template <class T>
struct PlanesOfRegion {
  const Planes<T>& planes;
  T* grid;
  int first;     ///< step of the region
  bool is_last;  ///< the region of a run

  T* row(int y, int z) const {
    return grid + planes.layout.plane_pitch * static_cast<std::size_t>(wrapped(z, planes.plan.planes())) +
           planes.layout.pitch * static_cast<std::size_t>(wrapped(y, rows()));
  }
  int rows_ahead() const { return PlaneLayout::rows_ahead(planes.layout.pitch * sizeof(T)); }
  int rows() const { return planes.plan.rows(); }
  double update_rows(int y, int count, int z, int step_of_region, bool last_of_region,
                     RowsAhead ahead) const {
    const std::int64_t first_row = std::int64_t{rows()} * z;
    const bool odd = (first + step_of_region) % 2 != 0;
    double speeds = 0.0;
    for (const int end = y + count; y < end;) {
      const std::int32_t run = planes.runs[first_row + y];
      const int together = std::min(run < 0 ? -run : run, end - y);
      if (run > 0) {
        auto job = lbm::plane_row_job<T>(y, together, z, planes.layout, ahead,
                                         [this](int row_y, int row_z) { return row(row_y, row_z); });
        job.solid = planes.solid + (first_row + y) * job.vectors;
        const bool driven = y == planes.driven_row && !(last_of_region && is_last);
        speeds += odd ? update<lbm::OwnPlanePlaces>(job, driven) : update_from_neighbours(job, driven);
      }
      y += together, ahead.soon_y += together, ahead.y += together;
    }
    if (planes.first_gains != nullptr)
      for (int i = planes.first_gains[first_row + y - count]; i < planes.first_gains[first_row + y]; ++i)
        grid[planes.gains[odd][i].value] += planes.gains[odd][i].gain;
    return speeds;
  }

 private:
  using V = Pack<T, ImageLanes<T>::value>;
  using Job = lbm::RowJob<T, D3Q19>;

  /// A function of its own, as in the CPU models.
  template <template <class> class Places, bool Driven>
  [[gnu::noinline]] static double update(const Job& job, const Relaxation<T, D3Q19>& c) {
    return lbm::update_plane_row<OfPlanesImage, V, Places, Driven>(job, c);
  }
  template <template <class> class Places>
  double update(const Job& job, bool driven) const {
    return driven ? update<Places, true>(job, planes.relaxation)
                  : update<Places, false>(job, planes.relaxation);
  }
  double update_from_neighbours(const Job& job, bool driven) const {
    fill_ghosts(job, planes.ghosts, planes.ghost_count);
    const double speeds = update<lbm::NeighbourPlanePlaces>(job, driven);
    copy_boundary_columns(job, planes.ghosts, planes.ghost_count);
    return speeds;
  }
};

/// This thread's sums, of which those of two steps are `stride` apart.
struct SumsOfThread {
  double* first;
  std::int64_t stride;
  double& operator[](std::size_t step) const { return first[static_cast<std::int64_t>(step) * stride]; }
};

/// Steps first .. end-1 of this thread's rows. All threads call it.
template <class T>
void run_planes(const Planes<T>* on_device, T* grid, std::int64_t* counts, double* sums, std::int64_t groups,
                int first, int end, bool is_last) {
  const Planes<T> planes = *on_device;
  const int me = omp_get_thread_num(), threads = omp_get_num_threads(), steps = end - first;
  const SumsOfThread mine = {sums + me, groups};
  for (int step = 0; step < steps; ++step) mine[static_cast<std::size_t>(step)] = 0.0;
  const auto words =
      static_cast<std::int64_t>(lbm::PlaneRun::counts(planes.plan) * (sizeof(Progress) / sizeof *counts));
  for (std::int64_t i = words * me / threads; i < words * (me + 1) / threads; ++i) counts[i] = 0;
#pragma omp barrier
  if (me >= planes.plan.workers()) return;  // it has no rows
  lbm::PlaneRun run(planes.plan, reinterpret_cast<Progress*>(counts));
  PlanesOfRegion<T> region = {planes, grid, first, is_last};
  run(me, steps, region, mine);
  for (int step = 0; step < steps; ++step)
    mine[static_cast<std::size_t>(step)] *= static_cast<double>(planes.relaxation.speed_unit);
}

#endif
#pragma omp end declare target

template <class T>
class PlaneGrids : public AllocatedGrids<T, D3Q19> {
 public:
  PlaneGrids(const GridSetup<T, D3Q19>& setup, bool one_by_one);
  bool is_whole() const {
    return Base::is_whole() && planes_ && solid_words_ && runs_ && ghosts_ && first_gains_ && gains_ &&
           counts_;
  }
  bool is_streamed() const override { return Base::steps_done_ % 2 != 0; }
  int steps_per_region() const override {
    return one_by_one_ ? 1 : std::min(Base::sums_.steps(), Base::steps_done_);
  }
  int sweep_steps() const override { return plan_.depth(); }
  void write_rows(std::int64_t first, std::int64_t rows, const T* values) override;
  const T* fetch() override;

 private:
  using Base = AllocatedGrids<T, D3Q19>;

  static PlaneLayout lanes_of(const GridSetup<T, D3Q19>& setup) {
    return {setup.layout.nx, setup.layout.ny, setup.lanes, sizeof(T)};
  }
  static GridSetup<T, D3Q19> in_lanes(GridSetup<T, D3Q19> setup);
  static PlaneWavefront plan_of(const GridSetup<T, D3Q19>& setup, bool one_by_one);
  void describe_rows(const std::uint32_t* solid);
  void describe_walls(const std::array<std::vector<WallGain<T>>, 2>& walls);
  std::vector<std::uint8_t> solid_cells(const std::uint32_t* solid, std::int64_t row) const;
  std::int64_t row_start(std::int64_t row) const {
    return static_cast<std::int64_t>(lanes_.plane_pitch) * (row / plain_.ny) +
           static_cast<std::int64_t>(lanes_.pitch) * (row % plain_.ny);
  }
  void accelerate_start() override;
  bool advance(int first, int end, bool last) override;
  void run_region(int first, int end, bool last);

  Layout plain_;  ///< in which the host wants the grid
  PlaneLayout lanes_;
  PlaneWavefront plan_;
  bool one_by_one_;
  DeviceArray<Planes<T>> planes_;
  DeviceArray<std::uint32_t> solid_words_;
  DeviceArray<std::int32_t> runs_;
  DeviceArray<LaneGhost> ghosts_;
  DeviceArray<std::int32_t> first_gains_;
  DeviceArray<WallGain<T>> gains_;
  DeviceArray<std::int64_t> counts_;
  std::vector<std::uint8_t> solid_in_driven_rows_;  ///< of all planes
  std::vector<T> plain_values_;
};

/// The setup with a layout that has rows of this file's kind in it, and without walls, which have places of their own.
template <class T>
GridSetup<T, D3Q19> PlaneGrids<T>::in_lanes(GridSetup<T, D3Q19> setup) {
  const PlaneLayout lanes = lanes_of(setup);
  setup.layout.row = static_cast<std::int64_t>(lanes.pitch);
  setup.layout.values = static_cast<std::int64_t>(lanes.plane_pitch) * setup.layout.nz;
  setup.walls = {};
  return setup;
}

template <class T>
PlaneWavefront PlaneGrids<T>::plan_of(const GridSetup<T, D3Q19>& setup, bool one_by_one) {
  const PlaneLayout lanes = lanes_of(setup);
  return lbm::plan_plane_wavefront(setup.layout.ny, setup.layout.nz, lanes.pitch * sizeof(T),
                                   lanes.plane_pitch * sizeof(T), setup.launch.threads,
                                   one_by_one ? std::optional(1) : std::nullopt);
}

template <class T>
PlaneGrids<T>::PlaneGrids(const GridSetup<T, D3Q19>& setup, bool one_by_one)
    : Base(in_lanes(setup), 1, one_by_one ? 2048 : 4096),
      plain_(setup.layout),
      lanes_(lanes_of(setup)),
      plan_(plan_of(setup, one_by_one)),
      one_by_one_(one_by_one),
      planes_(1, setup.launch.device),
      solid_words_(lanes_.columns.vectors() * plain_.rows(), setup.launch.device),
      runs_(plain_.rows(), setup.launch.device),
      ghosts_(2 * D3Q19::directions, setup.launch.device),
      first_gains_(plain_.rows() + 1, setup.launch.device),
      gains_(2 * static_cast<std::int64_t>(setup.walls[0].size()), setup.launch.device),
      counts_(static_cast<std::int64_t>(lbm::PlaneRun::counts(plan_) * (sizeof(Progress) / 8)),
              setup.launch.device) {
  if (!is_whole()) return;
  describe_rows(setup.solid);
  describe_walls(setup.walls);
  const auto ghosts = lanes_.columns.ghosts();
  ghosts_.write(0, static_cast<std::int64_t>(ghosts.size()), ghosts.data());
  const auto gains = static_cast<std::int64_t>(setup.walls[0].size());
  const Planes<T> planes = {.solid = solid_words_.data(),
                            .runs = runs_.data(),
                            .ghosts = ghosts_.data(),
                            .first_gains = gains == 0 ? nullptr : first_gains_.data(),
                            .gains = {gains_.data(), gains_.data() + gains},
                            .ghost_count = static_cast<int>(ghosts.size()),
                            .driven_row = plain_.driven_row,
                            .layout = lanes_,
                            .relaxation = setup.relaxation,
                            .plan = plan_};
  planes_.write(0, 1, &planes);
}

/// One value per cell of a row of the mask.
template <class T>
std::vector<std::uint8_t> PlaneGrids<T>::solid_cells(const std::uint32_t* solid, std::int64_t row) const {
  std::vector<std::uint8_t> cells(static_cast<std::size_t>(plain_.nx));
  for (int x = 0; x < plain_.nx; ++x)
    cells[x] = solid[plain_.words * row + x / Layout::word] >> x % Layout::word & 1u;
  return cells;
}

template <class T>
void PlaneGrids<T>::describe_rows(const std::uint32_t* solid) {
  const auto vectors = static_cast<std::size_t>(lanes_.columns.vectors());
  std::vector<std::uint32_t> words(vectors * static_cast<std::size_t>(plain_.rows()));
  std::vector<std::uint8_t> all_solid;
  for (std::int64_t row = 0; row < plain_.rows(); ++row) {
    const auto cells = solid_cells(solid, row);
    if (row % plain_.ny == plain_.driven_row)
      solid_in_driven_rows_.insert(solid_in_driven_rows_.end(), cells.begin(), cells.end());
    const auto own = std::span(words).subspan(vectors * static_cast<std::size_t>(row), vectors);
    lanes_.columns.find_solid(cells, own, lbm::RowJob<T, D3Q19>::beyond);
    all_solid.push_back(std::find(cells.begin(), cells.end(), 0) == cells.end());
  }
  solid_words_.write(0, solid_words_.size(), words.data());
  for (std::int64_t plane = 0; plane < plain_.rows(); plane += plain_.ny) {
    const auto runs = lbm::plane_runs(plain_.ny, plain_.driven_row, [&](int y) {
      return all_solid[static_cast<std::size_t>(plane + y)] != 0;
    });
    runs_.write(plane, plain_.ny, runs.data());
  }
}

/// What walls give, in places of this layout. Those in the pads of the plain one are not there.
template <class T>
void PlaneGrids<T>::describe_walls(const std::array<std::vector<WallGain<T>>, 2>& walls) {
  std::vector<std::int32_t> first_gains;
  for (int odd = 0; odd < 2; ++odd) {
    std::vector<WallGain<T>> gains;
    first_gains.assign(static_cast<std::size_t>(plain_.rows()) + 1, 0);
    for (WallGain<T> gain : walls[odd]) {
      const std::int64_t in_grid = gain.value - plain_.origin + 1;  // a row's first pad has its last value
      const std::int64_t row = in_grid / plain_.row, in_row = in_grid % plain_.row;
      const int i = static_cast<int>(in_row / plain_.pitch), x = static_cast<int>(in_row % plain_.pitch) - 1;
      if (x < 0 || x >= plain_.nx) continue;
      gain.value = row_start(row) + static_cast<std::int64_t>(lanes_.columns.place(i, x));
      gains.push_back(gain);
      ++first_gains[static_cast<std::size_t>(gain.cell / plain_.nx) + 1];
    }
    gains_.write(odd * static_cast<std::int64_t>(walls[0].size()), static_cast<std::int64_t>(gains.size()),
                 gains.data());
  }
  for (std::size_t row = 1; row < first_gains.size(); ++row) first_gains[row] += first_gains[row - 1];
  first_gains_.write(0, first_gains_.size(), first_gains.data());
}

template <class T>
void PlaneGrids<T>::accelerate_start() {
  if (plain_.driven_row < 0) return;
  std::vector<T> row(lanes_.pitch);
  for (int z = 0; z < plain_.nz; ++z) {
    const std::int64_t start = row_start(std::int64_t{plain_.ny} * z + plain_.driven_row);
    Base::grids_.read(start, Base::layout_.row, row.data());
    for (int x = 0; x < plain_.nx; ++x) {
      Populations<T, D3Q19> cell;
      for (int i = 0; i < D3Q19::directions; ++i) cell.f[i] = row[lanes_.columns.place(i, x)];
      const bool fluid = !solid_in_driven_rows_[static_cast<std::size_t>(plain_.nx) * z + x];
      cell = accelerate(cell, fluid, Base::relaxation_);
      for (int i = 0; i < D3Q19::directions; ++i) row[lanes_.columns.place(i, x)] = cell.f[i];
    }
    Base::grids_.write(start, Base::layout_.row, row.data());
  }
}

template <class T>
bool PlaneGrids<T>::advance(int first, int end, bool last) {
  if (!one_by_one_) run_region(first, end, last);
  for (int step = first; one_by_one_ && step < end; ++step)
    run_region(step, step + 1, last && step == end - 1);
  return true;
}

template <class T>
void PlaneGrids<T>::run_region(int first, int end, bool last) {
  const int device = Base::launch_.device, teams = Base::launch_.teams, threads = Base::launch_.threads;
  const Planes<T>* const planes = planes_.data();
  T* const grid = Base::grid(0);
  std::int64_t* const counts = counts_.data();
  const int slot = one_by_one_ ? first % Base::sums_.steps() : 0;
  double* const sums = Base::sums_.parts(slot);
  const std::int64_t groups = Base::sums_.groups();
  LaunchRecord* const record = Base::record_.data();
#pragma omp target teams is_device_ptr(planes, grid, counts, sums, record) device(device) num_teams(teams) \
    thread_limit(threads)
#pragma omp parallel num_threads(threads)
  {
    record_launch(record, teams, threads);
    run_planes(planes, grid, counts, sums, groups, first, end, last);
  }
  ++Base::regions_;
}

template <class T>
void PlaneGrids<T>::write_rows(std::int64_t first, std::int64_t rows, const T* values) {
  std::vector<T> own(lanes_.pitch);
  for (std::int64_t row = 0; row < rows; ++row) {
    const T* const from = values + plain_.row * row;
    for (int i = 0; i < D3Q19::directions; ++i)
      for (int x = 0; x < plain_.nx; ++x)
        own[lanes_.columns.place(i, x)] = from[std::int64_t{i} * plain_.pitch + x];
    Base::grids_.write(row_start(first + row), Base::layout_.row, own.data());
  }
}

template <class T>
const T* PlaneGrids<T>::fetch() {
  const T* const lanes = Base::fetch();
  plain_values_.resize(static_cast<std::size_t>(plain_.values));
  for (std::int64_t row = 0; row < plain_.rows(); ++row)
    for (int i = 0; i < D3Q19::directions; ++i)
      for (int x = 0; x < plain_.nx; ++x)
        plain_values_[plain_.at(i, x, row)] = lanes[row_start(row) + lanes_.columns.place(i, x)];
  return plain_values_.data();
}

}  // namespace

template <class T>
std::unique_ptr<DeviceGrids<T>> make_planes(const GridSetup<T, D3Q19>& setup, bool one_by_one) {
  return whole(std::make_unique<PlaneGrids<T>>(setup, one_by_one));
}
template std::unique_ptr<DeviceGrids<float>> make_planes(const GridSetup<float, D3Q19>&, bool);
template std::unique_ptr<DeviceGrids<double>> make_planes(const GridSetup<double, D3Q19>&, bool);

}  // namespace boltzmark::openmp_target
