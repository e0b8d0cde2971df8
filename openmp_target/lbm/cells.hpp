// One time step of cells of a row, for regions of every image, and which cells a thread of a region updates.
//
// No address may be passed to another function here, because GPU images would then keep the variable in memory.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "common/lbm/cell.h"
#include "common/lbm/cpu/dithered.hpp"
#include "openmp_target/lbm/layouts.hpp"
#include "openmp_target/runtime/team.hpp"
#include "openmp_target/runtime/words.hpp"

namespace boltzmark {

#pragma omp begin declare target
#if defined(__NVPTX__)
// One instruction each, accurate to one or two units in the last place; the exact versions are subroutines.
template <int N>
KERNEL_FN Pack<float, N> square_root(Pack<float, N> x) {
  for (int i = 0; i < N; ++i) x.raw[i] = __nvvm_sqrt_approx_ftz_f(x.raw[i]);
  return x;
}
template <int N>
KERNEL_FN Pack<float, N> ratio(float a, Pack<float, N> b) {
  for (int i = 0; i < N; ++i) b.raw[i] = a * __nvvm_rcp_approx_ftz_f(b.raw[i]);
  return b;
}
// As in CUDA: a reciprocal takes fewer instructions than a division.
template <int N>
KERNEL_FN Pack<double, N> ratio(double a, Pack<double, N> b) {
  for (int i = 0; i < N; ++i) b.raw[i] = a * __nvvm_rcp_rn_d(b.raw[i]);
  return b;
}
#endif
#pragma omp end declare target

namespace openmp_target {
using lbm::Populations;
using lbm::Relaxation;
using lbm::wrapped;

/// In regions a lattice's tables are compile-time constants: otherwise the optimiser removes a table's entry from the
/// device's image, and the CUDA plugin fails to find it.
using lbm::Direction;
template <class L>
using Directions = std::make_integer_sequence<int, L::directions>;

/// Data of the problem and of its PlainLayout for a region. T: type of stored populations.
template <class T, class L>
struct Setup {
  enum : int { word = PlainLayout<T, L>::word };

  Setup() = default;
  Setup(const PlainLayout<T, L>& layout, int row_of_force, const Relaxation<Arithmetic<T>, L>& of_problem,
        const MovingWalls<T>* on_device)
      : nx(layout.nx),
        ny(layout.ny),
        nz(layout.nz),
        driven_row(row_of_force),
        pitch(layout.pitch),
        words(layout.words),
        relaxation(of_problem),
        walls(on_device) {}

  int nx, ny, nz;
  int driven_row;  ///< of every plane; -1: none
  int pitch, words;
  Relaxation<Arithmetic<T>, L> relaxation;
  const MovingWalls<T>* walls;  ///< null where nothing moves, and in two dimensions
};

/// A sum of |u| that a thread collects: on a processor over many rows, on a GPU over a few cells.
template <class T>
using SpeedSum = std::conditional_t<bool(Image::is_gpu), Arithmetic<T>, double>;
enum : int { most_vectors = lbm::most_speeds_a_lane };

#pragma omp begin declare target

/// Start of row y = 0 of population 0, and the distance in values from row to row.
template <class T, class L>
KERNEL_FN std::int64_t row_start(const Setup<T, L>& s, int row) {
  return Setup<T, L>::word + std::int64_t{s.pitch} * L::directions * row;
}
/// Rows of all planes.
template <class T, class L>
KERNEL_FN int row_count(const Setup<T, L>& s) {
  return L::dimension == 2 ? s.ny : s.ny * s.nz;
}

/// A row by its number and address.
template <class L>
struct RowPlace {
  int y, z = 0;

