// Two time steps of D3Q19 per region, from one grid to the other: a team has the columns of a tile in x and y and
// marches along z. The method and the contents of team memory are those of opencl/lbm/kernels/planes.cl:
//
//   plane z     step 1, from memory, in the columns of the tile and of a ring of one column round it
//   plane z-1   step 2, to memory, in the columns of the tile, from what step 1 has left in team memory
//
// A thread has a column of the ring's rectangle in step 1 and one of the tile in step 2. Tiles that would reach beyond
// the grid are moved back; cells shared with the previous tile count in that tile's sums.
#include <fmt/core.h>

#include <algorithm>

#include "common/base/error.hpp"
#include "openmp_target/lbm/cells.hpp"
#include "openmp_target/lbm/solver.hpp"

namespace boltzmark::openmp_target {
namespace {

using lbm::D3Q19;

/// Division of the grid for one launch.
struct PlaneCut {
  int tile_x = 1, tile_y = 1, planes = 1;  ///< columns of a team, and planes that it marches through
  int stripe = 1;                          ///< tiles along y that are done before the next planes
};

/// Data of the problem for a region.
template <class T>
struct PlaneSetup {
  Relaxation<T, D3Q19> relaxation;
  int nx, ny, nz;
  int pitch, words;  ///< of PlainLayout
  PlaneCut cut;
  int driven_rows[2];  ///< rows on which the body force acts after step 1 and step 2; -1: none
};

/// Index of a direction among the populations of a column in team memory: the 9 that stay in their plane, the 5 that
/// move down, the 5 that move up.
constexpr int slot_of(int direction) {
  const int z = D3Q19::cz[direction];
  int slot = z == 0 ? 0 : z < 0 ? 9 : 14;
  for (int i = 0; i < direction; ++i) slot += D3Q19::cz[i] == z;
  return slot;
}
template <int I>
struct Along : Direction<D3Q19, I> {
  enum : int { slot = slot_of(I), rows = I - D3Q19::directions * D3Q19::cy[I] };  ///< pitches to its source
};
enum : int { directions = D3Q19::directions };

#pragma omp begin declare target

/// Team memory holds 24 values per column: populations staying in plane z-1, those moving down from plane z, and those
/// moving up from planes z-1 and z-2 alternately.
template <class T>
struct PlaneShape {
  enum : int {
    items = sizeof(T) == 4 ? 480 : 224,  ///< most threads of a team; the runtime uses some bytes of 48 KiB
    width = 128 / sizeof(T),             ///< columns of a tile along x at most
    region = width + 2,
    values = 24 * items
  };
};

/// Facts about a thread's columns, as bits: the column of step 1 is at an edge of the grid, or inside the tile; those
/// of steps 1 and 2 count in the sums, and the body force acts on them.
enum : int {
  first_x = 1,
  last_x = 2,
  first_y = 4,
  last_y = 8,
  inside = 16,
  counts_1 = 32,
  counts_2 = 64,
  driven_1 = 128,
  driven_2 = 256,
  bits_of_column = 9
};

#if defined(__NVPTX__)
/// The same word, opaque to the compiler, so that derived values are not kept in registers from plane to plane.
KERNEL_FN int opaque(int known) {
  int unknown;
  asm volatile("mov.u32 %0, %1;" : "=r"(unknown) : "r"(known));
  return unknown;
}
/// Where no thread of the region writes.
KERNEL_FN float value_at(const float* from) { return __nvvm_ldg_f(from); }
KERNEL_FN double value_at(const double* from) { return __nvvm_ldg_d(from); }
#else
KERNEL_FN int opaque(int known) { return known; }
template <class T>
KERNEL_FN T value_at(const T* from) {
  return *from;
}
#endif

/// Populations arriving in a column, given pointers to it in the plane below, its own and the one above. Rows are
/// nineteen pitches apart, so every place is a constant number of pitches away.
template <bool is_edge, class T, int... I>
KERNEL_FN Populations<Pack<T, 1>, D3Q19> arrivals(const PlaneSetup<T>& s, const T* below, const T* here, const T* above,
                                                  int known_bits, std::integer_sequence<int, I...>) {
  const int bits = opaque(known_bits), pitch = opaque(s.pitch);
  const int grid_rows = is_edge ? s.ny * int{directions} * pitch : 0;
  const int wrap_x[] = {is_edge && bits & last_x ? -s.nx : 0, 0, is_edge && bits & first_x ? s.nx : 0};
  const int wrap_y[] = {is_edge && bits & last_y ? -grid_rows : 0, 0, is_edge && bits & first_y ? grid_rows : 0};
  const T* const planes[] = {above, here, below};
  return {
      {{typename Pack<T, 1>::Raw{value_at(planes[1 + Along<I>::z] + (wrap_x[1 + Along<I>::x] + wrap_y[1 + Along<I>::y] +
                                                                     Along<I>::rows * pitch - Along<I>::x))}}...}};
}

/// The solid bit of a cell is carried in the last bit of its population at rest.
template <class T>
using Word = typename Pack<T, 1>::Lane;
template <class T>
KERNEL_FN T marked(T value, std::uint32_t solid) {
  return __builtin_bit_cast(T, (__builtin_bit_cast(Word<T>, value) & ~Word<T>(1)) | Word<T>(solid));
}

/// A team's part along an axis, and the first of its cells that no other team also owns.
struct Span {
  int first, own;
  KERNEL_FN Span(int number, int size, int n) : first(number * size < n - size ? number * size : n - size) {
    own = number * size;
  }
};

template <class T>
struct PairSums {
  T first = 0, second = 0;
};

/// Part `team` of two steps, or of one step if not `is_pair`, for thread `item` of its team. Returns this thread's sums
/// of |u|.
template <bool is_pair, class T, int... I>
KERNEL_FN PairSums<T> march(const PlaneSetup<T>& s, int team, int item, const std::uint32_t* solid, const T* from,
                            T* to, T* values, std::integer_sequence<int, I...> sequence) {
  constexpr int items = PlaneShape<T>::items, region = PlaneShape<T>::region, next_up = 5 * items;
  using Cell = Populations<Pack<T, 1>, D3Q19>;
  const PlaneCut& cut = s.cut;
  const int tiles_x = (s.nx + cut.tile_x - 1) / cut.tile_x, tiles_y = (s.ny + cut.tile_y - 1) / cut.tile_y;
  const int of_stripe = tiles_x * cut.stripe * ((s.nz + cut.planes - 1) / cut.planes);
  const int first_tile = team / of_stripe * cut.stripe, row_number = team % of_stripe / tiles_x;
  const int stripe = cut.stripe < tiles_y - first_tile ? cut.stripe : tiles_y - first_tile;
  const Span tile_x(team % of_stripe % tiles_x, cut.tile_x, s.nx);
  const Span tile_y(first_tile + row_number % stripe, cut.tile_y, s.ny);
  const Span tile_z(row_number / stripe, cut.planes, s.nz);
  const bool is_edge = tile_x.first < 2 || tile_x.first + cut.tile_x > s.nx - 2 || tile_y.first < 2 ||
                       tile_y.first + cut.tile_y > s.ny - 2;
  // The column of step 1, in the tile; threads beyond the ring repeat the work of the last one, in separate columns.
  const int x_in_ring = item % region, y_in_ring = item / region;
  const int x_in_tile = (x_in_ring < cut.tile_x + 1 ? x_in_ring : cut.tile_x + 1) - 1;
  const int y_in_tile = (y_in_ring < cut.tile_y + 1 ? y_in_ring : cut.tile_y + 1) - 1;
  const int x = wrapped(tile_x.first + x_in_tile, s.nx), y = wrapped(tile_y.first + y_in_tile, s.ny);
  // And that of step 2.
  const int row_2 = item / cut.tile_x, column_2 = item % cut.tile_x;
  const bool has_step_2 = is_pair && row_2 < cut.tile_y;
  const int x_2 = tile_x.first + column_2, y_2 = tile_y.first + row_2;

  int bits =
      (x == 0 ? first_x : 0) | (x == s.nx - 1 ? last_x : 0) | (y == 0 ? first_y : 0) | (y == s.ny - 1 ? last_y : 0);
  if (x_in_ring > 0 && x_in_ring <= cut.tile_x && y_in_ring > 0 && y_in_ring <= cut.tile_y)
    bits |= inside | (x >= tile_x.own && y >= tile_y.own ? counts_1 : 0);
  if (x_2 >= tile_x.own && y_2 >= tile_y.own) bits |= counts_2;
  bits |= (y == s.driven_rows[0] ? driven_1 : 0) | (y_2 == s.driven_rows[1] ? driven_2 : 0);
  bits = opaque(bits | (x & 31) << bits_of_column);

  const int row_values = int{directions} * s.pitch;
  const std::int64_t plane_values = std::int64_t{row_values} * s.ny, plane_words = std::int64_t{s.words} * s.ny;
  const int start = PlainLayout<T, D3Q19>::origin + y * row_values + x;
  const int start_2 = PlainLayout<T, D3Q19>::origin + y_2 * row_values + x_2;
  const int solid_start = y * s.words + x / 32;
  T* const mine = values + item;
  // Threads without one read some valid place anyway: values read conditionally take 16 more registers.
  const T* const here = values + (has_step_2 ? (row_2 + 1) * region + column_2 + 1 : region + 1);
  PairSums<T> speeds;
  int up = 0;
#pragma unroll 1
  for (int k = tile_z.first - is_pair; k < tile_z.first + cut.planes + is_pair; ++k) {
    const int z = wrapped(k, s.nz);
    const T* const below = from + wrapped(z - 1, s.nz) * plane_values + start;
    const T* const plane = from + z * plane_values + start;
    const T* const above = from + wrapped(z + 1, s.nz) * plane_values + start;
    const Cell arrived = is_edge ? arrivals<true>(s, below, plane, above, bits, sequence)
                                 : arrivals<false>(s, below, plane, above, bits, sequence);
    const std::uint32_t is_solid = solid[z * plane_words + solid_start] >> (bits >> bits_of_column) & 1;
    Pack<T, 1> speed = Pack<T, 1>::zero();
    Cell a = update_vector(arrived, is_solid, (bits & driven_1) != 0, s.relaxation, speed);
    if (k >= tile_z.own && k < tile_z.first + cut.planes && bits & counts_1) speeds.first += speed.raw[0];
    if constexpr (!is_pair) {
      if (bits & inside) {
        T* const out = to + z * plane_values + start;
        const int pitch = opaque(s.pitch);
        (a.f[I].store(out + I * pitch), ...);
      }
    } else {
      a.f[0].raw[0] = marked(T(a.f[0].raw[0]), is_solid);
      ((Along<I>::z < 0 ? a.f[I].store(mine + Along<I>::slot * items) : void()), ...);
#pragma omp barrier
      const bool is_made = has_step_2 && k > tile_z.first;
      Cell b;
      ((b.f[I] = Pack<T, 1>::load(here + (Along<I>::z > 0 ? up : 0) + Along<I>::slot * items - Along<I>::y * region -
                                  Along<I>::x)),
       ...);
#pragma omp barrier
      ((Along<I>::z >= 0 ? a.f[I].store(mine + (Along<I>::z > 0 ? up : 0) + Along<I>::slot * items) : void()), ...);
      up = next_up - up;
      if (is_made) {
        const std::uint32_t mark = __builtin_bit_cast(Word<T>, b.f[0].raw) & 1;
        Pack<T, 1> speed_2 = Pack<T, 1>::zero();
        b = update_vector(b, mark, (bits & driven_2) != 0, s.relaxation, speed_2);
        if (k > tile_z.own && bits & counts_2) speeds.second += speed_2.raw[0];
        T* const out = to + (k - 1) * plane_values + start_2;
        const int pitch = opaque(s.pitch);
        (b.f[I].store(out + I * pitch), ...);
      }
    }
  }
  return speeds;
}

#pragma omp end declare target

/// A launch, and its cost on a GPU of this many multiprocessors, `units`.
template <class T>
struct PlanePlan {
  PlaneCut cut;
  int threads = 1, teams = 1;
  int resident = 1;  ///< teams that a multiprocessor holds at once
  int units;

