// Time block: several steps per region; every population is read and written once for all of them. In two dimensions a
// team of one warp moves up a strip of columns, two per thread, with the steps following one another in registers,
// without team memory or barriers:
//
//      row y      read
//      row y-1    step 1
//      row y-2    step 2
//      ...
//      row y-N    step N, written
//
// From the newest row and the values kept of the two rows below, each level makes the row below for the next step.
// Populations moving along a row come from the adjacent lane by a shuffle. At its edges a strip has no neighbours;
// wrong values move inwards by one cell per step, so N columns and rows on each side belong to other strips, which
// recompute them. (OpenCL's and CUDA's are in opencl/lbm/kernels/wavefront.cl.)
#include <fmt/core.h>

#include <algorithm>

#include "common/lbm/warp_tiles.hpp"
#include "openmp_target/lbm/cells.hpp"
#include "openmp_target/lbm/solver.hpp"

namespace boltzmark::openmp_target {
namespace {
using lbm::D2Q9;

/// Steps of a region, and its strips. In double precision a value takes two registers, so there are half as many steps.
template <class T>
struct Strip {
  enum : int { warp = 32, depth = 16 / sizeof(T), columns = 2 * warp, own = columns - 2 * depth };
};

/// Strips of a region, and its steps.
struct Cut {
  int strips;      ///< side by side
  int chunk_rows;  ///< that a team has of its strip
  int steps;       ///< at most Strip::depth
  int is_last;     ///< whether no body force follows the last of them
};

int pieces(int cells, int of) { return (cells + of - 1) / of; }

#pragma omp begin declare target

template <class T>
using Pair = Pack<T, 2>;
template <class T>
using PairPopulations = Populations<Pair<T>, D2Q9>;

/// Values that a level keeps of the two rows below the newest: all populations that have yet to arrive.
template <class T>
struct Level {
  Pair<T> rest, east, west, north, north_east, north_west;  ///< of the row below
  Pair<T> older_north, older_north_east, older_north_west;  ///< of the row below that
};

/// A pair of columns shifted by one cell: populations arriving from the west. Likewise from the east.
template <class T>
KERNEL_FN Pair<T> from_west(Pair<T> pair) {
  return {{from_below(static_cast<T>(pair.raw[1]), 1), pair.raw[0]}};
}
template <class T>
KERNEL_FN Pair<T> from_east(Pair<T> pair) {
  return {{pair.raw[1], from_above(static_cast<T>(pair.raw[0]), 1)}};
}

/// The populations that arrive in the row below the newest.
template <class T>
KERNEL_FN PairPopulations<T> arrivals(const Level<T>& level, const PairPopulations<T>& newest) {
  return {{level.rest, from_west(level.east), level.older_north, from_east(level.west), newest.f[4],
           from_west(level.older_north_east), from_east(level.older_north_west), from_east(newest.f[7]),
           from_west(newest.f[8])}};
}

/// Adds the newest row.
template <class T>
KERNEL_FN void keep(Level<T>& level, const PairPopulations<T>& newest) {
  level = {newest.f[0], newest.f[1], newest.f[3],      newest.f[2],     newest.f[5],
           newest.f[6], level.north, level.north_east, level.north_west};
}

/// A thread's place: its first column, and whether it and the next column east belong to the strip.
struct March {
  int x, is_own, is_own_east;
  int first, rows;  ///< of the team
};

/// The second of a pair's columns, from the first one: a row of odd width wraps within a pair.
template <class T>
KERNEL_FN int step_east(const Setup<T, D2Q9>& s, int x) {
  return x + 1 < s.nx ? 1 : 1 - s.nx;
}

template <bool is_even, class T>
KERNEL_FN PairPopulations<T> load_row(const Setup<T, D2Q9>& s, const T* row, int x) {
  PairPopulations<T> a;
  if constexpr (is_even) {
    UNROLL for (int i = 0; i < 9; ++i) a.f[i] = vector_at<Pair<T>>(row + i * s.pitch);
  } else {
    const int east = step_east(s, x);
    UNROLL for (int i = 0; i < 9; ++i) a.f[i] = {{row[i * s.pitch], row[i * s.pitch + east]}};
  }
  return a;
}
template <bool is_even, class T>
KERNEL_FN void store_row(const Setup<T, D2Q9>& s, const PairPopulations<T>& a, T* row, bool has_east) {
  if constexpr (is_even) {
    UNROLL for (int i = 0; i < 9; ++i) set_vector(row + i * s.pitch, a.f[i]);
  } else {
    UNROLL for (int i = 0; i < 9; ++i) {
      row[i * s.pitch] = a.f[i].raw[0];
      if (has_east) row[i * s.pitch + 1] = a.f[i].raw[1];
    }
  }
}
/// Solid bits of a pair in row y.
template <bool is_even, class T>
KERNEL_FN std::uint32_t load_bits(const Setup<T, D2Q9>& s, const std::uint32_t* solid, int x, int y) {
  if constexpr (is_even) return solid_bits(s, solid, x, y, 2);
  return solid_bits(s, solid, x, y, 1) | solid_bits(s, solid, x + step_east(s, x), y, 1) << 1;
}

/// All levels for the newest row; returns the row that level `steps` made. `done`: rows before it, `solid`: bits of the
/// rows, two each, the newest lowest; `driven`: bit l where level l makes a driven row. is_plain: there are no such
/// bits.
template <bool is_plain, bool is_even, class T>
KERNEL_FN PairPopulations<T> climb(const Cut& cut, const March& m, PairPopulations<T> newest,
                                   Level<T> (&levels)[Strip<T>::depth], T (&speeds)[Strip<T>::depth], int done,
                                   std::uint32_t solid, std::uint32_t driven, const Relaxation<T, D2Q9>& c) {
  UNROLL for (int l = 0; l < Strip<T>::depth; ++l) {
    if (l >= cut.steps) continue;
    const PairPopulations<T> arrived = arrivals(levels[l], newest);
    keep(levels[l], newest);
    const auto mask = Pair<T>::mask_from_bits(is_plain ? 0 : solid >> (2 * (l + 1)));
    Pair<T> speed = Pair<T>::zero();
    newest = update_cell(arrived, moments_of(arrived, c), mask, !is_plain, !is_plain && (driven >> l & 1), c, &speed);
    const int made = done - (l + 1) - cut.steps;  // 0: the lowest of the team's own rows
    if (made >= 0 && made < m.rows) speeds[l] += speed.raw[0] + (is_even || m.is_own_east ? speed.raw[1] : T(0));
  }
  return newest;
}

/// The levels that make a driven row when row y is the newest, one bit each; `rows`: since the driven one, 0 .. ny-1.
template <class T>
KERNEL_FN std::uint32_t driven_levels(const Setup<T, D2Q9>& s, const Cut& cut, int rows) {
  std::uint32_t bits = 0;
  if (s.driven_row < 0 || (rows > Strip<T>::depth && s.ny > Strip<T>::depth)) return 0;
  for (int l = 0; l < cut.steps - cut.is_last; ++l)
    if ((rows + s.ny - (l + 1) % s.ny) % s.ny == 0) bits |= 1u << l;
  return bits;
}

template <bool is_even, class T>
KERNEL_FN void march(const Setup<T, D2Q9>& s, const Cut& cut, const March& m, const std::uint32_t* solid, const T* from,
                     T* to, T (&speeds)[Strip<T>::depth]) {
  enum : std::uint32_t { in_play = (4u << (2 * Strip<T>::depth)) - 4u };
  const std::int64_t row_pitch = std::int64_t{s.pitch} * 9;
  Level<T> levels[Strip<T>::depth] = {};
  int y = m.first - cut.steps % s.ny;
  if (y < 0) y += s.ny;
  int since_driven = y - s.driven_row;
  if (since_driven < 0) since_driven += s.ny;
  const T* next = from + row_start(s, y) + m.x;
  T* written = to + row_start(s, m.first) + m.x;
  PairPopulations<T> ahead = load_row<is_even>(s, next, m.x);
  std::uint32_t bits_ahead = load_bits<is_even>(s, solid, m.x, y), bits = 0;
#pragma unroll 1
  for (int done = 0; done < m.rows + 2 * cut.steps; ++done) {
    const PairPopulations<T> newest = ahead;
    bits = bits << 2 | bits_ahead;
    const std::uint32_t driven = driven_levels(s, cut, since_driven);
    next += row_pitch;
    if (++y == s.ny) y = 0, next -= s.ny * row_pitch;
    if (++since_driven == s.ny) since_driven = 0;
    ahead = load_row<is_even>(s, next, m.x);  // while this row is being worked on
    bits_ahead = load_bits<is_even>(s, solid, m.x, y);
    const bool is_special = lanes_where((bits & in_play) != 0) != 0 || driven != 0;
    const PairPopulations<T> made =
        is_special ? climb<false, is_even>(cut, m, newest, levels, speeds, done, bits, driven, s.relaxation)
                   : climb<true, is_even>(cut, m, newest, levels, speeds, done, bits, driven, s.relaxation);
    if (done < 2 * cut.steps) continue;
    if (m.is_own) store_row<is_even>(s, made, written, m.is_own_east);
    written += row_pitch;
  }
}

#pragma omp end declare target

template <class T>
class StripsInRegisters : public GridSolver<T, D2Q9, PlainLayout> {
 public:
  explicit StripsInRegisters(const Options& options) : Base(options, 2) {}

