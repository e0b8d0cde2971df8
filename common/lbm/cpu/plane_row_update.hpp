// The update of one row of cells in place in three dimensions (D3Q19): row_update.hpp with nine rows in place of three.
// Its layout, its two kinds of steps and its edges are those of row_update.hpp; the differences: the nineteen
// populations of a vector leave no registers in which to begin the next vector, so each vector is read twice, first for
// its moments; and later vectors are prefetched.
#pragma once

#include <array>

#include "common/lbm/cpu/row_update.hpp"

namespace boltzmark::lbm {

/// Place from which population I of a vector arrives, as an offset in values from the vector's first, in a step that
/// reads and writes the cells' own populations.
template <class V, class>
struct OwnPlanePlaces {
  static constexpr bool has_edges = false;
  template <int I, Edge>
  static KERNEL_FN std::ptrdiff_t place(std::ptrdiff_t /*vectors*/) {
    return std::ptrdiff_t{Direction<D3Q19, I>::opposite} * Stride<V>::direction;
  }
  template <int>
  static constexpr int row = 4;
};

/// The same in a step that reads and writes the neighbours' populations.
template <class V, class T>
struct NeighbourPlanePlaces {
  static constexpr bool has_edges = true;
  template <int I, Edge E>
  static KERNEL_FN std::ptrdiff_t place(std::ptrdiff_t vectors) {
    using Edges = NeighbourPlaces<V, T>;
    const std::ptrdiff_t round = vectors - 1;
    std::ptrdiff_t ahead = 0;
    if constexpr (D3Q19::cx[I] > 0) ahead += Edges::template at_west<E> ? round : -1;
    if constexpr (D3Q19::cx[I] < 0) ahead += Edges::template at_east<E> ? -round : 1;
    return (ahead * D3Q19::directions + I) * Stride<V>::direction;
  }
  template <int I>
  static constexpr int row = (1 - D3Q19::cz[I]) * 3 + (1 - D3Q19::cy[I]);
};

/// The update of some rows, one after the other. A vector is read for its moments and read again when its results are
/// written, pair by pair of opposite directions. No data link one vector to the next, so the processor begins the next
/// one, even at the end of a row, while results of this one are in flight.
template <class V, class T, template <class, class> class Places, bool Accelerate>
class PlaneRowUpdater {
  using At = Places<V, T>;
  using Edges = NeighbourPlaces<V, T>;
  using L = D3Q19;
  using Directions = std::make_integer_sequence<int, L::directions>;
  using Pairs = std::make_integer_sequence<int, L::directions / 2>;
  static_assert(static_cast<int>(sizeof(V) / sizeof(typename V::Scalar)) <=
                RowJob<T, L>::padding_shift);  // as in row_update.hpp

 public:
  KERNEL_FN PlaneRowUpdater(const RowJob<T, L>& job, const Relaxation<typename V::Scalar, L>& c)
      : rows_(std::to_array(job.rows)),
        next_(job.next * value_bytes),
        later_(job.later),
        lines_per_vector_(job.lines_per_vector),
        vectors_(job.vectors),
        solid_(job.solid),
        c_(c) {}

  KERNEL_FN double update(std::int32_t count, std::ptrdiff_t pitch) {
    double total = 0.0;
    for (std::int32_t row = 0; row < count; ++row) {
      const std::ptrdiff_t row_bytes = pitch * value_bytes, next = bytes_ + row_bytes;
      const char* const next_later = later_ + row_bytes;
      total += update_row();
      bytes_ = next;
      later_ = next_later;
    }
    return total;
  }

 private:
  KERNEL_FN double update_row() {
    if constexpr (!At::has_edges) {
      advance(vectors_);
    } else if (vectors_ == 1) {
      advance<Edge::both>();
    } else {
      advance<Edge::west>();
      advance(vectors_ - 2);
      advance<Edge::east>();
    }
    const double rest = static_cast<double>(std::exchange(speeds_, V::zero()).sum());
    return std::exchange(total_, 0.0) + rest;
  }

