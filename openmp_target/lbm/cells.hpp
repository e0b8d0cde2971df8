// One time step of a stretch of cells in a row, for regions of every image.
//
// Nothing here may escape to another function by address: GPU images would keep it in memory.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "common/lbm/cpu/speed_sums.hpp"
#include "openmp_target/lbm/grids.hpp"
#include "openmp_target/lbm/walls.hpp"
#include "openmp_target/runtime/team.hpp"

namespace boltzmark {

#pragma omp begin declare target
#if defined(__NVPTX__)
// One instruction each, right to a unit in the last place or two; the exact ones are subroutines.
KERNEL_FN Pack<float, 1> square_root(Pack<float, 1> x) { return {{__nvvm_sqrt_approx_f(x.raw[0])}}; }
KERNEL_FN Pack<float, 1> ratio(float a, Pack<float, 1> b) {
  return {{a * __nvvm_rcp_approx_ftz_f(b.raw[0])}};
}
#endif
#pragma omp end declare target

namespace openmp_target {
using lbm::Populations;
using lbm::Relaxation;

/// Regions know the lattice's tables as names of numbers alone: tables of their own on the device would be
/// entries in its image that the optimiser removes and the CUDA plugin then misses.
using lbm::Direction;
template <class L>
using Directions = std::make_integer_sequence<int, L::directions>;

/// What a region reads of the problem: from the device, or put together from scalars of its launch.
template <class T, class L>
struct Setup {
  Layout layout;
  Relaxation<T, L> relaxation;
  const MovingWalls<T>* walls;  ///< null where nothing moves, and in two dimensions
};

/// Calls use(...) with what regions read, number by number. Scalars travel with a launch; a structure would
/// be copied to the device at every launch, and one that is there already is read by every thread anew.
template <class T, class Use>
void with_scalars(const Layout& l, const Relaxation<T, lbm::D2Q9>& c, const MovingWalls<T>*, Use&& use) {
  use(l.nx, l.ny, l.words, l.pitch, c.density0, c.keep, c.half_omega, c.minus_three_over_omega, c.speed_unit,
      c.w_rest, c.w_axis, c.w_diagonal, c.odd_axis, c.odd_diagonal, c.accel_axis, c.accel_diagonal,
      c.threshold_axis, c.threshold_diagonal);
}
/// Also the address of the moving walls, as a number: the runtime would look up a pointer.
template <class T, class Use>
void with_scalars(const Layout& l, const Relaxation<T, lbm::D3Q19>& c, const MovingWalls<T>* walls,
                  Use&& use) {
  use(l.nx, l.ny, l.nz, reinterpret_cast<std::uintptr_t>(walls), l.words, l.pitch, c.density0, c.keep,
      c.eighth_omega, c.speed_unit, c.w_rest, c.w_axis, c.w_diagonal, c.odd_axis, c.odd_diagonal,
      c.accel_axis, c.accel_diagonal, c.threshold_axis, c.threshold_diagonal);
}

/// A sum of |u| that a thread collects: on a processor over many rows, on a GPU over a few cells.
template <class T>
using SpeedSum = std::conditional_t<bool(Image::is_gpu), T, double>;
enum : int { most_vectors = lbm::most_speeds_a_lane };

#pragma omp begin declare target

/// The scalars of with_scalars() put together again, in a region.
template <class T, class L, class... Constants>
requires(L::dimension == 2) KERNEL_FN Setup<T, L> setup_of(int nx, int ny, int words, int pitch,
                                                           Constants... constants) {
  Layout l;
  l.nx = nx;
  l.ny = ny;
  l.words = words;
  l.pitch = pitch;
  l.row = std::int64_t{pitch} * L::directions;
  return {l, {constants...}, nullptr};
}
template <class T, class L, class... Constants>
requires(L::dimension == 3) KERNEL_FN Setup<T, L> setup_of(int nx, int ny, int nz, std::uintptr_t walls,
                                                           int words, int pitch, Constants... constants) {
  Layout l;
  l.nx = nx;
  l.ny = ny;
  l.nz = nz;
  l.words = words;
  l.pitch = pitch;
  l.row = std::int64_t{pitch} * L::directions;
  return {l, {constants...}, reinterpret_cast<const MovingWalls<T>*>(walls)};
}

/// Rows of all planes.
template <class L>
KERNEL_FN int row_count(const Layout& l) {
  return L::dimension == 2 ? l.ny : l.ny * l.nz;
}

/// Row or column number in the periodic grid, for those one beyond its edges.
KERNEL_FN int wrapped(int number, int count) {
  return number < 0 ? number + count : number >= count ? number - count : number;
}

/// A row by its number, and where it is.
template <class L>
struct RowPlace {
  int number, y, z = 0;

