// The update of one row of cells in place, for any vector. Included by one source file for each instruction
// set (rows.cpp), which compiles it for its own vectors.
//
// A row is a sequence of vectors; vector i holds columns i, n+i, 2n+i ... of a row of n vectors, one per lane
// (in_place_grid.hpp). A cell's nine populations arrive from nine places in memory, and its nine results go to the same
// places: the one in direction i to the place from which the opposite one arrived. No other cell touches these places
// in the same step, so rows and cells may be updated in any order.
//
//   from own cell:         population i arrives from place opposite(i) of the cell itself
//   from the neighbours:   population i arrives from place i of the cell against direction i
//
// The two kinds of steps alternate (Bailey et al., "Accelerating lattice Boltzmann fluid flow simulations using
// graphics processors", 2009, call it the AA pattern). In a solid cell bounce-back returns a population to the place
// from which it arrived, so there is nothing to do.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "common/lbm/cell.h"
#include "common/lbm/cpu/dithered.hpp"
#include "common/lbm/cpu/row_kernels.hpp"

namespace boltzmark::lbm {

template <int I>
using RowDirection = Direction<D2Q9, I>;

/// The ends of a row at which a vector is. There lane l continues in lane l+1: west of the first vector is the last
/// one, rotated by one lane.
enum class Edge { none, west, east, both };

/// Hides the origin of `p` from the compiler. It then neither keeps values that it has read before (loading them again
/// is cheaper than having more of them than registers) nor folds several pointers into sums with one index.
template <class T>
KERNEL_FN T* opaque(T* p) {
#if defined(__GNUC__) && !defined(BOLTZMARK_WITHOUT_ASM)
  asm("" : "+r"(p));
#endif
  return p;
}

/// Values of one direction of a vector, and of all directions. Computed from the size, because V::lanes is an object
/// for which a device region would need an entry in the device's image.
template <class V>
struct Stride {
  enum : int { direction = sizeof(V) / sizeof(typename V::Scalar), vector = row_directions * direction };
};

/// Places of a step that reads and writes the cells' own populations, stored as T, at one vector of a row.
template <class V, class T>
struct OwnPlaces {
  static constexpr bool has_edges = false;
  T* row;

  explicit OwnPlaces(const RowJob<T>& job) : row(job.rows[1]) {}
  /// Moves to the next vector.
  KERNEL_FN void advance() { row += Stride<V>::vector; }
  KERNEL_FN OwnPlaces again() const {
    OwnPlaces same = *this;
    same.row = opaque(row);
    return same;
  }

  /// Place from which population I arrives, in the vector `ahead` vectors further on.
  template <int I, Edge>
  KERNEL_FN T* place(int ahead) const {
    return row + (ahead * row_directions + int{RowDirection<I>::opposite}) * Stride<V>::direction;
  }
  /// Loads the vector there with each value in the lane of its cell, and stores it back.
  template <int I, Edge>
  static KERNEL_FN V arrived(V value) {
    return value;
  }
  template <int I, Edge>
  static KERNEL_FN V leaving(V value) {
    return value;
  }
};

/// Places of a step that reads and writes the neighbours' populations, at one vector of a row.
template <class V, class T>
struct NeighbourPlaces {
  static constexpr bool has_edges = true;
  T *south, *row, *north;
  std::ptrdiff_t round;  ///< vectors from a row's first to its last

  explicit NeighbourPlaces(const RowJob<T>& job)
      : south(job.rows[0]), row(job.rows[1]), north(job.rows[2]), round(job.vectors - 1) {}
  KERNEL_FN void advance() {
    south = opaque(south + Stride<V>::vector);
    row = opaque(row + Stride<V>::vector);
    north = opaque(north + Stride<V>::vector);
  }
  KERNEL_FN NeighbourPlaces again() const { return *this; }

  template <Edge E>
  static constexpr bool at_west = E == Edge::west || E == Edge::both;
  template <Edge E>
  static constexpr bool at_east = E == Edge::east || E == Edge::both;

  template <int I, Edge E>
  KERNEL_FN T* place(std::ptrdiff_t ahead) const {
    T* const from = RowDirection<I>::y > 0 ? south : RowDirection<I>::y < 0 ? north : row;
    if constexpr (RowDirection<I>::x > 0) ahead += at_west<E> ? round : -1;
    if constexpr (RowDirection<I>::x < 0) ahead += at_east<E> ? -round : 1;
    return from + (ahead * row_directions + I) * Stride<V>::direction;
  }
  template <int I, Edge E>
  static KERNEL_FN V arrived(V value) {
    if constexpr (RowDirection<I>::x > 0 && at_west<E>) return value.rotated_up();
    if constexpr (RowDirection<I>::x < 0 && at_east<E>) return value.rotated_down();
    return value;
  }
  template <int I, Edge E>
  static KERNEL_FN V leaving(V value) {
    if constexpr (RowDirection<I>::x > 0 && at_west<E>) return value.rotated_down();
    if constexpr (RowDirection<I>::x < 0 && at_east<E>) return value.rotated_up();
    return value;
  }
};

/// The update of one row. The moments of a vector are computed together with the results of the previous one, so that a
/// division and long chains of additions overlap with independent work.
template <class V, class T, template <class, class> class Places, bool Accelerate>
class RowUpdater {
  using At = Places<V, T>;
  static constexpr bool is_half = std::is_same_v<T, Half>;
  using Directions = std::make_integer_sequence<int, row_directions>;

