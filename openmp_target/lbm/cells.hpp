// One time step of a stretch of cells in a row, for regions of every image.
//
// Nothing here may escape to another function by address: GPU images would keep it in memory.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "common/lbm/cpu/speed_sums.hpp"
#include "common/lbm/lattice.hpp"
#include "openmp_target/lbm/kernels.hpp"
#include "openmp_target/runtime/team.hpp"

namespace boltzmark {

#pragma omp begin declare target
#if defined(__NVPTX__)
// One instruction each, right to a unit in the last place or two; the exact ones are subroutines.
KERNEL_FN Pack<float, 1> square_root(Pack<float, 1> x) { return {{__nvvm_sqrt_approx_f(x.raw[0])}}; }
KERNEL_FN Pack<float, 1> ratio(float a, Pack<float, 1> b) { return {{a * __nvvm_rcp_approx_ftz_f(b.raw[0])}}; }
#endif
#pragma omp end declare target

namespace openmp_target {

/// The lattice's tables as names of numbers: tables of their own on the device would be entries in its image
/// that the optimiser removes and the CUDA plugin then misses.
template <int I>
struct Direction {
  enum : int { x = Lattice::cx[I], y = Lattice::cy[I], opposite = Lattice::opposite[I] };
};
enum : int { direction_count = Lattice::directions };
using Directions = std::make_integer_sequence<int, direction_count>;

/// What the regions of a run read alike; kept on the device, because a region copies the structures that it
/// captures.
template <class T>
struct Setup {
  Layout layout;
  Relaxation<T> relaxation;
};

/// A sum of |u| that a thread collects: on a processor over many rows, on a GPU over a few cells.
template <class T>
using SpeedSum = std::conditional_t<bool(Image::is_gpu), T, double>;
enum : int { most_vectors = most_speeds_a_lane };

#pragma omp begin declare target

/// What steps need of a layout, from the numbers that say it all.
KERNEL_FN Layout layout_of(int nx, int ny, int words, int pitch) {
  Layout l;
  l.nx = nx;
  l.ny = ny;
  l.words = words;
  l.pitch = pitch;
  l.row = std::int64_t{pitch} * direction_count;
  return l;
}

/// Row or column number in the periodic grid, for those one beyond its edges.
KERNEL_FN int wrapped(int number, int count) {
  return number < 0 ? number + count : number >= count ? number - count : number;
}

KERNEL_FN std::uint32_t blocked_bits(const Layout& l, const std::uint32_t* blocked, int x, int y, int lanes) {
  const std::uint32_t word = blocked[std::int64_t{l.words} * y + unsigned(x) / Layout::word];
  return word >> unsigned(x) % Layout::word & std::uint32_t((std::uint64_t{1} << lanes) - 1);
}

/// `at` is x = 0 of direction 0 of a row whose cells begin .. end-1 are new: copies those at the edges to
/// where their periodic neighbours look for them.
template <class T, int... I>
KERNEL_FN void fill_pads(const Layout& l, T* at, int begin, int end, std::integer_sequence<int, I...>) {
  if (begin == 0) ((Direction<I>::x < 0 ? void(at[I * l.pitch + l.nx] = at[I * l.pitch]) : void()), ...);
  if (end == l.nx)
    ((Direction<I>::x > 0 ? void(at[I * l.pitch - 1] = at[I * l.pitch + l.nx - 1]) : void()), ...);
}

/// The body force of the first step on cell x of the accelerated row.
template <class T, int... I>
KERNEL_FN void push_cell(const Layout& l, const Relaxation<T>& c, const std::uint32_t* blocked, T* grid, int x,
                       std::integer_sequence<int, I...> directions) {
  T* const at = grid + l.origin + l.row * l.accelerated_row;
  const bool fluid = !blocked_bits(l, blocked, x, l.accelerated_row, 1);
  const Populations<T> a = accelerate(Populations<T>{{at[I * l.pitch + x]...}}, fluid, c);
  ((at[I * l.pitch + x] = a.f[I]), ...);
  fill_pads(l, at, x, x + 1, directions);
}

/// What leaves cells: collided, where `push` with the body force of the next step, in blocked lanes (`bits`)
/// turned round. `speeds` grows by |u| of the others.
template <class Real, class T, int... I>
KERNEL_FN Populations<Real> updated(Populations<Real> arrived, std::uint32_t bits, bool push,
                                  const Relaxation<T>& c, Real& speeds, std::integer_sequence<int, I...>) {
  const auto m = moments_of(arrived, c);
  Populations<Real> out = collide(arrived, m, c);
  Real speed = speed_of(m, c);
  if (bits != 0) {  // most vectors have no obstacle, and a branch that is rarely taken costs nothing
    const auto mask = Real::mask_from_bits(bits);
    const Populations<Real> turned = bounce_back(arrived);
    ((out.f[I] = choose(mask, turned.f[I], out.f[I])), ...);
    speed = choose(mask, Real::zero(), speed);
  }
  if (push) out = accelerate(out, ~Real::mask_from_bits(bits), c);
  speeds = speeds + speed;
  return out;
}

/// The sum of |u| over a row's cells, vector by vector; of a GPU's thread over its one cell.
template <class T, int Lanes>
struct RowSpeeds {
  Pack<T, Lanes> recent = Pack<T, Lanes>::zero();
  double before = 0.0;

