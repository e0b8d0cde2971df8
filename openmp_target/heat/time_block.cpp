// Time block: eight steps per region; every value is read and written once for all of them. A group of neighbouring
// threads (a warp) has a strip of columns, `lanes` to each thread, and marches down its rows. While it reads row r, it
// does row r - 1 of the first step, row r - 2 of the second, and so on, and keeps only two previous rows of each in
// registers:
//
//     read row r                         step 0: rows r-2, r-1, r   ->   row r-1 of step 1
//                                        step 1: rows r-3, r-2, r-1 ->   row r-2 of step 2
//                                        ...
//     write row r - steps                of the last step
//
// Neighbours of a thread's columns come from the adjacent lane by shuffles. At its edges a strip has no neighbours;
// wrong values move inwards from there by a cell per step, so `halo` columns on each side and `steps` rows above and
// below belong to other strips, which recompute them. On a processor each thread is a group with more columns, whose
// rows stay in its cache.
#include "openmp_target/heat/device_grids.hpp"
#include "openmp_target/runtime/sums.hpp"

namespace boltzmark::openmp_target {
namespace {

#pragma omp begin declare target

template <class T>
struct BlockShape {
  enum : int {
    steps = 8,
    vector = 16 / sizeof(T),  ///< values that are read and written at a time
    lanes = Image::is_gpu && Image::sum_group > 1 ? 32 / sizeof(T) : 128,
    unrolled = Image::is_gpu ? lanes : 1,
    columns = lanes * int{Image::sum_group},
    halo = 8,
    own = columns - 2 * halo,
    // Lanes of a thread that can belong to the strip itself; in a group of several threads all lanes or none.
    first_lane = Image::sum_group > 1 ? 0 : halo,
    end_lane = lanes - first_lane
  };
};

/// Sizes of the plate, and of a march down it.
struct March {
  int width, height, levels;
  std::int64_t pitch;
  int x, begin, end;  ///< this thread's first column, and the strip's rows
  bool is_own;        ///< whether the columns are the strip's own
};

/// Values that a thread keeps from row to row.
template <class T>
struct Levels {
  using Sum = std::conditional_t<bool(Image::is_gpu), T, double>;
  T centre[BlockShape<T>::steps][BlockShape<T>::lanes];      ///< the last row of each step
  T with_upper[BlockShape<T>::steps][BlockShape<T>::lanes];  ///< the sum of that and the row above it
  T ahead[BlockShape<T>::lanes];                             ///< the next row
  Sum changes[BlockShape<T>::steps];
};

#define EACH_LANE _Pragma("unroll BlockShape<T>::unrolled") for (int l = 0; l < BlockShape<T>::lanes; ++l)
#define EACH_LEVEL _Pragma("unroll") for (int level = 0; level < BlockShape<T>::steps; ++level)

/// Loads row r, or the nearest row of the border, as the next one.
template <class T>
KERNEL_FN void read_row(const March& m, const T* from, int r, T* ahead) {
  constexpr int vector_lanes = BlockShape<T>::vector;
  using Vector = Pack<T, vector_lanes>;
  const T* const at = from + (r < -1 ? 0 : r < m.height ? r + 1 : m.height + 1) * m.pitch + m.x;
#pragma unroll BlockShape < T> ::unrolled
  for (int l = 0; l < BlockShape<T>::lanes; l += vector_lanes) {
    const Vector vector = vector_at<Vector>(at + l);
    for (int i = 0; i < vector_lanes; ++i) ahead[l + i] = vector.raw[i];
  }
}
template <class T>
KERNEL_FN void write_row(const March& m, T* to, int y, const T* row) {
  constexpr int vector_lanes = BlockShape<T>::vector;
  using Vector = Pack<T, vector_lanes>;
  T* const at = to + (y + 1) * m.pitch + m.x;
#pragma unroll BlockShape < T> ::unrolled
  for (int l = BlockShape<T>::first_lane; l < BlockShape<T>::end_lane; l += vector_lanes) {
    Vector vector;
    for (int i = 0; i < vector_lanes; ++i) vector.raw[i] = row[l + i];
    set_vector(at + l, vector);
  }
}

/// Takes row r, and writes row r - steps of the last step. is_inner: all cells involved are inside the plate, all rows
/// belong to the strip, and all steps are done.
template <bool is_inner, class T>
KERNEL_FN void take_row(const March& m, Levels<T>& s, const T* from, T* to, int r) {
  constexpr int lanes = BlockShape<T>::lanes, steps = BlockShape<T>::steps;
  T lower[lanes];
  EACH_LANE lower[l] = s.ahead[l];
  read_row(m, from, r + 1, s.ahead);
  EACH_LEVEL {
    const int y = r - level - 1;
    const bool is_step = level < m.levels && y >= 0 && y < m.height;
    const T west_most = from_below(s.centre[level][lanes - 1], 1), east_most = from_above(s.centre[level][0], 1);
    T next[lanes], change = 0;
    EACH_LANE {
      const T west = l == 0 ? west_most : s.centre[level][l > 0 ? l - 1 : 0];
      const T east = l == lanes - 1 ? east_most : s.centre[level][l + 1 < lanes ? l + 1 : l];
      const T mean = T(0.2) * ((s.with_upper[level][l] + lower[l]) + (west + east));
      const bool is_inside = m.x + l >= 0 && m.x + l < m.width;
      next[l] = is_inner || (is_step && is_inside) ? mean : s.centre[level][l];
    }
#pragma unroll BlockShape < T> ::unrolled
    for (int l = BlockShape<T>::first_lane; l < BlockShape<T>::end_lane; ++l) {
      change += __builtin_elementwise_abs(next[l] - s.centre[level][l]);
    }
    if (is_inner || (y >= m.begin && y < m.end)) s.changes[level] += change;
    EACH_LANE {
      s.with_upper[level][l] = s.centre[level][l] + lower[l];
      s.centre[level][l] = lower[l];
      lower[l] = next[l];
    }
  }
  if (m.is_own && (is_inner || r - steps >= m.begin)) write_row(m, to, r - steps, lower);
}

/// The march of a strip. Steps beyond the requested ones only pass rows on.
template <class T>
KERNEL_FN void march(const March& m, Levels<T>& s, const T* from, T* to) {
  constexpr int steps = BlockShape<T>::steps;
  EACH_LEVEL EACH_LANE s.centre[level][l] = s.with_upper[level][l] = 0;
  read_row(m, from, m.begin - steps, s.ahead);
  const int first_column = m.x - lane_number() * BlockShape<T>::lanes;
  const bool has_inner = m.levels == steps && first_column >= 0 && first_column + BlockShape<T>::columns <= m.width;
  int r = m.begin - steps;
  for (; r < m.begin + steps; ++r) take_row<false>(m, s, from, to, r);
  if (has_inner)
#pragma unroll 1
    for (; r < m.end; ++r) take_row<true>(m, s, from, to, r);
  for (; r < m.end + steps; ++r) take_row<false>(m, s, from, to, r);
}

#pragma omp end declare target

template <class T>
class TimeBlock : public DeviceGrids<T> {
 public:
  using DeviceGrids<T>::DeviceGrids;