  /// Tiles of this many rows.
  PlanePlan(const lbm::Parameters& p, int rows, int planes, std::optional<int> asked_threads, int on_units)
      : units(on_units) {
    // A thread takes 56 registers, in f64 132 (LLVM 16, sm_90); team memory has room for four large teams.
    constexpr int warp = 32, room = sizeof(T) == 4 ? 1152 : 480;
    const auto parts = [](int of, int size) { return (of + size - 1) / size; };
    cut = {std::min<int>(PlaneShape<T>::width, p.nx), std::min(rows, p.ny), std::min(planes, p.nz), 1};
    threads = asked_threads.value_or(parts(PlaneShape<T>::region * (cut.tile_y + 2), warp) * warp);
    resident = std::clamp(room / threads, 1, 4);
    const int tiles_x = parts(p.nx, cut.tile_x), tiles_y = parts(p.ny, cut.tile_y);
    // Later teams find in the caches the data that earlier teams read.
    cut.stripe = parts(tiles_y, parts(tiles_y, std::clamp(resident * units / tiles_x, 1, tiles_y)));
    teams = tiles_x * tiles_y * parts(p.nz, cut.planes);
  }
  /// The time of the multiprocessor with the most teams, in arbitrary units: a team reads two planes more than it
  /// makes, and fewer than `enough` threads at once take as long as `enough`.
  double cost() const {
    constexpr int enough = sizeof(T) == 4 ? 896 : 448;
    const int most = (teams + units - 1) / units, at_once = std::min(most, resident) * threads;
    return double(most) * (cut.planes + 2) * threads * std::max(1.0, double(enough) / at_once);
  }
};

/// Tiles as high as a team's threads allow; with few teams, all multiprocessors should have the same amount of work.
template <class T>
PlanePlan<T> plan_planes(const lbm::Parameters& p, std::optional<int> threads, int units) {
  constexpr int few_rows = 4, some_planes = 16, most_planes = 64;
  const int rows = threads.value_or(PlaneShape<T>::items) / PlaneShape<T>::region - 2;
  PlanePlan<T> best(p, rows, some_planes, threads, units);
  if (best.teams > 4 * best.resident * best.units) return best;
  for (int y = threads ? rows : std::min(few_rows, p.ny); y <= std::min(rows, p.ny); ++y)
    for (int planes = 1; planes <= std::min(p.nz, most_planes); ++planes)
      if (const PlanePlan<T> plan(p, y, planes, threads, units); plan.cost() < best.cost()) best = plan;
  return best;
}

template <class T>
class PlaneSteps : public GridSolver<T, D3Q19, PlainLayout> {
 public:
  PlaneSteps(const lbm::Problem& problem, const Options& options)
      : Base(options, 2), plan_(plan_planes<T>(problem.parameters, checked_threads(), this->device_.multiprocessors)) {}