  KERNEL_FN RowPlace(const Layout& l, int row) : number(row), y(row) {
    if constexpr (L::dimension == 3) {
      z = int(std::uint32_t(row) / std::uint32_t(l.ny));
      y -= z * l.ny;
    }
  }
  /// Number of the row that direction I comes from.
  template <int I>
  KERNEL_FN int source(const Layout& l) const {
    const int from_y = wrapped(y - Direction<L, I>::y, l.ny);
    if constexpr (L::dimension == 2)
      return from_y;
    else
      return wrapped(z - Direction<L, I>::z, l.nz) * l.ny + from_y;
  }
};

/// Whether cells x .. x + lanes - 1 are solid, one bit each.
KERNEL_FN std::uint32_t solid_bits(const Layout& l, const std::uint32_t* solid, int x, int y, int lanes) {
  const std::uint32_t word = solid[std::int64_t{l.words} * y + unsigned(x) / Layout::word];
  return word >> unsigned(x) % Layout::word & std::uint32_t((std::uint64_t{1} << lanes) - 1);
}

/// `at` is x = 0 of direction 0 of a row whose cells begin .. end-1 are new: copies those at the edges to
/// where their periodic neighbours read them.
template <class L, class T, int... I>
KERNEL_FN void fill_ghosts(const Layout& l, T* at, int begin, int end, std::integer_sequence<int, I...>) {
  if (begin == 0) ((Direction<L, I>::x < 0 ? void(at[I * l.pitch + l.nx] = at[I * l.pitch]) : void()), ...);
  if (end == l.nx)
    ((Direction<L, I>::x > 0 ? void(at[I * l.pitch - 1] = at[I * l.pitch + l.nx - 1]) : void()), ...);
}

/// The body force of the first step on cell x of a driven row.
template <class T, class L, int... I>
KERNEL_FN void accelerate_cell(const Layout& l, const Relaxation<T, L>& c, const std::uint32_t* solid,
                               T* grid, int x, int row, std::integer_sequence<int, I...> directions) {
  T* const at = grid + l.origin + l.row * row;
  const bool fluid = !solid_bits(l, solid, x, row, 1);
  const Populations<T, L> a = accelerate(Populations<T, L>{{at[I * l.pitch + x]...}}, fluid, c);
  ((at[I * l.pitch + x] = a.f[I]), ...);
  fill_ghosts<L>(l, at, x, x + 1, directions);
}

/// update_cell of cell.h, written out: called as it is, it takes LLVM 16 and sm_90 48 registers per thread of
/// `fused` in place of 40, and fewer threads have room. In place it is the other way round.
template <class Real, class T, class L>
KERNEL_FN Populations<Real, L> update_vector(const Populations<Real, L>& arrived, std::uint32_t solid,
                                             bool driven, const Relaxation<T, L>& c, Real& speeds) {
  const auto m = moments_of(arrived, c);
  Populations<Real, L> leaving = collide(arrived, m, c);
  Real speed = speed_of(m, c);
  if (solid != 0) {  // most vectors have no solid cell, and a branch that is rarely taken costs nothing
    const auto mask = Real::mask_from_bits(solid);
    const Populations<Real, L> bounced = bounce_back(arrived);
    for (int i = 0; i < L::directions; ++i) leaving.f[i] = choose(mask, bounced.f[i], leaving.f[i]);
    speed = choose(mask, Real::zero(), speed);
  }
  speeds = speeds + speed;
  if (driven) leaving = accelerate(leaving, ~Real::mask_from_bits(solid), c);
  return leaving;
}

/// The sum of |u| over a row's cells, vector by vector; of a GPU's thread over its one cell.
template <class T, int Lanes>
struct RowSpeeds {
  Pack<T, Lanes> recent = Pack<T, Lanes>::zero();
  double before = 0.0;