 private:
  using Base = GridSolver<T, D2Q9, PlainLayout>;
  enum : int { depth = Strip<T>::depth, warp = Strip<T>::warp };

  RegionLaunch plan_launch() const override {
    if (this->asked_threads_.value_or(warp) != warp)
      throw bad_input("--threads: expected {} for time-block, found {}", int{warp}, *this->asked_threads_);
    const int strips = pieces(this->layout_.nx, Strip<T>::own), rows = chunk_rows(strips);
    return launch_for(this->device_, warp, std::int64_t{warp} * strips * pieces(this->layout_.ny, rows));
  }
  int chunk_rows(int strips) const {
    // A quarter of a multiprocessor's registers holds three warps with 168 registers per thread, or two.
    const int resident = this->device_.multiprocessors * (sizeof(T) == 4 && this->layout_.nx % 2 == 0 ? 12 : 8);
    return lbm::rows_of_warp(strips, this->layout_.ny, depth, resident);
  }
  int sweep_steps() const override { return depth; }
  RunFacts facts() const override {
    RunFacts facts = Base::facts();
    const int own = Strip<T>::own, columns = Strip<T>::columns, rows = chunk_rows(pieces(this->layout_.nx, own));
    const double read_again = double(columns) / own * (rows + 2 * depth) / rows - 1.0;
    facts.settings["pieces"] = fmt::format("strips of {} columns and {} rows", own, rows);
    facts.traffic = lbm::launched_steps(this->grid_bytes(), this->steps_done(), depth, facts.write_allocate, read_again,
                                        double(columns) * (2 * depth + 1) * this->launch_.teams);
    return facts;
  }