  void init(const lbm::Problem& problem) override {
    const PlainLayout<T, D3Q19> layout(problem.parameters, 1);
    if (const std::int64_t values = layout.row_pitch() * layout.ny; values >= std::int64_t{1} << 31)
      throw unavailable("time-block: expected fewer than 2^31 populations in a plane, found {}", values);
    Base::init(problem);
  }

  RunFacts facts() const override {
    const PlaneCut& cut = plan_.cut;
    RunFacts facts = Base::facts();
    facts.settings["pieces"] = fmt::format("{}x{} columns, {} planes", cut.tile_x, cut.tile_y, cut.planes);
    const double columns = double(cut.tile_x) * cut.tile_y, read = (cut.tile_x + 2.0) * (cut.tile_y + 2.0);
    facts.traffic = lbm::launched_steps(this->grid_bytes(), this->steps_done(), sweep_steps(), facts.write_allocate,
                                        read / columns * (cut.planes + 2) / cut.planes - 1.0,
                                        3.0 * read * std::min(plan_.teams, this->device_.multiprocessors));
    return facts;
  }

 private:
  using Base = GridSolver<T, D3Q19, PlainLayout>;

  int sweep_steps() const override { return 2; }
  RegionLaunch plan_launch() const override { return {this->device_.number, plan_.teams, plan_.threads}; }

