// The update of one row of cells in place, for any vector. Included by one source file for each instruction
// set (rows_*.cpp), which compiles it for its own vectors.
//
// A row is a sequence of vectors; vector i holds columns i, n+i, 2n+i ... of a row of n vectors, one a lane
// (in_place_strip.hpp). A cell's nine populations arrive from nine places in memory, and that is also where
// its nine results go: the one in direction i to the place from which the opposite one arrived. No other cell
// touches these places in the same step, so neither rows nor cells need any order.
//
//   from own cell:         population i arrives from place opposite(i) of the cell itself
//   from the neighbours:   population i arrives from place i of the cell against direction i
//
// Steps of the two kinds take turns (Bailey et al., "Accelerating lattice Boltzmann fluid flow simulations
// using graphics processors", 2009, call it the AA pattern). In an obstacle cell bounce-back means that what
// arrived from a place goes back there: there is nothing to do.
#pragma once

#include <utility>

#include "common/lattice.hpp"
#include "common/row_kernels.hpp"

namespace boltzmark {

/// Which ends of a row a vector stands at. There, lanes continue one another: west of the first vector is the
/// last one, a lane up, and round the row.
enum class Edge { none, west, east, both };

/// Hides from the compiler that memory behind `p` has been read before. Loading values a second time is
/// cheaper than keeping more of them than there are registers.
template <class T>
CELL_FN T* unseen(T* p) {
#if defined(__GNUC__)
  asm("" : "+r"(p));
#endif
  return p;
}

/// Places of a step that reads and writes the cells' own populations.
template <class V>
struct OwnPlaces {
  using T = typename V::Scalar;
  static constexpr bool has_edges = false;
  T* row;

  explicit OwnPlaces(const RowJob<T>& job) : row(job.row) {}
  CELL_FN OwnPlaces unseen_again() const {
    OwnPlaces same = *this;
    same.row = unseen(row);
    return same;
  }

  /// Where population I of vector i arrives from.
  template <int I, Edge>
  CELL_FN T* place(std::size_t i) const {
    return row + (i * Lattice::directions + Lattice::opposite[I]) * V::lanes;
  }
  /// What lies there into the lanes of the cells it belongs to, and back.
  template <int I, Edge>
  static CELL_FN V arrived(V value) {
    return value;
  }
  template <int I, Edge>
  static CELL_FN V leaving(V value) {
    return value;
  }
};

/// Places of a step that reads and writes the neighbours' populations.
template <class V>
struct NeighbourPlaces {
  using T = typename V::Scalar;
  static constexpr bool has_edges = true;
  T *south, *row, *north;
  std::size_t last;

  explicit NeighbourPlaces(const RowJob<T>& job)
      : south(job.south), row(job.row), north(job.north), last(static_cast<std::size_t>(job.vectors) - 1) {}
  CELL_FN NeighbourPlaces unseen_again() const {
    NeighbourPlaces same = *this;
    same.south = unseen(south);
    same.row = unseen(row);
    same.north = unseen(north);
    return same;
  }

  template <Edge E>
  static constexpr bool at_west = E == Edge::west || E == Edge::both;
  template <Edge E>
  static constexpr bool at_east = E == Edge::east || E == Edge::both;

  template <int I, Edge E>
  CELL_FN T* place(std::size_t i) const {
    T* const from = Lattice::cy[I] > 0 ? south : Lattice::cy[I] < 0 ? north : row;
    if constexpr (Lattice::cx[I] > 0) i = at_west<E> ? last : i - 1;
    if constexpr (Lattice::cx[I] < 0) i = at_east<E> ? 0 : i + 1;
    return from + (i * Lattice::directions + I) * V::lanes;
  }
  template <int I, Edge E>
  static CELL_FN V arrived(V value) {
    if constexpr (Lattice::cx[I] > 0 && at_west<E>) return value.rotated_up();
    if constexpr (Lattice::cx[I] < 0 && at_east<E>) return value.rotated_down();
    return value;
  }
  template <int I, Edge E>
  static CELL_FN V leaving(V value) {
    if constexpr (Lattice::cx[I] > 0 && at_west<E>) return value.rotated_down();
    if constexpr (Lattice::cx[I] < 0 && at_east<E>) return value.rotated_up();
    return value;
  }
};

/// One row's update. The moments of a vector are computed beside the results of the one before it: a
/// division and long chains of additions then hide behind independent work.
template <class V, template <class> class Places, bool Mixed, bool Accelerate>
class RowUpdater {
  using T = typename V::Scalar;
  using Directions = std::make_integer_sequence<int, Lattice::directions>;