  template <class T>
  KERNEL_FN RowPlace(const Setup<T, L>& l, int row) : y(row) {
    if constexpr (L::dimension == 3) {
      z = int(std::uint32_t(row) / std::uint32_t(l.ny));
      y -= z * l.ny;
    }
  }
  /// Number of the row from which direction I arrives.
  template <int I, class T>
  KERNEL_FN int source(const Setup<T, L>& l) const {
    const int from_y = wrapped(y - Direction<L, I>::y, l.ny);
    if constexpr (L::dimension == 2)
      return from_y;
    else
      return wrapped(z - Direction<L, I>::z, l.nz) * l.ny + from_y;
  }
};

/// Whether cells x .. x + lanes - 1 are solid, one bit each.
template <class T, class L>
KERNEL_FN std::uint32_t solid_bits(const Setup<T, L>& s, const std::uint32_t* solid, int x, int y, int lanes) {
  const std::uint32_t word = solid[std::int64_t{s.words} * y + unsigned(x) / Setup<T, L>::word];
  return word >> unsigned(x) % Setup<T, L>::word & std::uint32_t((std::uint64_t{1} << lanes) - 1);
}

/// update_cell of cell.h, written out: with a call, LLVM 16 for sm_90 takes 48 registers per thread of `fused` instead
/// of 40, and fewer threads fit. In place it is the reverse.
template <class Real, class T, class L>
KERNEL_FN Populations<Real, L> update_vector(const Populations<Real, L>& arrived, std::uint32_t solid, bool driven,
                                             const Relaxation<T, L>& c, Real& speeds) {
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

/// The sum of |u| over a row's cells, vector by vector; on a GPU over the single cell of a thread.
template <class T, int Lanes>
struct RowSpeeds {
  using Real = Pack<Arithmetic<T>, Lanes>;
  Real recent = Real::zero();
  double before = 0.0;

  /// To be called before the vector at x: keeps sums in T short.
  KERNEL_FN void flush(int x) {
    if (Lanes == 1 || x == 0 || x / Lanes % most_vectors != 0) return;
    before += recent.sum();
    recent = Real::zero();
  }
  KERNEL_FN SpeedSum<T> sum() const {
    return Lanes == 1 ? SpeedSum<T>(recent.sum()) : SpeedSum<T>(before + recent.sum());
  }
};

/// In three dimensions a GPU does it without a branch, because at the end of a branch all nineteen populations are in
/// registers: 66 per thread of `fused` (LLVM 16 for sm_90) instead of 48.
template <class T>
KERNEL_FN Populations<Pack<T, 1>, lbm::D3Q19> update_vector(const Populations<Pack<T, 1>, lbm::D3Q19>& arrived,
                                                            std::uint32_t solid, bool driven,
                                                            const Relaxation<T, lbm::D3Q19>& c, Pack<T, 1>& speeds) {
  using Real = Pack<T, 1>;
  const auto leaving =
      update_cell(arrived, moments_of(arrived, c), Real::mask_from_bits(solid), true, false, c, &speeds);
  return accelerate(leaving, Real::mask_from_bits(driven && solid == 0), c);
}

/// Populations leaving cells in the storage type T: halves with noise.
template <class T, class Real, class L>
KERNEL_FN Populations<Real, L> to_store(const Populations<Real, L>& leaving, const Populations<Real, L>& arrived,
                                        const Setup<T, L>& s) {
  if constexpr (std::is_same_v<T, Half>)
    return dithered(leaving, moments_of(arrived, s.relaxation));
  else
    return leaving;
}

/// One time step of cells begin .. end-1 of a row from one grid to another, `Lanes` of them at a time: pull,
/// collide or bounce back, and in the driven row the body force of the next step. Returns the sum of |u| over
/// the fluid ones. With more than one lane it writes up to the next vector boundary, into the padding, so it
/// takes whole rows only.
///
/// Periodic neighbours in x are read from the padding, which each step fills. In three dimensions a GPU tests for the
/// edge instead, because rows are short and the padding would be a large part of the data written.
template <int Lanes, class T, class L, int... I>
KERNEL_FN SpeedSum<T> update_two_grid(const Setup<T, L>& s, const std::uint32_t* solid, const T* from, T* to, int row,
                                      int begin, int end, std::integer_sequence<int, I...>) {
  using Real = Pack<Arithmetic<T>, Lanes>;
  const RowPlace<L> place(s, row);
  constexpr bool uses_ghosts = L::dimension == 2 || Lanes > 1;
  const bool driven = place.y == s.driven_row;
  // Place from which direction I of cell x = 0 arrives: the row and the column one step against its motion.
  const T* const arriving[] = {from + row_start(s, place.template source<I>(s)) + I * s.pitch -
                               (uses_ghosts ? Direction<L, I>::x : 0)...};
  T* const at = to + row_start(s, row);
  RowSpeeds<T, Lanes> speeds;
  for (int x = begin; x < end; x += Lanes) {
    speeds.flush(x);
    const std::uint32_t bits = solid_bits(s, solid, x, row, Lanes);
    const Populations<Real, L> arrived = {
        {Real::load(arriving[I] + (uses_ghosts ? x : wrapped(x - Direction<L, I>::x, s.nx)))...}};
    const auto leaving = to_store<T>(update_vector(arrived, bits, driven, s.relaxation, speeds.recent), arrived, s);
    (leaving.f[I].store(at + I * s.pitch + x), ...);
  }
  if (uses_ghosts && begin == 0)
    ((Direction<L, I>::x < 0 ? void(at[I * s.pitch + s.nx] = at[I * s.pitch]) : void()), ...);
  if (uses_ghosts && end == s.nx)
    ((Direction<L, I>::x > 0 ? void(at[I * s.pitch - 1] = at[I * s.pitch + s.nx - 1]) : void()), ...);
  return speeds.sum();
}

/// One time step of cell x of a row in one grid, for a GPU: the AA pattern (Bailey, Myre, Walsh, Lilja and Saar 2009,
/// "Accelerating lattice Boltzmann fluid flow simulations using graphics processors"). A step reads and writes the same
/// places, and no two cells share a place.
///
/// A step with `Neighbours` reads each population from the neighbour against its direction, and writes it to the place
/// from which its opposite came: at the cell to which it moves, in the slot of the opposite direction. The next step
/// reads it there and writes in the plain order. Bounce-back in a solid cell would put everything back in place, so
/// solid cells are skipped.
template <bool Neighbours, class T, class L, int... I>
KERNEL_FN Arithmetic<T> update_in_place(const Setup<T, L>& s, const std::uint32_t* solid, T* grid, int row, int x,
                                        std::integer_sequence<int, I...>) {
  using Real = Pack<Arithmetic<T>, 1>;
  const RowPlace<L> place(s, row);
  if (solid_bits(s, solid, x, row, 1)) return 0;
  T* const places[] = {grid + row_start(s, Neighbours ? place.template source<I>(s) : row) + I * s.pitch +
                       (Neighbours ? wrapped(x - Direction<L, I>::x, s.nx) : x)...};
  const Populations<Real, L> arrived = {{Real::load(places[Neighbours ? I : int{Direction<L, I>::opposite}])...}};
  Real speed = Real::zero();
  const Populations<Real, L> updated = update_cell(arrived, moments_of(arrived, s.relaxation), Real::mask_from_bits(0),
                                                   false, place.y == s.driven_row, s.relaxation, &speed);
  const auto leaving = to_store<T>(updated, arrived, s);
  (leaving.f[Neighbours ? int{Direction<L, I>::opposite} : I].store(places[I]), ...);
  return speed.raw[0] * s.relaxation.speed_unit;
}

/// The cells that this thread updates, within one row at a time: single cells on a GPU, whole rows on a processor. A
/// team of a GPU has `team_cells` cells in row-by-row order, over which its threads stride; a processor is one team
/// with all cells.
class CellRange {
 public:
  int row;  ///< counted through all planes

  KERNEL_FN CellRange(int nx, int rows, std::uint32_t team_cells) : nx_(nx) {
    const int threads = omp_get_num_threads(), thread = omp_get_thread_num();
    if (Image::is_gpu) {
      const std::uint32_t first = omp_get_team_num() * team_cells, cells = std::uint32_t(nx) * rows;
      cell_ = first + thread;
      end_ = first + team_cells < cells ? first + team_cells : cells;
      row = int(cell_ / std::uint32_t(nx));
      x_ = int(cell_ % std::uint32_t(nx));
      step_ = threads;
    } else {
      row = int(std::int64_t{rows} * thread / threads);
      end_ = std::uint32_t(std::int64_t{rows} * (thread + 1) / threads);
    }
  }
  KERNEL_FN bool inside() const { return Image::is_gpu ? cell_ < end_ : std::uint32_t(row) < end_; }
  /// On a GPU: the thread's next cell.
  KERNEL_FN void next() {
    cell_ += step_;
    x_ += step_;
    if (x_ >= nx_) {
      const int rows = int(std::uint32_t(x_) / std::uint32_t(nx_));
      row += rows;
      x_ -= rows * nx_;
    }
  }
  /// The next row on a processor; on a GPU nothing, if the launch has a thread for each cell.
  KERNEL_FN void next_row() {
    if (Image::is_gpu)
      end_ = 0;
    else
      ++row;
  }
  /// First column of the cells in the row, and the one past their last.
  KERNEL_FN int begin() const { return Image::is_gpu ? x_ : 0; }
  KERNEL_FN int end() const { return Image::is_gpu ? x_ + 1 : nx_; }

 private:
  int nx_, x_ = 0, step_ = 0;
  std::uint32_t cell_ = 0, end_;  ///< on a processor: the row past its last
};

#pragma omp end declare target

}  // namespace openmp_target
}  // namespace boltzmark