  /// Those that --threads asks for: whole warps, with at least one row inside the ring.
  std::optional<int> checked_threads() const {
    constexpr int least = (3 * PlaneShape<T>::region + 31) / 32 * 32, most = PlaneShape<T>::items;
    const std::optional<int> asked = this->asked_threads_;
    launch_for(this->device_, asked, 1);
    if (asked && (*asked < least || *asked > most))
      throw bad_input("--threads: expected {} to {}, whose tiles fit the memory of a team of time-block, found {}",
                      least, most, *asked);
    return asked;
  }

  void advance(int first, int end, bool last) override {
    for (int step = first; step < end; step += 2) {
      const bool is_pair = step + 1 < end;
      const int row = this->driven_row(), last_row = last && step + 1 + is_pair == end ? -1 : row;
      const PlainLayout<T, D3Q19>& layout = this->layout_;
      const PlaneSetup<T> setup = {this->relaxation_, layout.nx,    layout.ny, layout.nz,
                                   layout.pitch,      layout.words, plan_.cut, {is_pair ? row : last_row, last_row}};
      with_words<T>(setup, [&](auto... words) {
        double* const sums = this->sums_.parts(step - first);
        if (is_pair)
          do_steps<true>(this->grid(this->now_), this->grid(1 - this->now_), sums, words...);
        else
          do_steps<false>(this->grid(this->now_), this->grid(1 - this->now_), sums, words...);
      });
    }
  }