  /// The population that arrived in direction I.
  template <int I, Edge E>
  KERNEL_FN V arrived() const {
    const V value = V::load(place<I, E>());
    if constexpr (At::has_edges && L::cx[I] > 0 && Edges::template at_west<E>) return value.rotated_up();
    if constexpr (At::has_edges && L::cx[I] < 0 && Edges::template at_east<E>) return value.rotated_down();
    return value;
  }
  /// Stores the population leaving against direction I in the place from which direction I arrived.
  template <int I, Edge E>
  KERNEL_FN void leave(V value) const {
    if constexpr (At::has_edges && L::cx[I] > 0 && Edges::template at_west<E>) value = value.rotated_down();
    if constexpr (At::has_edges && L::cx[I] < 0 && Edges::template at_east<E>) value = value.rotated_up();
    value.store(place<I, E>());
  }
  template <int I, Edge E>
  KERNEL_FN T* place() const {
    return reinterpret_cast<T*>(reinterpret_cast<char*>(rows_[At::template row<I>]) + bytes_) +
           At::template place<I, E>(vectors_);
  }

  /// Prefetches the same vector of a later row, and a part of a later plane's row; both only into the second-level
  /// cache, because the first cannot have as many misses in flight as the latency of memory requires.
  KERNEL_FN void prefetch() {
    const std::ptrdiff_t next = bytes_ + next_;
    [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
      (__builtin_prefetch(reinterpret_cast<char*>(rows_[At::template row<I>]) + next +
                              At::template place<I, Edge::none>(0) * value_bytes,
                          0, 2),
       ...);
    }
    (Directions{});
    for (int line = 0; line < lines_per_vector_; ++line, later_ += 64) __builtin_prefetch(later_, 0, 2);
  }

  /// This many vectors, none of them at the ends of the row.
  KERNEL_FN void advance(std::int32_t vectors) {
    for (std::int32_t i = 0; i < vectors;) {
      advance<Edge::none>();
      if (++i % most_speeds_a_lane == 0) [[unlikely]]
        total_ += static_cast<double>(std::exchange(speeds_, V::zero()).sum());
    }
  }

  /// Updates a vector and moves to the next.
  template <Edge E>
  KERNEL_FN void advance() {
    prefetch();
    const std::uint32_t solid = *solid_++, padding = solid >> RowJob<T, L>::padding_shift;
    if (!Accelerate && (solid & lane_bits) == 0) [[likely]]
      advance<E, false>(V::mask_from_bits(padding));
    else
      advance<E, true>(V::mask_from_bits(solid | padding));
    bytes_ += vector_bytes;
    read_again();
  }
  /// Mixed: it may have obstacles. Otherwise all cells are fluid; some of them may not count.
  template <Edge E, bool Mixed>
  KERNEL_FN void advance(typename V::Mask solid) {
    moments_ = moments<E>();
    read_again();
    if constexpr (Accelerate)
      finish_pushed<E>(solid);
    else
      finish<E, Mixed>(solid);
  }

  /// The arrived populations, at the first and the second read. Halves are converted once.
  template <int I, Edge E>
  KERNEL_FN V first() {
    const V value = arrived<I, E>();
    if constexpr (is_half) values_[I] = value;
    return value;
  }
  template <int I, Edge E>
  KERNEL_FN V second() const {
    if constexpr (is_half)
      return values_[I];
    else
      return arrived<I, E>();
  }

  /// As moments_of(), with few values in registers at a time.
  template <Edge E>
  KERNEL_FN Moments<V, L> moments() {
    const auto diagonals = [&]<int I>(std::integral_constant<int, I>) __attribute__((always_inline)) {
      const V a = in_register(first<I, E>()), b = in_register(first<I + 1, E>());
      const V c = in_register(first<I + 2, E>()), d = in_register(first<I + 3, E>());
      return diagonals_of(a, b, c, d);
    };
    const auto xy = diagonals(std::integral_constant<int, 7>{});
    const auto xz = diagonals(std::integral_constant<int, 11>{});
    const auto yz = diagonals(std::integral_constant<int, 15>{});
    const V east = in_register(first<1, E>()), west = in_register(first<2, E>());
    const V north = in_register(first<3, E>()), south = in_register(first<4, E>());
    const V top = in_register(first<5, E>()), bottom = in_register(first<6, E>());
    const V on_axes = ((east + west) + (north + south)) + ((top + bottom) + first<0, E>());
    return moments_from(xy, xz, yz, on_axes, east - west, north - south, top - bottom, c_);
  }

