// Persistent on a processor, in two dimensions: each thread of the team has a band of rows and takes it several steps on
// at a time while it is in its cache. Row update and layout are those of the CPU models
// (common/lbm/cpu/in_place_strip.hpp), the order is that of common/cpu/wavefront.hpp: wave w does row w of step 0, row
// w - 1 of step 1, and so on, into the northern band. A thread waits for its two neighbours alone, by the number of waves
// that they have done.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/lbm/cpu/lane_row.hpp"
#include "common/lbm/cpu/stretches.hpp"
#include "openmp_target/lbm/allocated_grids.hpp"

#if !defined(__NVPTX__) && !defined(__AMDGCN__)
#include <sched.h>
#endif

#include "common/lbm/cpu/row_update.hpp"

namespace boltzmark::openmp_target {
namespace {
using lbm::D2Q9, lbm::LaneGhost, lbm::LaneRow, lbm::RowJob;

enum : int {
  word_step = 16,   ///< from a thread's progress to the next one's: two cache lines
  most_levels = 64  ///< steps of a sweep
};

/// What a region reads of the rows, all of it on the device.
template <class T>
struct BandRows {
  const std::uint32_t* solid;           ///< a word per vector
  const std::int32_t* stretches;        ///< RowJob::stretches of the rows
  const std::int32_t* first_stretches;  ///< of each row, or -1 where all of it is solid
  const LaneGhost* ghosts;
  int ghost_count, rows, vectors, levels, driven_row;
  std::int64_t pitch;
  Relaxation<T, D2Q9> relaxation;
};

#pragma omp begin declare target
#if defined(__NVPTX__) || defined(__AMDGCN__)

template <class T>
KERNEL_FN void run_band(const BandRows<T>*, T*, std::int64_t*, double*, std::int64_t, int, int, int) {}

#else

struct OfImage {};

/// Returns when a neighbour has done `wanted` waves, as `seen` or its word says. A long wait is for a thread that has lost
/// its core.
KERNEL_FN void wait_for(const std::int64_t* word, std::int64_t wanted, std::int64_t& seen) {
  for (int looks = 0; seen < wanted; ++looks) {
    seen = __atomic_load_n(word, __ATOMIC_ACQUIRE);
    if (seen >= wanted) return;
    if (looks > 2000) sched_yield();
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
}

/// One step of a row; returns the sum of |u| in units of speed_unit.
template <class T>
KERNEL_FN double update_row(const BandRows<T>& r, T* grid, int y, bool odd, bool driven) {
  using V = Pack<T, ImageLanes<T>::value>;
  const std::int32_t first = r.first_stretches[y];
  if (first < 0) return 0.0;
  const auto row = [&](int number) { return grid + r.pitch * wrapped(number, r.rows); };
  const RowJob<T> job = {.south = row(y - 1),
                         .row = row(y),
                         .north = row(y + 1),
                         .vectors = r.vectors,
                         .solid = r.solid + std::int64_t{r.vectors} * y,
                         .stretches = r.stretches + first};
  const auto& c = r.relaxation;
  if (odd)
    return driven ? lbm::update_row<OfImage, V, lbm::OwnPlaces, true>(job, c)
                  : lbm::update_row<OfImage, V, lbm::OwnPlaces, false>(job, c);
  fill_ghosts(job, r.ghosts, r.ghost_count);
  const double speeds = driven ? lbm::update_row<OfImage, V, lbm::NeighbourPlaces, true>(job, c)
                               : lbm::update_row<OfImage, V, lbm::NeighbourPlaces, false>(job, c);
  copy_boundary_columns(job, r.ghosts, r.ghost_count);
  return speeds;
}

/// Steps first .. end-1 of this thread's rows; `step_without_force` among them or -1. All threads call it.
template <class T>
void run_band(const BandRows<T>* on_device, T* grid, std::int64_t* progress, double* sums,
              std::int64_t groups, int first, int end, int step_without_force) {
  const BandRows<T> r = *on_device;
  const int me = omp_get_thread_num(), threads = omp_get_num_threads();
  const int south = (me + threads - 1) % threads, north = (me + 1) % threads;
  const auto begin_of = [&](int thread) { return int(std::int64_t{r.rows} * thread / threads); };
  const int begin = begin_of(me), height = begin_of(me + 1) - begin;
  const int southern = begin_of(south + 1) - begin_of(south);
  const std::int64_t sweep_waves =
      r.rows + 2 * r.levels;  // more than a sweep has: progress is counted in these
  std::int64_t* const mine = progress + word_step * me;
  *mine = 0;
#pragma omp barrier
  std::int64_t seen_south = 0, seen_north = 0, before = 0;
  for (int step = first; step < end; step += r.levels, before += sweep_waves) {
    const int levels = end - step < r.levels ? end - step : r.levels;
    double speeds[most_levels] = {};
    for (int wave = 0; wave < height + 2 * (levels - 1); ++wave) {
      if (threads > 1 && before > 0 &&
          wave < r.levels) {  // rows that the southern thread did last in the sweep before
        const int there = southern + wave + r.levels + 1, all = southern + 2 * (r.levels - 1);
        wait_for(progress + word_step * south, before - sweep_waves + (there < all ? there : all),
                 seen_south);
      }
      if (threads > 1 && wave >= height)
        wait_for(progress + word_step * north, before + wave - height + 1, seen_north);
      const int lowest = wave < height ? 0 : (wave - height) / 2 + 1;
      for (int level = lowest; level < levels && level <= wave / 2; ++level) {
        const int y = wrapped(begin + wave - level, r.rows);
        const bool driven = y == r.driven_row && step + level != step_without_force;
        speeds[level] += update_row(r, grid, y, (step + level) % 2 != 0, driven);
      }
      __atomic_store_n(mine, before + wave + 1, __ATOMIC_RELEASE);
    }
    for (int level = 0; level < levels; ++level)
      sums[(step - first + level) * groups + me] = speeds[level] * double(r.relaxation.speed_unit);
  }
}

#endif
#pragma omp end declare target

template <class T>
class BandGrids : public AllocatedGrids<T, D2Q9> {
 public:
  explicit BandGrids(const GridSetup<T, D2Q9>& setup);
  bool is_whole() const {
    return Base::is_whole() && rows_ && solid_words_ && stretches_ && first_stretches_ && ghosts_ &&
           progress_;
  }
  bool is_streamed() const override { return Base::steps_done_ % 2 != 0; }
  int steps_per_region() const override { return std::min(Base::sums_.steps(), Base::steps_done_); }
  int sweep_steps() const override { return sweep_steps_; }
  const T* fetch() override;

 private:
  using Base = AllocatedGrids<T, D2Q9>;

  static GridSetup<T, D2Q9> in_lanes(GridSetup<T, D2Q9> setup);
  void accelerate_start() override;
  bool advance(int first, int end, bool last) override;

  Layout plain_;  ///< in which the host wants the grid
  LaneRow columns_;
  int sweep_steps_;
  DeviceArray<BandRows<T>> rows_;
  DeviceArray<std::uint32_t> solid_words_;
  DeviceArray<std::int32_t> stretches_, first_stretches_;
  DeviceArray<LaneGhost> ghosts_;
  DeviceArray<std::int64_t> progress_;
  std::vector<std::uint8_t> solid_in_driven_row_;
  std::vector<T> plain_values_;
};

/// One value per cell of a row of the mask.
std::vector<std::uint8_t> solid_cells(const Layout& layout, const std::uint32_t* solid, int y) {
  std::vector<std::uint8_t> cells(static_cast<std::size_t>(layout.nx));
  for (int x = 0; x < layout.nx; ++x)
    cells[x] = solid[std::int64_t{layout.words} * y + x / Layout::word] >> x % Layout::word & 1u;
  return cells;
}

/// The setup with a layout that has rows of this file's kind in it.
template <class T>
GridSetup<T, D2Q9> BandGrids<T>::in_lanes(GridSetup<T, D2Q9> setup) {
  const LaneRow columns = {setup.layout.nx, setup.lanes};
  setup.layout.row =
      static_cast<std::int64_t>(LaneRow::padded_pitch(columns.values(columns.vectors()), sizeof(T)));
  setup.layout.values = setup.layout.row * setup.layout.ny;
  return setup;
}

template <class T>
BandGrids<T>::BandGrids(const GridSetup<T, D2Q9>& setup)
    : Base(in_lanes(setup), 1, 4096),
      plain_(setup.layout),
      columns_{setup.layout.nx, setup.lanes},
      sweep_steps_(std::min<int>(setup.sweep_steps, most_levels)),
      rows_(1, setup.launch.device),
      solid_words_(std::int64_t{columns_.vectors()} * plain_.ny, setup.launch.device),
      stretches_((columns_.vectors() + 4) * std::int64_t{plain_.ny}, setup.launch.device),
      first_stretches_(plain_.ny, setup.launch.device),
      ghosts_(2 * D2Q9::directions, setup.launch.device),
      progress_(std::int64_t{setup.launch.threads} * word_step, setup.launch.device) {
  if (!is_whole()) return;
  const int vectors = columns_.vectors();
  std::vector<std::uint32_t> words(static_cast<std::size_t>(vectors) * plain_.ny);
  std::vector<std::int32_t> stretches, first_stretches;
  for (int y = 0; y < plain_.ny; ++y) {
    const auto cells = solid_cells(plain_, setup.solid, y);
    if (y == plain_.driven_row) solid_in_driven_row_ = cells;
    const auto row = std::span(words).subspan(static_cast<std::size_t>(vectors) * y, vectors);
    columns_.find_solid(cells, row);
    const bool all_solid = std::find(cells.begin(), cells.end(), 0) == cells.end();
    first_stretches.push_back(all_solid ? -1 : static_cast<std::int32_t>(stretches.size()));
    const auto more = lbm::stretches_of(row);
    if (!all_solid) stretches.insert(stretches.end(), more.begin(), more.end());
  }
  const auto ghosts = columns_.ghosts();
  solid_words_.write(0, solid_words_.size(), words.data());
  stretches_.write(0, static_cast<std::int64_t>(stretches.size()), stretches.data());
  first_stretches_.write(0, plain_.ny, first_stretches.data());
  ghosts_.write(0, static_cast<std::int64_t>(ghosts.size()), ghosts.data());
  const BandRows<T> rows = {.solid = solid_words_.data(),
                            .stretches = stretches_.data(),
                            .first_stretches = first_stretches_.data(),
                            .ghosts = ghosts_.data(),
                            .ghost_count = static_cast<int>(ghosts.size()),
                            .rows = plain_.ny,
                            .vectors = vectors,
                            .levels = sweep_steps_,
                            .driven_row = plain_.driven_row,
                            .pitch = Base::layout_.row,
                            .relaxation = setup.relaxation};
  rows_.write(0, 1, &rows);
}

/// On a grid at rest.
template <class T>
void BandGrids<T>::accelerate_start() {
  const int y = plain_.driven_row;
  if (y < 0) return;
  std::vector<T> row(static_cast<std::size_t>(Base::layout_.row));
  for (int x = 0; x < plain_.nx; ++x) {
    const auto pushed = accelerate(Populations<T, D2Q9>{}, !solid_in_driven_row_[x], Base::relaxation_);
    for (int i = 0; i < D2Q9::directions; ++i) row[columns_.place(i, x)] = pushed.f[i];
  }
  Base::grids_.write(Base::layout_.row * y, Base::layout_.row, row.data());
}

template <class T>
bool BandGrids<T>::advance(int first, int end, bool last) {
  const int device = Base::launch_.device, teams = Base::launch_.teams, threads = Base::launch_.threads;
  const BandRows<T>* const rows = rows_.data();
  T* const grid = Base::grid(0);
  std::int64_t* const progress = progress_.data();
  double* const sums = Base::sums_.parts(0);
  const std::int64_t groups = Base::sums_.groups();
  LaunchRecord* const record = Base::record_.data();
  const int step_without_force = last ? end - 1 : -1;
#pragma omp target teams is_device_ptr(rows, grid, progress, sums, record) device(device) num_teams(teams) \
    thread_limit(threads)
#pragma omp parallel num_threads(threads)
  {
    record_launch(record, teams, threads);
    run_band(rows, grid, progress, sums, groups, first, end, step_without_force);
  }
  ++Base::regions_;
  return true;
}

template <class T>
const T* BandGrids<T>::fetch() {
  const T* const lanes = Base::fetch();
  plain_values_.resize(static_cast<std::size_t>(plain_.values));
  for (int y = 0; y < plain_.ny; ++y)
    for (int i = 0; i < D2Q9::directions; ++i)
      for (int x = 0; x < plain_.nx; ++x)
        plain_values_[plain_.at(i, x, y)] = lanes[Base::layout_.row * y + columns_.place(i, x)];
  return plain_values_.data();
}

}  // namespace

template <class T>
std::unique_ptr<DeviceGrids<T>> make_bands(const GridSetup<T, D2Q9>& setup) {
  return whole(std::make_unique<BandGrids<T>>(setup));
}
template std::unique_ptr<DeviceGrids<float>> make_bands(const GridSetup<float, D2Q9>&);
template std::unique_ptr<DeviceGrids<double>> make_bands(const GridSetup<double, D2Q9>&);

}  // namespace boltzmark::openmp_target