  template <bool is_pair, class... Words>
  void do_steps(const T* from, T* to, double* sums, Words... setup) {
    const int device = this->launch_.device, teams = this->launch_.teams, threads = this->launch_.threads;
    const std::uint32_t* const solid = this->solid_.data();
    LaunchRecord* const record = this->record_.data();
#pragma omp target teams is_device_ptr(solid, from, to, sums, record) device(device) num_teams(teams) \
    thread_limit(threads)
    {
      static T values[PlaneShape<T>::values];
#pragma omp allocate(values) allocator(omp_pteam_mem_alloc)
#pragma omp parallel num_threads(threads)
      {
        record_launch(record, teams, threads);
        PairSums<T> speeds;
        if (Image::is_gpu)
          speeds = march<is_pair>(from_words<PlaneSetup<T>>(setup...), omp_get_team_num(), omp_get_thread_num(), solid,
                                  from, to, values, Directions<D3Q19>{});
        store_group_sum(speeds.first, sums);
        if constexpr (is_pair) store_group_sum(speeds.second, sums + thread_count() / Image::sum_group);
      }
    }
    ++this->regions_;
    this->now_ = 1 - this->now_;
  }

  PlanePlan<T> plan_;
};

}  // namespace

std::unique_ptr<lbm::Solver> make_plane_steps(const lbm::Problem& problem, const Options& asked) {
  if (!problem.moving.empty())
    throw bad_input("--variant time-block: moving walls need one region per step; use fused or in-place");
  if (asked.precision == Precision::f64) return std::make_unique<PlaneSteps<double>>(problem, asked);
  return std::make_unique<PlaneSteps<float>>(problem, asked);
}

}  // namespace boltzmark::openmp_target