 public:
  KERNEL_FN RowUpdater(const RowJob<T>& job, const Relaxation<typename V::Scalar>& c)
      : places_(job), solid_(job.solid), runs_(job.runs), vectors_(job.vectors), c_(c) {}

  KERNEL_FN double update() {
    if constexpr (!At::has_edges) {
      begin<Edge::none>();
      advance_to<Edge::none>(vectors_ - 1);
      finish<Edge::none>();
    } else if (vectors_ == 1) {
      begin<Edge::both>();
      finish<Edge::both>();
    } else {
      begin<Edge::west>();
      if (vectors_ == 2) {
        advance<Edge::west, Edge::east>();
      } else {
        advance<Edge::west, Edge::none>();
        advance_to<Edge::none>(vectors_ - 2);
        advance<Edge::none, Edge::east>();
      }
      finish<Edge::east>();
    }
    return total_ + static_cast<double>(speeds_.sum());
  }

 private:
  template <Edge E>
  static KERNEL_FN Populations<V> load(const At& from, int ahead) {
    return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
      return Populations<V>{{At::template arrived<I, E>(V::load(from.template place<I, E>(ahead)))...}};
    }
    (Directions{});
  }

  template <Edge E>
  KERNEL_FN void store(const Populations<V>& out) const {
    [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
      (At::template leaving<I, E>(out.f[int{RowDirection<I>::opposite}]).store(places_.template place<I, E>(0)), ...);
    }
    (Directions{});
  }

  /// Reads the row's first vector.
  template <Edge E>
  KERNEL_FN void begin() {
    const Populations<V> first = load<E>(places_, 0);
    moments_ = moments_of(first, c_);
    if constexpr (is_half) here_ = first;
  }

  /// Vectors up to `end`, none of them at the ends of the row: no masks if there are no obstacles.
  template <Edge E>
  KERNEL_FN void advance_to(std::int32_t end) {
    for (const std::int32_t* run = runs_; at_ < end; run += 2) {
      for (const std::int32_t free = std::min(end, run[0]); at_ < free;) advance<E, E, false>();
      for (const std::int32_t mixed = std::min(end, run[1]); at_ < mixed;) advance<E, E>();
    }
  }

  /// Reads the moments of the next vector, writes this one, and moves on.
  template <Edge This, Edge Next, bool Mixed = true>
  KERNEL_FN void advance() {
    const Populations<V> ahead = load<Next>(places_, 1);
    const auto next = moments_of(ahead, c_);
    finish<This, Mixed>();
    moments_ = next;
    if constexpr (is_half) here_ = ahead;
    places_.advance();
    if (++at_ % most_speeds_a_lane == 0) [[unlikely]]
      total_ += static_cast<double>(std::exchange(speeds_, V::zero()).sum());
  }

  template <Edge E>
  KERNEL_FN Populations<V> here() const {
    if constexpr (is_half)
      return here_;
    else
      return load<E>(places_.again(), 0);
  }

  /// Writes this vector. Mixed: it may have obstacles.
  template <Edge E, bool Mixed = true>
  KERNEL_FN void finish() {
    const Populations<V> a = here<E>();
    const std::uint32_t bits = Mixed ? solid_[at_] : 0;
    const Populations<V> out =
        update_cell(a, moments_, V::mask_from_bits(bits), Mixed && bits != 0, Accelerate, c_, &speeds_);
    if constexpr (is_half)
      store<E>(dithered(out, moments_));
    else
      store<E>(out);
  }

  At places_;
  const std::uint32_t* solid_;
  const std::int32_t* runs_;
  std::int32_t vectors_, at_ = 0;
  Relaxation<typename V::Scalar> c_;
  Moments<V> moments_;
  Populations<V> here_;   ///< this vector, where reading it again would convert its halves again
  V speeds_ = V::zero();  ///< of the last vectors
  double total_ = 0.0;    ///< of those before
};

/// The entries of a RowKernels table. `InstructionSet` separates the functions of one source file from those that
/// another file compiles for other processors.
template <class InstructionSet, class V, template <class, class> class Places, bool Accelerate, class T>
double update_row(const RowJob<T>& job, const Relaxation<typename V::Scalar>& c) {
  return RowUpdater<V, T, Places, Accelerate>(job, c).update();
}

template <class InstructionSet, class V, class T = typename V::Scalar>
constexpr RowKernels<T> kernels_of() {
  return {InstructionSet::name,
          V::lanes,
          InstructionSet::runs_here,
          {update_row<InstructionSet, V, NeighbourPlaces, false>, update_row<InstructionSet, V, NeighbourPlaces, true>},
          {update_row<InstructionSet, V, OwnPlaces, false>, update_row<InstructionSet, V, OwnPlaces, true>}};
}

}  // namespace boltzmark::lbm