  /// To be called before the vector at x: keeps sums in T short.
  KERNEL_FN void flush(int x) {
    if (Lanes == 1 || x == 0 || x / Lanes % most_vectors != 0) return;
    before += recent.sum();
    recent = Pack<T, Lanes>::zero();
  }
  KERNEL_FN SpeedSum<T> sum() const {
    return Lanes == 1 ? SpeedSum<T>(recent.sum()) : SpeedSum<T>(before + recent.sum());
  }
};

/// In three dimensions a GPU does it without a branch: the end of one has all nineteen populations in registers,
/// 66 per thread of `fused` (LLVM 16 and sm_90) in place of 48.
template <class T>
KERNEL_FN Populations<Pack<T, 1>, lbm::D3Q19> update_vector(
    const Populations<Pack<T, 1>, lbm::D3Q19>& arrived, std::uint32_t solid, bool driven,
    const Relaxation<T, lbm::D3Q19>& c, Pack<T, 1>& speeds) {
  using Real = Pack<T, 1>;
  const auto leaving =
      update_cell(arrived, moments_of(arrived, c), Real::mask_from_bits(solid), true, false, c, &speeds);
  return accelerate(leaving, Real::mask_from_bits(driven && solid == 0), c);
}

/// One time step of cells begin .. end-1 of a row from one grid to another, `Lanes` of them at a time: pull,
/// collide or bounce back, and where `driven` the body force of the next step. Returns the sum of |u| over
/// the fluid ones. With more than one lane it writes up to the next vector boundary, into the pad, so it
/// takes whole rows only.
///
/// Periodic neighbours in x are read from the pads, which each step fills. A GPU asks for the edge instead in
/// three dimensions, where rows are short and the pads would be a good part of what is written.
template <int Lanes, class T, class L, int... I>
KERNEL_FN SpeedSum<T> update_two_grid(const Layout& l, const Relaxation<T, L>& c, const std::uint32_t* solid,
                                      const T* from, T* to, int row, int begin, int end, int driven_row,
                                      std::integer_sequence<int, I...> directions) {
  using Real = Pack<T, Lanes>;
  const RowPlace<L> place(l, row);
  constexpr bool uses_ghosts = L::dimension == 2 || Lanes > 1;
  const bool driven = place.y == driven_row;
  // Where direction I of cell x = 0 arrives from: the row against its motion, one column against its motion.
  const T* const arriving[] = {from + l.origin + l.row * place.template source<I>(l) + I * l.pitch -
                               (uses_ghosts ? Direction<L, I>::x : 0)...};
  T* const at = to + l.origin + l.row * row;
  RowSpeeds<T, Lanes> speeds;
  for (int x = begin; x < end; x += Lanes) {
    speeds.flush(x);
    const std::uint32_t bits = solid_bits(l, solid, x, row, Lanes);
    const Populations<Real, L> arrived = {
        {Real::load(arriving[I] + (uses_ghosts ? x : wrapped(x - Direction<L, I>::x, l.nx)))...}};
    const Populations<Real, L> leaving = update_vector(arrived, bits, driven, c, speeds.recent);
    (leaving.f[I].store(at + I * l.pitch + x), ...);
  }
  if (uses_ghosts) fill_ghosts<L>(l, at, begin, end, directions);
  return speeds.sum();
}

/// One time step of cells begin .. end-1 of a row in one grid: the AA pattern (Bailey, Myre, Walsh, Lilja and
/// Saar 2009, "Accelerating lattice Boltzmann fluid flow simulations using graphics processors"). A step
/// reads and writes the same places, and no two cells have a place in common.
///
/// A step with `Neighbours` reads each population from the neighbour that it comes from, and writes it where
/// its opposite came from; then it is with the cell that it moves to, in the opposite's place. The step after
/// it reads it there and writes in the plain order. Bouncing back in a solid cell puts everything back where
/// it was, so solid cells are skipped.
///
/// It takes `Lanes` cells at a time, with more than one of them whole rows only. Lanes beyond the row's end
/// count as solid: they write back what they read. Meanwhile the pads hold the values of both ends of a row,
/// where a vector reads its periodic neighbours.
template <bool Neighbours, int Lanes, class T, class L, int... I>
KERNEL_FN SpeedSum<T> update_in_place(const Layout& l, const Relaxation<T, L>& c, const std::uint32_t* solid,
                                      T* grid, int row, int begin, int end, int driven_row,
                                      std::integer_sequence<int, I...>) {
  using Real = Pack<T, Lanes>;
  constexpr bool uses_ghosts = Neighbours && Lanes > 1;
  constexpr std::uint32_t all_lanes = std::uint32_t((std::uint64_t{1} << Lanes) - 1);
  const RowPlace<L> place(l, row);
  const bool driven = place.y == driven_row;
  T* const rows[] = {grid + l.origin + l.row * (Neighbours ? place.template source<I>(l) : row) +
                     I * l.pitch...};
  if (uses_ghosts) {
    ((Direction<L, I>::x > 0 ? void(rows[I][-1] = rows[I][l.nx - 1]) : void()), ...);
    ((Direction<L, I>::x < 0 ? void(rows[I][l.nx] = rows[I][0]) : void()), ...);
  }
  RowSpeeds<T, Lanes> speeds;
  for (int x = begin; x < end; x += Lanes) {
    speeds.flush(x);
    const std::uint32_t bits = solid_bits(l, solid, x, row, Lanes);
    if (bits == all_lanes) continue;
    T* const places[] = {rows[I] + (!Neighbours   ? x
                                    : uses_ghosts ? x - Direction<L, I>::x
                                                  : wrapped(x - Direction<L, I>::x, l.nx))...};
    // Nineteen streams are more than a processor follows by itself: the same vectors of the next row.
    if constexpr (L::dimension == 3 && Lanes > 1) (__builtin_prefetch(places[I] + l.row, 1, 3), ...);
    const Populations<Real, L> arrived = {
        {Real::load(places[Neighbours ? I : int{Direction<L, I>::opposite}])...}};
    const Populations<Real, L> leaving = update_cell(
        arrived, moments_of(arrived, c), Real::mask_from_bits(bits), bits != 0, driven, c, &speeds.recent);
    (leaving.f[Neighbours ? int{Direction<L, I>::opposite} : I].store(places[I]), ...);
  }
  if (uses_ghosts) {
    ((Direction<L, I>::x > 0 ? void(rows[I][l.nx - 1] = rows[I][-1]) : void()), ...);
    ((Direction<L, I>::x < 0 ? void(rows[I][0] = rows[I][l.nx]) : void()), ...);
  }
  return speeds.sum() * SpeedSum<T>(c.speed_unit);
}

#pragma omp end declare target

}  // namespace openmp_target
}  // namespace boltzmark