 public:
  CELL_FN RowUpdater(const RowJob<T>& job, const Relaxation<T>& c)
      : places_(job), blocked_(job.blocked), vectors_(static_cast<std::size_t>(job.vectors)), c_(c) {}

  CELL_FN double update() {
    if constexpr (!Places<V>::has_edges) {
      auto m = moments_of(load<Edge::none>(places_, 0), c_);
      for (std::size_t i = 0; i + 1 < vectors_; ++i) advance<Edge::none, Edge::none>(i, m);
      finish<Edge::none>(vectors_ - 1, m);
    } else if (vectors_ == 1) {
      finish<Edge::both>(0, moments_of(load<Edge::both>(places_, 0), c_));
    } else {
      auto m = moments_of(load<Edge::west>(places_, 0), c_);
      if (vectors_ == 2) {
        advance<Edge::west, Edge::east>(0, m);
      } else {
        advance<Edge::west, Edge::none>(0, m);
        for (std::size_t i = 1; i + 2 < vectors_; ++i) advance<Edge::none, Edge::none>(i, m);
        advance<Edge::none, Edge::east>(vectors_ - 2, m);
      }
      finish<Edge::east>(vectors_ - 1, m);
    }
    return static_cast<double>(speeds_.sum());
  }

 private:
  template <Edge E>
  static CELL_FN Populations<V> load(const Places<V>& from, std::size_t i) {
    return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
      return Populations<V>{{Places<V>::template arrived<I, E>(V::load(from.template place<I, E>(i)))...}};
    }
    (Directions{});
  }

  template <Edge E>
  CELL_FN void store(const Populations<V>& out, std::size_t i) const {
    [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
      (Places<V>::template leaving<I, E>(out.f[Lattice::opposite[I]]).store(places_.template place<I, E>(i)),
       ...);
    }
    (Directions{});
  }

  /// Writes vector i, whose moments are `m`, after reading those of the next vector into `m`.
  template <Edge This, Edge Next>
  CELL_FN void advance(std::size_t i, Moments<V>& m) {
    const auto next = moments_of(load<Next>(places_, i + 1), c_);
    finish<This>(i, m);
    m = next;
  }

  template <Edge E>
  CELL_FN void finish(std::size_t i, const Moments<V>& m) {
    const Populations<V> a = load<E>(places_.unseen_again(), i);
    Populations<V> out = collide(a, m, c_);
    V speed = scaled_speed_of(m);
    if constexpr (Mixed) {
      if (const std::uint32_t bits = blocked_[i]) {
        const auto mask = V::mask_from_bits(bits);
        const auto turned = bounce_back(a);
        for (int k = 0; k < Lattice::directions; ++k) out.f[k] = choose(mask, turned.f[k], out.f[k]);
        speed = choose(mask, V::zero(), speed);
      }
    }
    speeds_ = speeds_ + speed;
    if constexpr (Accelerate) out = accelerate(out, ~V::mask_from_bits(Mixed ? blocked_[i] : 0), c_);
    store<E>(out, i);
  }

  Places<V> places_;
  const std::uint32_t* blocked_;
  std::size_t vectors_;
  Relaxation<T> c_;
  V speeds_ = V::zero();
};

/// The entries of a RowKernels table. `InstructionSet` keeps the functions of one source file apart from
/// those that another one compiles for other processors.
template <class InstructionSet, class V, template <class> class Places, bool Accelerate>
double update_row(const RowJob<typename V::Scalar>& job, const Relaxation<typename V::Scalar>& c) {
  if (job.blocked) return RowUpdater<V, Places, true, Accelerate>(job, c).update();
  return RowUpdater<V, Places, false, Accelerate>(job, c).update();
}

template <class InstructionSet, class V>
constexpr RowKernels<typename V::Scalar> kernels_of() {
  return {InstructionSet::name,
          V::lanes,
          InstructionSet::runs_here,
          {update_row<InstructionSet, V, NeighbourPlaces, false>,
           update_row<InstructionSet, V, NeighbourPlaces, true>},
          {update_row<InstructionSet, V, OwnPlaces, false>, update_row<InstructionSet, V, OwnPlaces, true>}};
}

}  // namespace boltzmark