  void init(const Plate& plate, int steps) override {
    constexpr int halo = BlockShape<T>::halo, lead = 32, warp = 32;
    const bool has_warps = this->device_.properties.sum_group > 1;
    const std::int64_t columns = has_warps ? warp * 32 / static_cast<int>(sizeof(T)) : 128, own = columns - 2 * halo;
    strips_ = (plate.width + own - 1) / own;
    this->lay_out(lead, strips_ * own + 2 * halo);
    DeviceGrids<T>::init(plate, steps);
    steps_ = steps;
    if (has_warps && this->asked_threads_.value_or(warp) != warp)
      throw unavailable("--threads: expected {} for time-block on a GPU, found {}", warp, *this->asked_threads_);
    const std::optional<int> threads = has_warps ? warp : this->asked_threads_;
    this->launch_ = launch_for(this->device_, threads, 1);
    // As many marches as a large GPU holds at once: long ones recompute few rows.
    const std::int64_t wanted = this->is_gpu() ? 1056 : this->launch_.all_threads();
    const std::int64_t down = std::max<std::int64_t>(1, this->is_gpu() ? wanted / strips_ : wanted);
    rows_ = static_cast<int>(std::max<std::int64_t>(BlockShape<T>::steps, (plate.height + down - 1) / down));
    marches_ = strips_ * ((plate.height + rows_ - 1) / rows_);
    this->launch_ = launch_for(this->device_, threads, marches_ * this->device_.properties.sum_group);
    sums_ = StepSums(this->launch_, this->device_.properties.sum_group, std::max<int>(steps, BlockShape<T>::steps));
  }