  void advance(int first, int end, bool last) override {
    const int strips = pieces(this->layout_.nx, Strip<T>::own);
    for (int step = first; step < end; step += depth) {
      const int steps = std::min<int>(depth, end - step);
      const Cut cut = {strips, chunk_rows(strips), steps, last && step + steps == end};
      with_words<double>(
          Setup<T, D2Q9>(this->layout_, this->driven_row(), this->relaxation_, nullptr), [&](auto... setup) {
            double* const sums = this->sums_.parts(step - first);
            this->layout_.nx % 2 == 0 ? do_steps<true>(cut, sums, setup...) : do_steps<false>(cut, sums, setup...);
          });
    }
  }

  template <bool is_even, class... Words>
  void do_steps(const Cut& asked, double* sums, Words... setup) {
    const int device = this->launch_.device, teams = this->launch_.teams, threads = this->launch_.threads;
    const std::uint32_t* const solid = this->solid_.data();
    const T* const from = this->grid(this->now_);
    T* const to = this->grid(1 - this->now_);
    const int strips = asked.strips, chunk_rows = asked.chunk_rows, steps = asked.steps, is_last = asked.is_last;
    const std::int64_t groups = this->sums_.groups();
    LaunchRecord* const record = this->record_.data();
#pragma omp target teams is_device_ptr(solid, from, to, sums, record) device(device) num_teams(teams) \
    thread_limit(threads)
#pragma omp parallel num_threads(threads)
    {
      record_launch(record, teams, threads);
      const auto s = from_words<Setup<T, D2Q9>>(setup...);
      const Cut cut = {strips, chunk_rows, steps, is_last};
      const int team = omp_get_team_num(), strip = team % strips, column = strip * Strip<T>::own - depth;
      const int mine = column + 2 * lane_number();
      March m = {mine % s.nx, 0, 0, team / strips * chunk_rows, chunk_rows};
      if (m.x < 0) m.x += s.nx;
      m.is_own = mine >= column + depth && mine < column + depth + Strip<T>::own && mine < s.nx;
      m.is_own_east = m.is_own && mine + 1 < s.nx;
      if (m.first + m.rows > s.ny) m.rows = s.ny - m.first;
      T speeds[depth] = {};
      if (Image::is_gpu) march<is_even>(s, cut, m, solid, from, to, speeds);
      UNROLL for (int l = 0; l < depth; ++l) {
        const T own = m.is_own ? speeds[l] : T(0);
        if (l < steps) store_group_sum(own * s.relaxation.speed_unit, sums + l * groups);
      }
    }
    ++this->regions_;
    this->now_ = 1 - this->now_;
  }
};

}  // namespace

extern const lbm::Variant time_block = {
    .name = "time-block",
    .summary =
        "for GPUs: two grids, several steps per region in registers; in three dimensions two steps, in tiles that move "
        "along z (no moving walls)",
    .kinds = {lbm::D3Q19::name},
    .make = [](const lbm::Problem& problem, const Options& asked) -> std::unique_ptr<lbm::Solver> {
      const OffloadDevice device = choose_device(asked.text("device"));
      if (device.multiprocessors == 0)
        throw unavailable("time-block: expected an NVIDIA GPU, found {}; use persistent for several steps per sweep",
                          device.name());
      if (problem.parameters.dimension == 3) return make_plane_steps(problem, asked);
      return boltzmark::made_of<lbm::Solver, StripsInRegisters>(asked);
    }};

}  // namespace boltzmark::openmp_target