  /// To be called before the vector at x.
  KERNEL_FN void settle(int x) {
    if (Lanes == 1 || x == 0 || x / Lanes % most_vectors != 0) return;
    before += recent.sum();
    recent = Pack<T, Lanes>::zero();
  }
  KERNEL_FN SpeedSum<T> sum() const {
    return Lanes == 1 ? SpeedSum<T>(recent.sum()) : SpeedSum<T>(before + recent.sum());
  }
};

/// One time step of cells begin .. end-1 of row y from one grid to another, `Lanes` of them in one go:
/// propagate, rebound, collide, and where `push` the body force of the next step. Returns the sum of |u| over
/// the fluid ones. With more than one lane it writes up to the next vector boundary, into the pad, so it
/// takes whole rows only.
template <int Lanes, class T, int... I>
KERNEL_FN SpeedSum<T> update_two_grid(const Layout& l, const Relaxation<T>& c, const std::uint32_t* blocked,
                                    const T* from, T* to, int y, int begin, int end, bool push,
                                    std::integer_sequence<int, I...> directions) {
  using Real = Pack<T, Lanes>;
  // Where direction I of cell x = 0 arrives from: the row against its motion, one column against its motion.
  const T* const arriving[] = {from + l.origin + l.row * wrapped(y - Direction<I>::y, l.ny) + I * l.pitch -
                               Direction<I>::x...};
  T* const at = to + l.origin + l.row * y;
  RowSpeeds<T, Lanes> speeds;
  for (int x = begin; x < end; x += Lanes) {
    speeds.settle(x);
    const std::uint32_t bits = blocked_bits(l, blocked, x, y, Lanes);
    const Populations<Real> out = updated(Populations<Real>{{Real::load(arriving[I] + x)...}}, bits, push, c,
                                          speeds.recent, directions);
    (out.f[I].store(at + I * l.pitch + x), ...);
  }
  fill_pads(l, at, begin, end, directions);
  return speeds.sum();
}

/// One time step of cells begin .. end-1 of row y in one grid: the AA pattern (Bailey, Myre, Walsh, Lilja and
/// Saar 2009, "Accelerating lattice Boltzmann fluid flow simulations using graphics processors"). A step
/// reads and writes the same places, and no two cells have a place in common.
///
/// A step with `Neighbours` finds each population with the neighbour that it comes from, and leaves it where
/// its opposite came from; then it lies with the cell that it moves to, in the opposite's place. The step
/// after it finds it there and leaves the plain order. Turning round what arrived in an obstacle puts
/// everything back where it was: obstacles are skipped.
///
/// In one go go `Lanes` cells, with more than one of them in whole rows only. Those beyond the row's end
/// count as blocked: they put back what they read. Values on both ends of a row are lent to the pads
/// meanwhile, where a vector finds its periodic neighbours.
template <bool Neighbours, int Lanes, class T, int... I>
KERNEL_FN SpeedSum<T> update_in_place(const Layout& l, const Relaxation<T>& c, const std::uint32_t* blocked,
                                    T* grid, int y, int begin, int end, bool push,
                                    std::integer_sequence<int, I...> directions) {
  using Real = Pack<T, Lanes>;
  constexpr bool lends = Neighbours && Lanes > 1;
  constexpr std::uint32_t all_lanes = std::uint32_t((std::uint64_t{1} << Lanes) - 1);
  T* const rows[] = {grid + l.origin + l.row * (Neighbours ? wrapped(y - Direction<I>::y, l.ny) : y) +
                     I * l.pitch...};
  if (lends) {
    ((Direction<I>::x > 0 ? void(rows[I][-1] = rows[I][l.nx - 1]) : void()), ...);
    ((Direction<I>::x < 0 ? void(rows[I][l.nx] = rows[I][0]) : void()), ...);
  }
  RowSpeeds<T, Lanes> speeds;
  for (int x = begin; x < end; x += Lanes) {
    speeds.settle(x);
    const std::uint32_t bits = blocked_bits(l, blocked, x, y, Lanes);
    if (bits == all_lanes) continue;
    T* const places[] = {rows[I] + (!Neighbours ? x
                                    : lends     ? x - Direction<I>::x
                                                : wrapped(x - Direction<I>::x, l.nx))...};
    const Populations<Real> arrived = {{Real::load(places[Neighbours ? I : int{Direction<I>::opposite}])...}};
    const Populations<Real> out = updated(arrived, bits, push, c, speeds.recent, directions);
    (out.f[Neighbours ? int{Direction<I>::opposite} : I].store(places[I]), ...);
  }
  if (lends) {
    ((Direction<I>::x > 0 ? void(rows[I][l.nx - 1] = rows[I][-1]) : void()), ...);
    ((Direction<I>::x < 0 ? void(rows[I][0] = rows[I][l.nx]) : void()), ...);
  }
  return speeds.sum();
}

#pragma omp end declare target

}  // namespace openmp_target
}  // namespace boltzmark