  int steps_per_look() const override { return BlockShape<T>::steps; }

  void advance(std::span<double> deltas) override {
    this->advance_by(BlockShape<T>::steps, sums_, deltas, [this](int step, int levels) { block(step, levels); });
  }

  RunFacts facts() const override {
    RunFacts facts = this->facts_with(2.0 * sizeof(T) / int{BlockShape<T>::steps});
    facts.steps_per_launch = BlockShape<T>::steps;
    facts.traffic = launched_steps(this->plate_, sizeof(T), steps_, BlockShape<T>::steps, facts.write_allocate);
    facts.settings["rows"] = rows_;
    return facts;
  }

 private:
  void block(int step, int levels) {
    const int device = this->launch_.device, teams = this->launch_.teams, threads = this->launch_.threads;
    const int width = static_cast<int>(this->plate_.width), height = static_cast<int>(this->plate_.height);
    const int rows = rows_, strips = static_cast<int>(strips_), marches = static_cast<int>(marches_);
    const std::int64_t pitch = this->pitch_, groups = sums_.groups();
    double* const sums = sums_.parts(step);
    const T* const from = this->grids_[this->now_].data() + this->lead_;
    T* const to = this->grids_[1 - this->now_].data() + this->lead_;
    LaunchRecord* const record = this->record_.data();
#pragma omp target teams is_device_ptr(from, to, sums, record) device(device) num_teams(teams) thread_limit(threads)
#pragma omp parallel num_threads(threads)
    {
      record_launch(record, teams, threads);
      // A team of one warp, so that the compiler sees that all its threads have the same rows: shuffles among possibly
      // diverged threads take longer.
      const int group = Image::sum_group > 1 ? omp_get_team_num() : static_cast<int>(thread_number());
      const int all = Image::sum_group > 1 ? omp_get_num_teams() : static_cast<int>(thread_count());
      Levels<T> s;
      EACH_LEVEL s.changes[level] = 0;
      March m = {width, height, levels, pitch, 0, 0, 0, true};
      const int last = static_cast<int>(std::int64_t{marches} * (group + 1) / all);
      for (int at = static_cast<int>(std::int64_t{marches} * group / all); at < last; ++at) {
        const int in_strip = lane_number() * BlockShape<T>::lanes;
        m.x = at % strips * BlockShape<T>::own - BlockShape<T>::halo + in_strip;
        m.begin = at / strips * rows;
        m.end = m.begin + rows < height ? m.begin + rows : height;
        if (Image::sum_group > 1)
          m.is_own =
              in_strip >= BlockShape<T>::halo && in_strip < BlockShape<T>::halo + BlockShape<T>::own && m.x < width;
        march(m, s, from, to);
      }
      EACH_LEVEL if (level < levels) store_group_sum(m.is_own ? s.changes[level] : 0, sums + level * groups);
    }
  }

  std::int64_t strips_ = 1, marches_ = 1;  ///< strips across, and all their pieces
  int rows_ = 1;                           ///< of a march
  int steps_ = 0;                          ///< of a run
  StepSums sums_;
};

}  // namespace

extern const Variant time_block = {.name = "time-block",
                                   .summary = "eight steps per region, the rows of each step in registers",
                                   .make = made_of<Solver, TimeBlock>};

}  // namespace boltzmark::openmp_target