  /// Writes this vector: update_cell() of cell.h without body force, pair by pair.
  template <Edge E, bool Mixed>
  KERNEL_FN void finish(typename V::Mask solid) {
    const auto shared = shared_of(moments_, c_);
    if constexpr (is_half) noise_ = Noise<V>(moments_);
    speeds_ = speeds_ + choose(solid, V::zero(), scaled_speed_of(moments_));
    const V rest = second<0, E>(), kept = multiply_add(rest, c_.keep, shared.rest);
    leave<0, E>(to_store<0>(Mixed ? choose(solid, rest, kept) : kept));
    [&]<int... Pair>(std::integer_sequence<int, Pair...>) __attribute__((always_inline)) {
      (finish_pair<Pair, E, Mixed>(shared, solid), ...);
    }
    (Pairs{});
  }
  template <int Pair, Edge E, bool Mixed, class Common>
  KERNEL_FN void finish_pair(const Common& shared, typename V::Mask solid) {
    constexpr int forth = 2 * Pair + 1, back = forth + 1;
    const V a = second<forth, E>(), b = second<back, E>();
    V to_forth, to_back;
    relax(Pair, moments_, shared, c_, &to_forth, &to_back);
    to_forth = multiply_add(a, c_.keep, to_forth);
    to_back = multiply_add(b, c_.keep, to_back);
    leave<back, E>(to_store<back>(Mixed ? choose(solid, b, to_forth) : to_forth));
    leave<forth, E>(to_store<forth>(Mixed ? choose(solid, a, to_back) : to_back));
  }
  /// Like dithered(), for one population.
  template <int I>
  KERNEL_FN V to_store(V value) {
    if constexpr (is_half) return noise_.added_to(value, I);
    return value;
  }
  /// With the body force, which needs more than a pair.
  template <Edge E>
  KERNEL_FN void finish_pushed(typename V::Mask solid) {
    [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
      const Populations<V, L> all = {{second<I, E>()...}};
      Populations<V, L> out = update_cell(all, moments_, solid, true, true, c_, &speeds_);
      if constexpr (is_half) out = dithered(out, moments_);
      (leave<I, E>(out.f[Direction<L, I>::opposite]), ...);
    }
    (Directions{});
  }

  /// Makes the compiler forget values read from memory before: loading them again is cheaper than having more values
  /// than registers. It also keeps the compiler from making a separate address for each of the nineteen places.
  KERNEL_FN void read_again() {
#ifdef BOLTZMARK_WITHOUT_ASM
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
#elif defined(__GNUC__)
    asm volatile("" : "+r"(bytes_) : : "memory");
#endif
  }

  static constexpr bool is_half = std::is_same_v<T, Half>;
  static constexpr std::uint32_t lane_bits = (1u << RowJob<T, L>::padding_shift) - 1;
  static constexpr std::ptrdiff_t value_bytes = sizeof(T),
                                  vector_bytes = L::directions * Stride<V>::direction * value_bytes;

  const std::array<T*, 9> rows_;
  const std::ptrdiff_t next_;  ///< bytes to the row to fetch
  const char* later_;
  const std::int32_t lines_per_vector_, vectors_;
  const std::uint32_t* solid_;
  const Relaxation<typename V::Scalar, L> c_;
  std::ptrdiff_t bytes_ = 0;  ///< from the first vector of the first row to this one
  Moments<V, L> moments_;     ///< of this vector
  V values_[L::directions];   ///< of this vector, where it is stored in halves
  Noise<V> noise_;            ///< of this vector, where it is stored in halves
  V speeds_ = V::zero();
  double total_ = 0.0;  ///< of this row, from lanes that were full
};

template <class InstructionSet, class V, template <class, class> class Places, bool Accelerate, class T>
double update_plane_row(const RowJob<T, D3Q19>& job, const Relaxation<typename V::Scalar, D3Q19>& c) {
  return PlaneRowUpdater<V, T, Places, Accelerate>(job, c).update(job.count, job.pitch);
}

/// Like kernels_of() in row_update.hpp.
template <class InstructionSet, class V, class T = typename V::Scalar>
constexpr RowKernels<T, D3Q19> plane_kernels_of() {
  return {InstructionSet::name,
          V::lanes,
          InstructionSet::runs_here,
          {update_plane_row<InstructionSet, V, NeighbourPlanePlaces, false>,
           update_plane_row<InstructionSet, V, NeighbourPlanePlaces, true>},
          {update_plane_row<InstructionSet, V, OwnPlanePlaces, false>,
           update_plane_row<InstructionSet, V, OwnPlanePlaces, true>}};
}

}  // namespace boltzmark::lbm
